"""`Clues` records what players were told of hidden things, and so which thing may lie where in a sampled world."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ruleforge.backends.api import Row
from ruleforge.compiler.ir import ColumnInfo, Left, Program
from ruleforge.engine.paths import values_left
from ruleforge.engine.presentation.observation import Value
from ruleforge.engine.visibility.conditions import PUBLIC

Fits = Callable[[int, int], bool]  # a thing, and the one in whose place it would lie


class Clues:
    """The facts that a viewer was told of the things of a kind; the public knows what every player was told."""

    def __init__(self, program: Program, row: Row, viewer: int, kind: int) -> None:
        self._columns = [c for c in program.columns if c.parts and c.kind == kind]
        self._row, self._viewer = row, viewer

    def left(self, thing: int) -> tuple[int, ...]:
        """The possible values of each part with clues."""
        return tuple(_left(self._row, column, thing, self._viewer) for column in self._columns)

    def fits(self, thing: int, place: int) -> bool:
        """Whether a thing agrees with the clues about the thing in a place."""
        return all(
            left >> column.parts[thing - 1] - _low(column) & 1
            for column, left in zip(self._columns, self.left(place), strict=True)
        )

    def disclosed(self, program: Program, thing: int) -> Iterator[tuple[str, Value]]:
        """The clues about a thing, in words."""
        for column, left in zip(self._columns, self.left(thing), strict=True):
            if isinstance(column.type, Left) and left != column.type.all:
                yield column.name, values_left(program, column.type, left)

    def __bool__(self) -> bool:
        return bool(self._columns)


def levelled(program: Program, row: Row, viewer: int) -> list[int]:
    """A copy in which every player was told the viewer's clues, so that the clues of others do not show."""
    other = list(row)
    for column in program.columns:
        for thing in range(1, len(column.parts) + 1):
            slots = _slots(column, thing)
            other[slots] = [_left(row, column, thing, viewer)] * (slots.stop - slots.start)
    return other


def arranged(places: Sequence[int], drawn: Sequence[int], fits: Fits) -> list[int]:
    """The things that were drawn, one for each place; where one does not fit, those that do change with each other.

    Places for which few things fit choose first; there is a way, since the things lie there now.
    """
    fitting = [[thing for thing in _from(drawn, n) if fits(thing, place)] for n, place in enumerate(places)]
    taken: dict[int, int] = {}  # thing -> the number of its place
    for n in sorted(range(len(places)), key=lambda n: len(fitting[n])):
        _seat(n, fitting, taken, set())
    found = {n: thing for thing, n in taken.items()}
    return [found[n] for n in range(len(places))]


def _from(drawn: Sequence[int], start: int) -> list[int]:
    return [*drawn[start:], *drawn[:start]]


def _seat(n: int, fitting: list[list[int]], taken: dict[int, int], visited: set[int]) -> bool:
    """Find a thing for a place; others move on if they can."""
    free = next((thing for thing in fitting[n] if thing not in taken), None)
    if free is not None:
        taken[free] = n
        return True
    for thing in fitting[n]:
        if thing not in visited:
            visited.add(thing)
            if _seat(taken[thing], fitting, taken, visited):
                taken[thing] = n
                return True
    return False


def _left(row: Row, column: ColumnInfo, thing: int, viewer: int) -> int:
    words: Sequence[int] = row[_slots(column, thing)]
    if viewer != PUBLIC:
        return words[viewer - 1]
    found = 0
    for word in words:
        found |= word
    return found


def _slots(column: ColumnInfo, thing: int) -> slice:
    players = column.size // len(column.parts)
    first = column.base + 1 + (thing - 1) * players
    return slice(first, first + players)


def _low(column: ColumnInfo) -> int:
    assert isinstance(column.type, Left)
    return column.type.low
