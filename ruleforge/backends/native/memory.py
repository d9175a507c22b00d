"""Lay out linear memory for a program: mailbox, rows, lists, stack, search tree, constant data."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import field
from typing import Any

from ruleforge.backends.native import mailbox
from ruleforge.backends.native.connectivity import Tail, tails
from ruleforge.backends.native.offer_scans import masks
from ruleforge.compiler import ir
from ruleforge.compiler.observation_program import OBSERVATION, observation_size
from ruleforge.support.records import dataclass

PAGE = 65536
MOST_CHOICES = 1 << 20  # at one decision; a longer list is a fault of its own
MOST_CELLS = 1 << 18  # of a table that answers membership; above, rows are searched
STACK_BYTES = 8 << 20
RECORD_BYTES = 1 << 20
SLOTS = 1 << 12  # by which records are found, a power of two
LOG_BYTES = 4 << 20
PATH_BYTES = 12 << 12  # three words for each node that is passed
POOL_BYTES = 96 << 20
WAYS, WAY_BYTES = 64, 512  # five for each of so many connections, a power of two
WORD = 64  # slots for which the bits of one word are enough
SLACK = 64  # words behind the end are read, sixteen at a time; rejected offers are written there

Forms = tuple[tuple[str, int, str, int, int], ...]
_FORMS: Forms = (
    ("i32.load8_u", 0, "B", 0, 0xFF),
    ("i32.load8_s", 0, "b", -0x80, 0x7F),
    ("i32.load16_u", 1, "H", 0, 0xFFFF),
    ("i32.load16_s", 1, "h", -0x8000, 0x7FFF),
    ("i32.load", 2, "i", -0x80000000, 0x7FFFFFFF),
)


@dataclass(frozen=True, slots=True)
class Vector:
    """Constant numbers, all as wide as the widest.

    Holds the load instruction and the logarithm of the width.
    """

    address: int
    load: str
    shift: int


@dataclass(frozen=True, slots=True)
class Relation:
    """Rows grouped by key. The word at `offsets` + 4 * key holds the start of a row, the next word its end."""

    offsets: int
    items: Vector
    arity: int

    @property
    def stride(self) -> int:
        return self.arity << self.items.shift


@dataclass(frozen=True, slots=True)
class Bits:
    """A word of 64 bits for each key, one bit for each number of its row, and a byte that marks falling
    rows.
    """

    address: int
    falls: int
    rises: bool  # all rows do


@dataclass(frozen=True, slots=True)
class Membership:
    """A byte for each key and value: `address + key * span + value - low` is 1 for members."""

    address: int
    low: int
    span: int


@dataclass(frozen=True, slots=True)
class Ways:
    """Neighbours for each goal.

    The word at `address` + `stride` * goal + 4 * cell holds the start of those of a cell.
    """

    address: int
    stride: int


@dataclass(slots=True)
class Memory:
    """The memory regions of one program. Constant data are appended when they are first needed."""

    program: ir.Program
    row: int = 0
    play: int = 0
    start: int = 0
    offers: int = 0
    records: int = 0
    slots: int = 0
    counts: int = 0
    stack: int = 0
    log: int = 0
    path: int = 0
    ways: int = 0
    marks: int = 0
    rewards: int = 0
    pool: int = 0
    end: int = 0
    group_indexes: tuple[Tail, ...] = ()
    data: list[tuple[int, bytes]] = field(default_factory=list)
    _group_indexes: dict[int, int] = field(default_factory=dict)
    _tables: dict[int, Vector] = field(default_factory=dict)
    _wide_tables: dict[int, int] = field(default_factory=dict)
    _relations: dict[int, Relation] = field(default_factory=dict)
    _wide: dict[int, Relation] = field(default_factory=dict)
    _ways: dict[tuple[int, int], Ways] = field(default_factory=dict)
    _masks: dict[int, int] = field(default_factory=dict)
    _bits: dict[int, Bits | None] = field(default_factory=dict)
    _members: dict[int, Membership | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.group_indexes = tails(self.program, _aligned(4 * self.program.row_size + SLACK))
        at = mailbox.END
        regions = (
            ("row", self.row_bytes),
            ("play", self.row_bytes),
            ("start", self.row_bytes),
            ("offers", 4 * self.most_choices + SLACK),
            ("records", RECORD_BYTES),
            ("slots", 4 * SLOTS),
            ("counts", 4 * len(self.program.measures)),
            ("stack", STACK_BYTES),
            ("log", LOG_BYTES),
            ("path", PATH_BYTES),
            ("ways", 5 * WAYS * WAY_BYTES),
            ("marks", self.marks_bytes),
            ("rewards", 8 * len(self.program.kinds[0].things)),
            ("pool", POOL_BYTES),
        )
        for name, size in regions:
            setattr(self, name, at)
            at = _aligned(at + size)
        self.end = at

    @property
    def row_bytes(self) -> int:
        """The size of a row with the data behind it."""
        return _aligned(4 * self.program.row_size + SLACK) + sum(tail.size for tail in self.group_indexes)

    @property
    def marks_bytes(self) -> int:
        """The size of the marks of a search: a word for each reachable cell."""
        return 4 * self.program.row_size + SLACK

    @property
    def most_choices(self) -> int:
        """The greatest length of a list, of distinct choices or of observed words."""
        codes = (max((o.first + o.count for o in s.options), default=1) for s in self.program.sites)
        observed = observation_size(self.program) if OBSERVATION in self.program.plain else 1
        return min(max(*codes, observed), MOST_CHOICES)

    @property
    def pages(self) -> int:
        return -(-self.end // PAGE)

    def table(self, number: int) -> Vector:
        if number not in self._tables:
            self._tables[number] = self._vector(self.program.tables[number])
        return self._tables[number]

    def wide_table(self, number: int) -> int:
        """The same as plain words, with room behind it for those that look at several at a time."""
        if number not in self._wide_tables:
            self._wide_tables[number] = self._put("i", [*self.program.tables[number], *[0] * (SLACK // 4)])
        return self._wide_tables[number]

    def relation(self, number: int) -> Relation:
        if number not in self._relations:
            self._relations[number] = self._lay_relation(self.program.relations[number])
        return self._relations[number]

    def wide_relation(self, number: int) -> Relation:
        """The same with plain words, as functions of the library read it."""
        if number not in self._wide:
            self._wide[number] = self._lay_relation(self.program.relations[number], _FORMS[-1:])
        return self._wide[number]

    def ways_to(self, near: int, goal: int) -> Ways:
        """The neighbours of every cell, those nearest to a goal last, for a search that starts with the last
        ones.
        """
        if (near, goal) not in self._ways:
            self._ways[near, goal] = self._lay_ways(
                self.program.relations[near], self.program.relations[goal]
            )
        return self._ways[near, goal]

    def groups(self, tail: Tail) -> int:
        """The address of the description of a connectivity index."""
        if tail.at not in self._group_indexes:
            near, own = self.wide_relation(tail.groups.near), self._put("i", tail.own_marks())
            self._group_indexes[tail.at] = self._put("i", tail.described(near.offsets, own))
        return self._group_indexes[tail.at]

    def bits(self, number: int) -> Bits | None:
        """The rows of a relation as bits; None if they cannot be said so."""
        if number not in self._bits:
            self._bits[number] = self._lay_bits(self.program.relations[number])
        return self._bits[number]

    def masks(self, step: int) -> int:
        """The address of the codes of masks, see `layers/walks.py`."""
        if step not in self._masks:
            self._masks[step] = self._put("i", [*masks(step)])
        return self._masks[step]

    def membership(self, number: int) -> Membership | None:
        """The table that answers `Member`; None if it would be too large."""
        if number not in self._members:
            self._members[number] = self._lay_membership(self.program.relations[number])
        return self._members[number]

    def _lay_relation(self, groups: Sequence[Sequence[Any]], forms: Forms = _FORMS) -> Relation:
        rows = [row if isinstance(row, tuple) else (row,) for group in groups for row in group]
        arity = len(rows[0]) if rows else 1
        items = self._vector([number for row in rows for number in row], forms)
        stride = arity << items.shift
        offsets = [items.address]
        for group in groups:
            offsets.append(offsets[-1] + stride * len(group))
        return Relation(self._put("i", offsets), items, arity)

    def _lay_ways(self, near: Sequence[Sequence[Any]], goals: Sequence[Sequence[Any]]) -> Ways:
        if len(near) * len(goals) > MOST_CELLS:  # then without an order
            return Ways(self._lay_relation(near, _FORMS[-1:]).offsets, 0)
        groups: list[Sequence[int]] = []
        for goal in goals:
            far = _distances(near, goal)
            groups += [sorted(cells, key=lambda c: -far.get(c, 0)) for cells in near]
        return Ways(self._lay_relation(groups, _FORMS[-1:]).offsets, 4 * len(near))

    def _lay_bits(self, groups: Sequence[Sequence[Any]]) -> Bits | None:
        falls: list[int] = []
        for row in groups:
            rises = [*row] == sorted(set(row))
            if not all(isinstance(number, int) and 0 < number <= WORD for number in row):
                return None
            if not rises and [*row] != sorted(set(row), reverse=True):
                return None
            falls.append(int(not rises))
        words = [sum(1 << (number - 1) for number in row) for row in groups]
        return Bits(self._put("Q", words), self._put("B", falls), not any(falls))

    def _lay_membership(self, groups: Sequence[Sequence[Any]]) -> Membership | None:
        values = [value for group in groups for value in group]
        low, high = min(values, default=0), max(values, default=0)
        span = high - low + 1
        if span * len(groups) > MOST_CELLS:
            return None
        cells = bytearray(span * len(groups))
        for key, group in enumerate(groups):
            for value in group:
                cells[key * span + value - low] = 1
        return Membership(self._put("B", cells), low, span)

    def _vector(self, numbers: Sequence[int], forms: Forms = _FORMS) -> Vector:
        low, high = min(numbers, default=0), max(numbers, default=0)
        load, shift, form = next(f[:3] for f in forms if f[3] <= low and high <= f[4])
        return Vector(self._put(form, numbers), load, shift)

    def _put(self, form: str, numbers: Sequence[int]) -> int:
        at = self.end
        packed = struct.pack(f"<{len(numbers)}{form}", *numbers)
        if packed:
            self.data.append((at, packed))
        self.end = _aligned(at + len(packed))
        return at


def _distances(near: Sequence[Sequence[int]], goal: Sequence[int]) -> dict[int, int]:
    """The distance of each cell from a goal on an empty board."""
    far = dict.fromkeys(goal, 0)
    reached = list(far)
    for cell in reached:  # which grows meanwhile
        for other in near[cell]:
            if other not in far:
                far[other] = far[cell] + 1
                reached.append(other)
    return far


def _aligned(address: int) -> int:
    return -(-address // 16) * 16
