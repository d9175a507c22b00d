"""Find the reads that are safe at any time: their index lies within the row or the table, before any test.

An extra read of such a word is faster than a mispredicted branch.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from ruleforge.analysis.dataflow import Solver
from ruleforge.analysis.intervals import EMPTY, WORD, ZERO, Interval, apply, join_all
from ruleforge.analysis.ranges import Given, Known, ValueRanges, widened
from ruleforge.compiler import ir
from ruleforge.compiler.passes.expressions import COMPARISONS
from ruleforge.compiler.visit import Expression, statements

MOST = 14  # operations that are done too much at most
_PLAIN = frozenset(("+", "-", "*", *COMPARISONS, "&", "|", "^"))


class EarlyRanges(ValueRanges):
    """Value ranges that also hold before a guarding test: a sum can wrap, and a cell can hold any value."""

    def computed(self, op: str, left: Interval, right: Interval) -> Interval:
        found = apply(op, left, right)
        return found if found.within(WORD) else WORD

    def loaded(self, load: ir.Load, known: Known) -> Interval:
        return WORD


class Reach:
    """The ranges of the locals of one function. Each contains 0, because locals start at 0."""

    def __init__(self, program: ir.Program, ranges: EarlyRanges) -> None:
        self.program, self.ranges = program, ranges
        self._given: dict[str, list[Given]] = {}
        self._solver: Solver[str, Interval] = Solver(self._solved, EMPTY, Interval.join, widened)
        self._locals = Known(self._solver.__getitem__)

    def learn(self, bodies: Iterable[ir.Body], parameters: Collection[str] = ()) -> None:
        """Record all assignments of these bodies to locals. Parameters have their own ranges."""
        for statement in (s for body in bodies for s in statements(body)):
            for name, value in self.ranges.assignments(statement):
                if name not in parameters:
                    self._given.setdefault(name, [ZERO]).append(value)

    def learn_range(self, name: str, found: Interval) -> None:
        """Record the range of a parameter."""
        self._given.setdefault(name, [found])

    def of(self, e: Expression) -> Interval:
        return self.ranges.of(e, self._locals)

    def _solved(self, name: str, read: Callable[[str], Interval]) -> Interval:
        if name not in self._given:
            return WORD
        return join_all(self.ranges.given(value, Known(read)) for value in self._given[name])

    def costs_little(self, e: Expression) -> bool:
        """Whether evaluating more than is needed is cheaper than a branch, and cannot go wrong."""
        operations = self._operations(e)
        return operations is not None and operations <= MOST

    def _operations(self, e: Expression) -> int | None:
        match e:
            case ir.Const() | ir.Local():
                return 0
            case ir.FrameLoad(index=None) | ir.Load(index=None):
                return 1
            case ir.Load(base=base, index=index) if self._within(index, -base, self.program.row_size - base):
                return _sum(1, self._operations(index))
            case ir.Table(table=table, index=index) if self._within(
                index, 0, len(self.program.tables[table])
            ):
                return _sum(1, self._operations(index))
            case ir.Binary(op=op, left=left, right=right, checked=False) if op in _PLAIN:
                return _sum(1, self._operations(left), self._operations(right))
            case ir.LogicNot(value=value):
                return _sum(1, self._operations(value))
            case ir.Logic(parts=parts):
                return _sum(len(parts) - 1, *map(self._operations, parts))
        return None

    def _within(self, index: Expression, low: int, end: int) -> bool:
        return self.of(index).within(Interval(low, end - 1))


def _sum(*operations: int | None) -> int | None:
    total = 0
    for some in operations:
        if some is None:
            return None
        total += some
    return total
