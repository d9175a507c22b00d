"""The connectivity index behind a row in memory: 1 if it is valid, then a mask for each cell.

Rows from outside have no index. It is built before many games are played from a row, and is copied with it.
It is updated while cells are only occupied. After a cell is freed, or in a trial, the module searches for
ways again.
"""

from __future__ import annotations

from ruleforge.analysis.ranges import Ranges
from ruleforge.backends.connectivity_index import GroupIndex, find_group_indexes
from ruleforge.compiler import ir
from ruleforge.compiler.visit import found_in, statements
from ruleforge.support.records import dataclass

MOST_BITS = 31  # of a mask
_CONNECTED = frozenset((ir.Connected,))


@dataclass(frozen=True, slots=True)
class Tail:
    """A connectivity index, and the offset of its words in bytes from the beginning of a row."""

    groups: GroupIndex
    at: int

    @property
    def size(self) -> int:
        return -(-4 * (self.groups.size + 2) // 16) * 16

    def mark(self, cell: int = 0) -> int:
        """The offset of the mask of a cell."""
        return self.at + 4 + 4 * cell

    def described(self, near: int, own: int) -> tuple[int, ...]:
        """The description for the library: offsets of words and cells, neighbours, own marks, number of
        cells, values.
        """
        groups = self.groups
        return self.at, 4 * groups.base, near, own, groups.size, groups.low, groups.high

    def own_marks(self) -> list[int]:
        """The bits of the goals that contain each cell, for each value."""
        return [mask for cells in self.groups.own for mask in cells]


def tails(program: ir.Program, at: int) -> tuple[Tail, ...]:
    """All connectivity indexes of a program, consecutive from this byte of a row."""
    functions = program.functions.values()
    if not any(found_in(s, _CONNECTED) for f in functions for s in statements(f.body)):
        return ()
    found: list[Tail] = []
    for groups in find_group_indexes(program, Ranges(program), 0):
        if all(mask < 1 << MOST_BITS for cells in groups.own for mask in cells):
            found.append(Tail(groups, at))
            at += found[-1].size
    return tuple(found)
