"""Which words can be read at any time: their index lies within the row or the table, whatever is asked before.

Reading such a word too much is quicker than a branch that is often taken wrongly.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from operator import add, mul, sub
from typing import Any

from ruleforge.compiler import ir
from ruleforge.compiler.passes.numbers import COMPARISONS
from ruleforge.compiler.visit import Expression, Node, assigned, statements

Range = tuple[int, int]
MOST = 14  # operations that are done too much at most
_OPERATORS = {"+": add, "-": sub, "*": mul}
_PLAIN = frozenset((*_OPERATORS, *COMPARISONS, "&", "|", "^"))


@dataclass(slots=True)
class Reach:
    """Between which numbers the locals of one function lie, as far as constants say so; 0 is always among them."""

    program: ir.Program
    known: dict[str, Range] = field(default_factory=dict)
    hulls: dict[tuple[int, int], Range] = field(
        default_factory=dict
    )  # of the fields of relations, for all functions of a module

    def learn(self, bodies: Iterable[ir.Body], parameters: Collection[str] = ()) -> None:
        """All locals that these bodies, and nothing else, give values; parameters come with others."""
        writers: dict[str, list[Node]] = defaultdict(list)
        for statement in (s for body in bodies for s in statements(body)):
            for name in assigned(statement):
                writers[name].append(statement)
        found = True
        while found:
            found = False
            for name in [name for name in writers if name not in self.known and name not in parameters]:
                ranges = [self._given(name, s) for s in writers[name]]
                if None not in ranges:
                    self.known[name] = _hull(n for r in ranges if r is not None for n in r)
                    found = True

    def _given(self, name: str, s: Node) -> Range | None:
        match s:
            case ir.Set(value=value):
                return self.of(value)
            case ir.ForRange(low=ir.Const(value=low), high=ir.Const(value=high)):
                return low, max(low, high)
            case ir.Scan(size=size):
                return 1, size
            case ir.Each(names=names, relation=relation):
                return self._field(relation, names.index(name))
        return None

    def _field(self, relation: int, position: int) -> Range:
        if (relation, position) not in self.hulls:
            rows: Iterator[Any] = (row for group in self.program.relations[relation] for row in group)
            self.hulls[relation, position] = _hull(
                row[position] if isinstance(row, tuple) else row for row in rows
            )
        return self.hulls[relation, position]

    def of(self, e: Expression) -> Range | None:
        match e:
            case ir.Const(value=value):
                return value, value
            case ir.Local(name=name):
                return self.known.get(name)
            case ir.Table(table=table):
                return _hull(self.program.tables[table])
            case ir.Binary(op=op, left=left, right=right) if op in _OPERATORS:
                one, two = self.of(left), self.of(right)
                if one is not None and two is not None:
                    ends = [_OPERATORS[op](a, b) for a, b in product(one, two)]
                    return min(ends), max(ends)
        return None

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
        found = self.of(index)
        return found is not None and low <= found[0] and found[1] < end


def _sum(*operations: int | None) -> int | None:
    total = 0
    for some in operations:
        if some is None:
            return None
        total += some
    return total


def _hull(numbers: Iterable[int]) -> Range:
    values = [0, *numbers]
    return min(values), max(values)
