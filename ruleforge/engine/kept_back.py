"""Program -> the locals of frames in which something may lie that not everybody knows.

An answer may be one that others were not told; what is read from hidden places and values is hidden, and so is what
is decided by it. It never says less than what can happen.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntFlag

from ruleforge.compiler import ir
from ruleforge.compiler.visit import Node, arrays_written, assigned, bodies, expressions, subexpressions

_RESULT = "result of"  # no local is called so


class Kept(IntFlag):
    """Of what kind it may be."""

    NOTHING = 0
    ANSWER = 1
    HIDDEN = 2


class KeptBack:
    """What the locals of every function may hold; worked out until nothing is added."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._hidden = frozenset(_hidden_slots(program))
        self._sealed = {site.sealed.answers for site in program.sites if site.sealed is not None}
        self._known: dict[tuple[str, str], Kept] = {}
        self._changed = True
        while self._changed:
            self._changed = False
            for name, function in program.functions.items():
                self._body(name, function.body, Kept.NOTHING)

    def local(self, function: str, name: str) -> Kept:
        """What a local of a function may hold. Answers that wait sealed are told elsewhere (sealed.py)."""
        return self._known.get((function, name), Kept.NOTHING)

    def _body(self, function: str, body: ir.Body, around: Kept) -> None:
        for statement in body:
            self._statement(function, statement, around)

    def _statement(self, function: str, s: Node, around: Kept) -> None:
        own = around
        for expression in expressions(s):
            own |= self._of(function, expression)
        if isinstance(s, ir.Scan) and self._shows(s.base, True):
            own |= Kept.HIDDEN
        given = own
        match s:
            case ir.Ask(site=site):
                given = around if self._program.sites[site].chance else around | Kept.ANSWER
            case ir.Perform(function=callee, arguments=arguments):
                self._handed(function, callee, arguments, around)
                given |= self._known.get((callee, _RESULT), Kept.NOTHING)
            case ir.Return():
                self._grow(function, _RESULT, own)
        written = (*assigned(s), *(() if (array := arrays_written(s)) is None else (array,)))
        for name in written:
            if name.rpartition(".")[2] not in self._sealed:
                self._grow(function, name, given)
        for body in bodies(s):  # which way an answer led shows in what is asked next
            self._body(function, body, around | own & Kept.HIDDEN)

    def _of(self, function: str, expression: Node) -> Kept:
        found = Kept.NOTHING
        for e in subexpressions(expression):
            match e:
                case ir.Local(name=name):
                    found |= self.local(function, name)
                case ir.Element(array=array):
                    found |= self.local(function, array)
                case ir.Load(base=base, index=index) if self._shows(base, index is not None):
                    found |= Kept.HIDDEN
                case ir.Connected(base=base) if self._shows(base, True):
                    found |= Kept.HIDDEN
                case ir.CallExpr(function=callee, arguments=arguments):
                    self._handed(function, callee, arguments, Kept.NOTHING)
                    found |= self._known.get((callee, _RESULT), Kept.NOTHING)
                case ir.Trial():
                    found |= Kept.HIDDEN  # it may look at anything
        return found

    def _handed(self, function: str, callee: str, arguments: tuple[ir.Expr, ...], around: Kept) -> None:
        for name, argument in zip(self._program.functions[callee].parameters, arguments, strict=True):
            self._grow(callee, name, self._of(function, argument) | around)

    def _grow(self, function: str, name: str, more: Kept) -> None:
        old = self._known.get((function, name), Kept.NOTHING)
        if more & ~old:
            self._known[function, name] = old | more
            self._changed = True

    def _shows(self, base: int, indexed: bool) -> bool:
        """Whether a load from there may give something hidden."""
        return base + indexed in self._hidden or base in self._hidden


def _hidden_slots(program: ir.Program) -> Iterator[int]:
    """Where values and whereabouts lie that not everybody sees; how many lie at a place everybody does."""
    for column in program.columns:
        if column.sees is not None:
            yield from range(column.base + 1, column.base + column.size + 1)
    for place in program.places:
        if place.sees is None:
            continue
        things = len(program.kinds[place.holds].things) - 1
        for base in (place.where, place.next, place.previous):
            yield from range(base + 1, base + things + 1) if base else ()
        for base in (place.occupant, place.head, place.tail):
            yield from range(base + place.first + 1, base + place.first + place.count + 1) if base else ()
