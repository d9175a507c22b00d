"""An index behind the row for `Connected`: the goals that the group of each cell reaches.

A group is a set of neighbours that hold the same value. In Python, an element of the tail is a list of masks,
one for each cell. It is None after a value was taken away, and the next query rebuilds it. Machine code has
words instead (`native/connectivity.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ruleforge.analysis.intervals import Interval, join_all
from ruleforge.analysis.ranges import Ranges
from ruleforge.compiler import ir
from ruleforge.compiler.visit import Expression, statements
from ruleforge.support.records import dataclass

MOST_VALUES = 32  # that distinguish groups
MOST_BITS = 62

Relation = Sequence[Sequence[Any]]


@dataclass(frozen=True, slots=True)
class GroupIndex:
    """The groups of one column under one relation of neighbours, at element `at` of the tail.

    Values `low` to `high` make groups. `bits` maps a goal, and whether its key is the value itself, to its
    first bit.
    """

    base: int
    size: int
    near: int
    at: int
    low: int
    high: int
    bits: dict[tuple[int, bool], int]
    own: tuple[tuple[int, ...], ...]  # value -> cell -> bits of the goals it lies in
    neighbours: Relation

    @property
    def covered(self) -> Interval:
        return Interval(self.low, self.high)

    def bit(self, e: ir.Connected) -> tuple[int, bool]:
        """The bit that answers a question; if the second is false the key has to be added."""
        same = e.key == e.value
        return self.bits[e.goal, same], same

    def holds(self, s: ir.Store) -> bool:
        """Whether a store writes a cell of this connectivity index."""
        return _inside(s, self.base, self.size)

    def build(self, row: list[Any]) -> list[int]:
        """The masks of a row."""
        masks = [0] * (self.size + 1)
        for cell in range(1, self.size + 1):
            value = row[self.base + cell]
            if self.low <= value <= self.high:
                mine = self.own[value][cell] | masks[cell]
                if mine != masks[cell]:
                    spread(row, self.base, self.neighbours, masks, cell, value, mine)
        return masks

    def refresh(self, row: list[Any]) -> list[int]:
        """The masks, which were out of date."""
        masks = row[self.at] = self.build(row)
        return masks


def spread(
    row: list[Any], base: int, near: Relation, masks: list[int], cell: int, value: int, mask: int
) -> None:
    """A cell gets marks, and with it its whole group; each cell gets each mark once."""
    masks[cell] = mask
    reached = [cell]
    for here in reached:
        for other in near[here]:
            if row[base + other] == value:
                old = masks[other]
                if old | mask != old:
                    masks[other] = old | mask
                    reached.append(other)


def find_group_indexes(program: ir.Program, ranges: Ranges, at: int) -> list[GroupIndex]:
    """The connectivity indexes that pay off. If values are removed often, a search for each query costs less."""
    lookups: dict[tuple[int, int], list[tuple[Interval, ir.Connected]]] = {}
    for function, e in ranges.connected():
        lookups.setdefault((e.base, e.near), []).append((ranges.within(function, e.value), e))
    group_indexes: list[GroupIndex] = []
    for (base, near), questions in lookups.items():
        groups = _group_index(program, base, near, questions, at + len(group_indexes))
        if groups is not None:
            group_indexes.append(groups)
    return group_indexes


def _group_index(
    program: ir.Program, base: int, near: int, questions: list[tuple[Interval, ir.Connected]], at: int
) -> GroupIndex | None:
    columns = [program.columns[n] for n in program.indexed if program.columns[n].base == base]
    relation: Relation = program.relations[near]
    size = questions[0][1].size
    if len(columns) != 1 or columns[0].size != size or not _symmetric(relation, size):
        return None
    match columns[0].type:
        case ir.Thing(kind=kind):
            things = Interval(1, len(program.kinds[kind].things) - 1)
        case _:
            return None
    values = join_all(found for found, _ in questions).meet(things)
    # A value can be added to a group cheaply. Taken away it may split the group, so games that do so search instead.
    if not 0 < values.count <= MOST_VALUES or any(v not in values for v in _constants(program, base)):
        return None
    low, high = values.ends
    bits: dict[tuple[int, bool], int] = {}
    count = 0
    for _, e in questions:
        goal = (e.goal, e.key == e.value)
        if goal not in bits:
            bits[goal] = count
            count += 1 if goal[1] else len(program.relations[e.goal])
    if count > MOST_BITS:
        return None
    own = tuple(
        tuple(_own(program, bits, cell, value) for cell in range(size + 1)) for value in range(high + 1)
    )
    return GroupIndex(base, size, near, at, low, high, bits, own, relation)


def _symmetric(near: Relation, size: int) -> bool:
    if len(near) != size + 1:
        return False
    pairs = {(cell, other) for cell, others in enumerate(near) for other in others}
    return all((other, cell) in pairs and 0 < other <= size for cell, other in pairs)


def _constants(program: ir.Program, base: int) -> Iterator[int]:
    """The constants a column is set to."""
    size = next(c.size for c in program.columns if c.base == base)
    for function in program.functions.values():
        for s in statements(function.body):
            if isinstance(s, ir.Store) and isinstance(s.value, ir.Const) and _inside(s, base, size):
                yield s.value.value


def _inside(s: ir.Store, base: int, size: int) -> bool:
    return 0 < s.base - base <= size if s.index is None else s.base == base


def _own(program: ir.Program, bits: dict[tuple[int, bool], int], cell: int, value: int) -> int:
    mask = 0
    for (goal, same), bit in bits.items():
        rows = program.relations[goal]
        if same:
            mask |= (value < len(rows) and cell in rows[value]) << bit
        else:
            for key, cells in enumerate(rows):
                mask |= (cell in cells) << bit + key
    return mask


def groups_name(groups: GroupIndex) -> str:
    """The Python name of what a cell has of its own; that of the function that refreshes follows from it."""
    return f"G{groups.at}"


def groups_of(group_indexes: Sequence[GroupIndex], e: Expression) -> GroupIndex | None:
    """The connectivity index that answers a question."""
    return next((n for n in group_indexes if (n.base, n.near) == (e.base, e.near)), None)
