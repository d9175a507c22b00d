"""`RowNames` names everything in the rows of one program: players, paths, containers, and the values in records."""

from __future__ import annotations

from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

from ruleforge.compiler.ir import (
    Changed,
    Container,
    Flag,
    Left,
    NoteInfo,
    Number,
    PlaceInfo,
    Program,
    SetOf,
    Thing,
    ValueType,
)
from ruleforge.engine import paths
from ruleforge.engine.errors import PathError
from ruleforge.engine.event import EventValue
from ruleforge.engine.paths import AttributePath, FormulaPath, Paths, kinds_of

if TYPE_CHECKING:
    pass


class RowNames:
    """Translates numbers of a program into readable names, and back. It knows no position and runs nothing."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.player_names = program.kinds[0].things[1:]

    # --- players ---

    def player_number(self, name: str) -> int:
        if name not in self.player_names:
            raise PathError(
                "RF830", f"there is no player `{name}`; the players are {', '.join(self.player_names)}"
            )
        return self.player_names.index(name) + 1

    # --- paths ---

    @cached_property
    def paths(self) -> Paths:
        return Paths(self.program)

    @cached_property
    def shown(self) -> tuple[tuple[AttributePath | FormulaPath, tuple[tuple[int, int], ...]], ...]:
        """The paths that a viewer may be shown, each with the things it names that may be hidden or absent,
        as (kind, number).
        """
        known: tuple[AttributePath | FormulaPath, ...] = (*self.paths.attributes, *self.paths.shown)
        return tuple((path, tuple(self._passing(path))) for path in known)

    def _passing(self, path: AttributePath | FormulaPath) -> list[tuple[int, int]]:
        """The things of a path that may be hidden by where they lie, or come and go."""
        things = zip(kinds_of(path), path.indices, strict=True)
        return [(kind, thing) for kind, thing in things if kind in self.pools or self.holders(kind)]

    @cached_property
    def changes(self) -> dict[int, NoteInfo]:
        """Map the columns whose changes are recorded to their note."""
        return {info.means.column: info for info in self.program.notes if isinstance(info.means, Changed)}

    # --- things and places ---

    @cached_property
    def pools(self) -> dict[int, int]:
        """Map the kinds with a pool to the slot before their existence flags."""
        kinds = enumerate(self.program.kinds)
        return {number: kind.exists for number, kind in kinds if kind.exists is not None}

    def container_name(self, instance: int) -> str | None:
        """The path of a container by its number; None for nowhere."""
        return self.container_names.get(instance)

    @cached_property
    def container_names(self) -> dict[int, str]:
        """Map the numbers of containers to their paths."""
        return {path.instance: path.path for path in self.paths.places}

    def holders(self, kind: int) -> tuple[tuple[int, PlaceInfo], ...]:
        """The places (by number) where things of a kind can lie."""
        return self._holders[kind]

    def place_indices(self, place: int, instance: int) -> tuple[int, ...]:
        """The things a container belongs to."""
        return self._place_indices[place][instance - self.program.places[place].first - 1]

    @cached_property
    def _holders(self) -> tuple[tuple[tuple[int, PlaceInfo], ...], ...]:
        places = tuple(enumerate(self.program.places))
        return tuple(
            tuple((n, info) for n, info in places if info.holds == kind)
            for kind in range(len(self.program.kinds))
        )

    @cached_property
    def _place_indices(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        kinds = self.program.kinds
        return tuple(
            tuple(product(*(range(1, len(kinds[kind].things)) for kind in info.of)))
            for info in self.program.places
        )


# The words of a value in a record as a readable value.


def value_of(names: RowNames, type: ValueType | Container, words: tuple[int, ...]) -> EventValue:
    word = words[0]
    match type:
        case Container():
            return names.container_name(word)
        case Flag():
            return bool(word)
        case Thing(kind=kind):
            return names.program.kinds[kind].things[word] if word else None
        case SetOf(kind=kind):
            return tuple(paths.set_value(names.program, kind, words))
        case Left():
            return tuple(map(paths.value_text, paths.values_left(names.program, type, word)))
        case Number():
            return word
