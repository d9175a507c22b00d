"""`Deal` moves hidden things of a kind to other hidden spots, in ways that a seat cannot distinguish."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from ruleforge.engine import paths
from ruleforge.engine.paths import PlacePath
from ruleforge.engine.visibility.clues import Clues, arranged
from ruleforge.engine.visibility.conditions import Visibility

if TYPE_CHECKING:
    from ruleforge.engine.base_state import BaseState


class Deal:
    """The things of a kind that a viewer cannot see, and the spots where they lie.

    A thing takes over all attributes of the thing whose spot it takes; if they are `alike`, open attributes
    are the same. Facts that the viewer was told of a spot hold for the thing that moves there.
    """

    def __init__(self, state: BaseState, viewer: int, kind: int, alike: bool = True) -> None:
        self._state, self._viewer, self._kind, self._alike = state, viewer, kind, alike
        variant, row = state._variant, state._row
        self._visible = Visibility(variant, row)
        self._clues = Clues(variant.program, row, viewer, kind)
        self._spots = [
            (path, thing)
            for path in variant.paths.places
            if path.info.holds == kind and path.info.sees is not None
            for thing in self._content(path)
            if not self._visible.in_place(viewer, path.info, path.indices, thing)
        ]

        self._grouped: dict[bool, list[list[int]]] = {}

    def _content(self, path: PlacePath) -> list[int]:
        """The contents of a container; without an order of its own, sorted by clues to reveal no more than them."""
        things = paths.content(self._state._variant.program, self._state._row, path)
        return sorted(things, key=self._clues.left) if self._clues and path.info.form == "bag" else things

    @property
    def varies(self) -> bool:
        """Whether there is more than one way to place the things."""
        return any(len(things) > 1 for things in self._groups(apart=False))

    def drawn(self, row: list[int], rng: random.Random, apart: bool = False) -> list[int]:
        """A copy of the row in which they change places at random; each within its place if `apart`."""
        return self._arranged(row, lambda things: rng.sample(things, len(things)), apart)

    def in_order(self, row: list[int]) -> list[int]:
        """A copy of the row in which they lie in the order of their kind."""
        return self._arranged(row, lambda things: things, apart=False)

    def _arranged(self, given: list[int], order: Callable[[list[int]], list[int]], apart: bool) -> list[int]:
        row = list(given)
        swap: dict[int, int] = {}
        for things in self._groups(apart):
            # sorted: how they lie now must not show in the deal
            drawn = order(sorted(things))
            swap.update(
                zip(things, arranged(things, drawn, self._clues.fits) if self._clues else drawn, strict=True)
            )
        program, now = self._state._variant.program, self._state._row
        holding = {path.instance: (path, paths.content(program, now, path)) for path, _ in self._spots}
        for _, content in holding.values():
            for thing in content:
                paths.lift(program, row, self._kind, thing)
        for path, content in holding.values():
            for thing in content:
                paths.lay(row, path.info, path.instance, swap.get(thing, thing))
        self._hand_over(given, row, swap)
        return row

    def _hand_over(self, given: list[int], row: list[int], swap: dict[int, int]) -> None:
        """Every thing gets the attributes of the one whose place it takes."""
        known = self._state._variant.paths
        for old, new in swap.items():
            for of, to in zip(known.of_thing(self._kind, old), known.of_thing(self._kind, new), strict=True):
                row[to.slot : to.slot + to.info.words] = given[of.slot : of.slot + of.info.words]

    def _groups(self, apart: bool) -> list[list[int]]:
        """Things that may change places, spot by spot."""
        if apart not in self._grouped:
            self._grouped[apart] = self._grouped_now(apart)
        return self._grouped[apart]

    def _grouped_now(self, apart: bool) -> list[list[int]]:
        groups: dict[tuple[object, ...], list[int]] = {}
        for path, thing in self._spots:
            looks = self._looks(thing) if self._alike else ()
            groups.setdefault((looks, path.instance if apart else 0), []).append(thing)
        return list(groups.values())

    def _looks(self, thing: int) -> tuple[object, ...]:
        """The visible values of a hidden thing: its open attributes."""
        variant, row = self._state._variant, self._state._row
        return tuple(
            tuple(row[path.slot : path.slot + path.info.words])
            if self._visible.attribute(self._viewer, path.column, path.indices)
            and path.info.base not in variant.visibility.shown_columns
            and not path.info.parts
            else None
            for path in variant.paths.of_thing(self._kind, thing)
        )
