"""Make speculative execution cheaper: drop stores that are never read, and trials with a known result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ruleforge.analysis.dataflow import reach
from ruleforge.analysis.intervals import Interval, single
from ruleforge.analysis.ranges import Ranges
from ruleforge.compiler import ir
from ruleforge.compiler.function_traits import Traits
from ruleforge.compiler.passes.dead_stores import without_unread
from ruleforge.compiler.passes.expressions import is_harmless
from ruleforge.compiler.passes.folding import fold
from ruleforge.compiler.visit import (
    Expression,
    Node,
    calls,
    expressions,
    found_in,
    rewrite_body,
    same,
    statements,
    subexpressions,
    with_bodies,
)

_TRIALS, _CALLS = frozenset((ir.Trial,)), frozenset((ir.CallExpr,))
_TRIAL = frozenset((ir.Trial,))


def unasked(lowered: ir.Lowered) -> ir.Lowered:
    """The same program with less in its trials."""
    tried = {
        e.function
        for f in lowered.functions.values()
        for s in statements(f.body)
        for e in found_in(s, _TRIALS)
    }
    if not tried:
        return lowered
    search = _Search(lowered, tried)
    done = {name: search.function(f) for name, f in lowered.functions.items()}
    return replace(lowered, functions=done)


class _Search:
    """Finds the stores of each trial that affect its result."""

    def __init__(self, lowered: ir.Lowered, tried: set[str]) -> None:
        self.lowered, self.functions = lowered, lowered.functions
        self.ranges, self.cells = Ranges(lowered), Interval(0, lowered.stack - 1)
        self.columns = {c.base: range(c.base + 1, c.base + c.size + 1) for c in lowered.columns}
        called = {callee for f in self.functions.values() for callee in calls(f.body)}
        run = self.reached(name for name in self.functions if name not in called)
        self.only_tried = self.reached(tried) - run
        self.needed: set[int] = set()  # stores, by what they are in memory
        for root in sorted(tried):
            self.keep(self.reached((root,)))

    def reached(self, names: Iterable[str]) -> set[str]:
        """Functions that are run where these are, but for what those try."""
        return {*reach(names, lambda name: _run_by(self.functions[name].body))}

    def keep(self, together: set[str]) -> None:
        """Keep the stores in the functions of one trial that are read there, also by other kept stores."""
        stores: list[tuple[str, ir.Store]] = []
        writers: dict[int, list[tuple[int]]] = {}  # by word, the numbers of the stores that may write it
        read: dict[int, None] = {}
        for name in sorted(together):
            for s in statements(self.functions[name].body):
                if self.may_go(name, s):
                    for word in self.reach(s):
                        writers.setdefault(word, []).append((len(stores),))
                    stores.append((name, s))
                elif not isinstance(s, ir.Note):
                    read.update(dict.fromkeys(self.read_by(name, s)))

        def behind(key: int | tuple[int]) -> Iterable[int | tuple[int]]:
            return writers.get(key, ()) if isinstance(key, int) else self.read_by(*stores[key[0]])

        found: dict[int | tuple[int], None] = reach([*read], behind)
        self.needed |= {id(stores[key[0]][1]) for key in found if isinstance(key, tuple)}

    def may_go(self, name: str, s: Node) -> bool:
        """Whether a statement stores an attribute, and neither the value nor the place can fail."""
        return (
            isinstance(s, ir.Store)
            and name in self.only_tried
            and len(self.reach(s)) > 0
            and all(map(is_harmless, expressions(s)))
        )

    def reach(self, store: ir.Store) -> range:
        """The words of an attribute that a store may write; none if it is no attribute."""
        if store.index is not None:
            return self.columns.get(store.base, range(0))
        inside = any(store.base in words for words in self.columns.values())
        return range(store.base, store.base + inside)

    def read_by(self, name: str, s: Node) -> Iterator[int]:
        """The words that a statement reads itself, trials in it included: those may read any."""
        if isinstance(s, ir.Scan):
            yield from range(s.base + 1, s.base + s.size + 1)
        for e in (e for part in expressions(s) for e in subexpressions(part)):
            match e:
                case ir.Load(base=base, index=None):
                    yield base
                case ir.Load(base=base, index=index):
                    slots = (self.ranges.within(name, index) + single(base)).meet(self.cells)
                    yield from slots.numbers()
                case ir.Connected(base=base, size=size):
                    yield from range(base + 1, base + size + 1)
                case ir.Trial():
                    yield from range(self.lowered.stack)

    def function(self, function: ir.Function) -> ir.Function:
        if function.name not in self.only_tried:
            return function
        body = self.without(function.name, function.body)
        if body is function.body:
            return function
        return replace(function, body=without_unread(fold(body, self.lowered.tables)))

    def without(self, name: str, body: ir.Body) -> ir.Body:
        return same(
            body, [with_bodies(s, lambda b: self.without(name, b)) for s in body if self.stays(name, s)]
        )

    def stays(self, name: str, s: Node) -> bool:
        return not isinstance(s, ir.Note) and (id(s) in self.needed or not self.may_go(name, s))


def _run_by(body: ir.Body) -> Iterator[str]:
    """The functions that a body calls, but for those that it tries."""
    for s in statements(body):
        if isinstance(s, ir.Perform):
            yield s.function
        for e in found_in(s, _CALLS):
            yield e.function


# Trials that need none: of what changes nothing and cannot fail, and those whose answer is known beforehand.


def untried(lowered: ir.Lowered) -> ir.Lowered:
    """The same program with fewer trials."""
    untrying = _Untrying(lowered)
    return replace(lowered, functions={name: untrying.function(f) for name, f in lowered.functions.items()})


class _Untrying:
    def __init__(self, lowered: ir.Lowered) -> None:
        self.functions, self.tables = lowered.functions, lowered.tables
        self.traits = Traits(lowered.functions)

    def function(self, function: ir.Function) -> ir.Function:
        if not any(found_in(s, _TRIAL) for s in statements(function.body)):
            return function
        body = rewrite_body(function.body, self.expression)
        return function if body is function.body else replace(function, body=fold(body, self.tables))

    def expression(self, e: Expression) -> Expression:
        if not isinstance(e, ir.Trial):
            return e
        trait = self.traits.of(e.function)
        if not trait.sure:
            return e
        match self.functions[e.function].body:
            case (*_, ir.Return(value=ir.Const() as known)) if self._returns_once(e.function):
                return known
        return ir.CallExpr(e.function, e.arguments) if trait.quiet else e

    def _returns_once(self, name: str) -> bool:
        """Whether a function returns only at its end.

        Without questions and an end of the game, it always gets there.
        """
        function = self.functions[name]
        returns = sum(isinstance(s, ir.Return) for s in statements(function.body))
        return returns == 1 and not function.finishes
