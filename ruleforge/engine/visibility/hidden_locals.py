"""`HiddenLocals` finds the locals of frames that may hold hidden information, and the columns that chance
fills.

An answer may be hidden from other players. Values read from hidden places and attributes are hidden, and so
are decisions that depend on them. The result is an upper bound: it covers everything that can happen.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from ruleforge.compiler import ir
from ruleforge.compiler.trace_marks import shown_by
from ruleforge.compiler.visit import Node, arrays_written, assigned, bodies, expressions, subexpressions
from ruleforge.engine.visibility.frames import filled, frames

_RESULT = "result of"  # no local is called so
_SILENT = frozenset((ir.Const, ir.Binary, ir.Logic, ir.Table))  # only their parts tell something


class Label:
    """The taint labels of a value, as bits of a number; plain integers are much faster here than `enum` flags."""

    NOTHING = 0
    ANSWER = 1
    HIDDEN = 2
    CHANCE = 4
    SHUFFLED = 8  # read off where shuffled things lie; unlike the others it does not reach what is only decided by it


class HiddenLocals:
    """The possible contents of the locals of every function, as a fixed point."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._hidden = frozenset(_hidden_slots(program))
        self._sealed = {site.sealed.answers for site in program.sites if site.sealed is not None}
        self._known: dict[tuple[str, str], int] = {}
        self._columns = sorted((column.base, number) for number, column in enumerate(program.columns))
        self._by_chance: set[int] = set()
        self._kinds = dict(_place_slots(program))
        self._shuffled: set[int] = set()  # kinds whose things lie as chance has laid them
        self._copied: set[int] = set()  # columns that hold what was read off there
        self._asking: dict[str, set[str]] = {}  # by function, those that ask for its result
        self._todo = dict.fromkeys(program.functions)  # those that are to be looked at, in order
        while self._todo:
            name = next(iter(self._todo))
            del self._todo[name]
            self._body(name, program.functions[name].body, Label.NOTHING)

    def local(self, function: str, name: str) -> int:
        """The labels of a function's local, without chance. `frames` finds sealed answers."""
        return self._known.get((function, name), Label.NOTHING) & ~(Label.CHANCE | Label.SHUFFLED)

    def hides(self, function: str, name: str) -> bool:
        """Whether a local may hold hidden information that no player answered."""
        return bool(self.local(function, name) & Label.HIDDEN)

    def keeps(self, row: list[int]) -> int:
        """The labels of all locals in the frames of a row."""
        found = Label.NOTHING
        for frame, function in frames(self._program, row):
            for name in filled(function, row[frame + ir.FRAME_PC]):
                found |= self.local(function.name, name)
        return found

    def by_chance(self, column: int) -> bool:
        """Whether chance may have set a column's values, or the things that it holds them for."""
        return column in self._by_chance or column in self._copied

    def _body(self, function: str, body: ir.Body, around: int) -> None:
        for statement in body:
            self._statement(function, statement, around)

    def _statement(self, function: str, s: Node, around: int) -> None:
        own = around
        for expression in expressions(s):
            own |= self._of(function, expression)
        if isinstance(s, ir.Scan) and self._shows(s.base, True):
            own |= Label.HIDDEN
        if isinstance(s, ir.Scan) and self._kind(s.base, True) in self._shuffled:
            own |= Label.SHUFFLED
        given = own
        match s:
            case ir.Ask(site=site):
                given = around | self._answered(self._program.sites[site])
            case ir.Random():
                given |= Label.CHANCE
            case ir.Store(base=base, index=index, value=value):
                self._stored(base, index is not None, own, self._of(function, value))
            case ir.Perform(function=callee, arguments=arguments):
                self._handed(function, callee, arguments, around)
                given |= self._result(function, callee)
            case ir.Return():
                self._grow(function, _RESULT, own)
        written = (*assigned(s), *(() if (array := arrays_written(s)) is None else (array,)))
        for name in written:
            if name.rpartition(".")[2] not in self._sealed:
                self._grow(function, name, given)
        for body in bodies(s):  # which way an answer led shows in what is asked next
            inner = Label.HIDDEN | Label.CHANCE if isinstance(s, ir.If) else Label.HIDDEN
            self._body(function, body, around | own & inner)

    def _answered(self, site: ir.Site) -> int:
        return Label.CHANCE if site.chance else Label.ANSWER

    def _of(self, function: str, expression: Node) -> int:
        found = Label.NOTHING
        for e in subexpressions(expression):
            if type(e) in _SILENT:
                continue
            match e:
                case ir.Local(name=name) | ir.Element(array=name):
                    found |= self._known.get((function, name), Label.NOTHING)
                case ir.Load(base=base, index=index):
                    found |= self._loaded(base, index is not None)
                case ir.Connected(base=base) if self._shows(base, True):
                    found |= Label.HIDDEN
                case ir.CallExpr(function=callee) if shown_by(callee):
                    pass  # it gives what it was given, which is looked at anyway
                case ir.CallExpr(function=callee, arguments=arguments):
                    self._handed(function, callee, arguments, Label.NOTHING)
                    found |= self._result(function, callee)
                case ir.Trial():
                    found |= Label.HIDDEN  # it may look at anything
        return found

    def _handed(self, function: str, callee: str, arguments: tuple[ir.Expr, ...], around: int) -> None:
        for name, argument in zip(self._program.functions[callee].parameters, arguments, strict=True):
            self._grow(callee, name, self._of(function, argument) | around)

    def _result(self, function: str, callee: str) -> int:
        self._asking.setdefault(callee, set()).add(function)
        return self._known.get((callee, _RESULT), Label.NOTHING)

    def _grow(self, function: str, name: str, more: int) -> None:
        old = self._known.get((function, name), Label.NOTHING)
        if more & ~old:
            self._known[function, name] = old | more
            self._again(sorted(self._asking.get(function, ())) if name == _RESULT else (function,))

    def _again(self, functions: Iterable[str]) -> None:
        """Queue the functions that read a changed slot; the order does not change the result."""
        self._todo.update(dict.fromkeys(functions))

    def _loaded(self, base: int, indexed: bool) -> int:
        column = self._column(base, indexed)
        drawn = Label.CHANCE if column in self._by_chance else Label.NOTHING
        if column in self._copied or self._kind(base, indexed) in self._shuffled:
            drawn |= Label.SHUFFLED
        return drawn | Label.HIDDEN if self._shows(base, indexed) else drawn

    def _stored(self, base: int, indexed: bool, own: int, value: int) -> None:
        """Note that chance may have set a slot, or selected its thing; a copied value has the label of its source."""
        column, kind = self._column(base, indexed), self._kind(base, indexed)
        if own & Label.CHANCE:
            self._left_to_chance(self._by_chance, column)
            self._left_to_chance(self._shuffled, kind)
        if value & Label.SHUFFLED:
            self._left_to_chance(self._copied, column)

    def _left_to_chance(self, among: set[int], number: int | None) -> None:
        if number is not None and number not in among:
            among.add(number)
            self._again(self._program.functions)

    def _kind(self, base: int, indexed: bool) -> int | None:
        """The kind of the things that have their place in a slot."""
        return self._kinds.get(base + indexed)

    def _column(self, base: int, indexed: bool) -> int | None:
        """The number of the column that a slot belongs to."""
        before = bisect_left(self._columns, (base + indexed, -1)) - 1
        if before < 0:
            return None
        number = self._columns[before][1]
        column = self._program.columns[number]
        return number if base + indexed <= column.base + column.size else None

    def _shows(self, base: int, indexed: bool) -> bool:
        """Whether a load from there may give something hidden."""
        return base + indexed in self._hidden or base in self._hidden


def _hidden_slots(program: ir.Program) -> Iterator[int]:
    """The slots of values and places that some player does not see; the number of things in a place is open."""
    for column in program.columns:
        if column.sees is not None:
            yield from range(column.base + 1, column.base + column.size + 1)
    yield from hidden_places(program)


def hidden_places(program: ir.Program) -> Iterator[int]:
    """The words that give the contents of places which some player does not see."""
    for place in program.places:
        if place.sees is not None:
            yield from _words_of(program, place)


def _place_slots(program: ir.Program) -> Iterator[tuple[int, int]]:
    """Every word that says where something lies, with the kind of what lies there; for all instances from the first."""
    for place in program.places:
        for slot in _words_of(program, place):
            yield slot, place.holds
        for base in (place.occupant, place.head, place.tail):
            if base:
                yield base + 1, place.holds


def _words_of(program: ir.Program, place: ir.PlaceInfo) -> Iterator[int]:
    things = len(program.kinds[place.holds].things) - 1
    for base in (place.where, place.next, place.previous):
        yield from range(base + 1, base + things + 1) if base else ()
    for base in (place.occupant, place.head, place.tail):
        yield from range(base + place.first + 1, base + place.first + place.count + 1) if base else ()
