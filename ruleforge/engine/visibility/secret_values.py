"""`SecretValues` draws new values for the attributes that a seat does not see.

A value is secret if another seat sees it, or if chance set it and no seat sees it yet. Other values that no
seat sees are bookkeeping of the rules, and stay.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

from ruleforge.backends import api as backends
from ruleforge.compiler.ir import Flag, Number, SetOf, Thing
from ruleforge.engine.paths import AttributePath
from ruleforge.engine.visibility.conditions import Visibility

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant

ATTEMPTS = 64  # at a column whose values hang together
SWAPS = 3  # for each value, where only two at a time can change places
Row = list[int]
Test = Callable[[Row], bool]
Secrets = tuple[AttributePath, ...]


def hidden_attributes(variant: Variant, viewer: int, row: backends.Row) -> Secrets:
    """The attributes whose values are secrets to a seat."""
    visible, players = Visibility(variant, row), range(1, len(variant.player_names) + 1)
    return tuple(
        path
        for path in variant.paths.attributes
        if path.info.sees is not None
        and not path.info.parts  # what others were told goes with the things
        and not visible.attribute(viewer, path.column, path.indices)
        and (
            any(visible.attribute(player, path.column, path.indices) for player in players)
            or variant.visibility.locals.by_chance(path.column)
        )
    )


class SecretValues:
    """The secrets of one seat in one row; `sound` and `fits` are tests that a row must pass."""

    def __init__(self, variant: Variant, viewer: int, row: Row, sound: Test, fits: Test) -> None:
        self._variant, self._viewer, self._row = variant, viewer, row
        self._sound, self._fits = sound, fits
        self._settled: set[int] = set()  # columns with only their present values
        self._crowded: set[int] = set()  # columns whose values can only change their order
        self._known: set[int] = set()  # columns of whose values few may change places
        self._ordered: dict[int, list[list[int]]] = {}  # by column, the values there are in order

    def __bool__(self) -> bool:
        return bool(self._all)

    @cached_property
    def _all(self) -> Secrets:
        return self._in(self._row)

    def _in(self, row: Sequence[int]) -> Secrets:
        attached = self._variant.runtime.attach(list(row[: self._variant.program.row_size]))
        return hidden_attributes(self._variant, self._viewer, attached)

    # --- before anything is drawn ---

    def emptied(self, row: Row) -> Row:
        """The row with the secrets at their initial values: values that others set there must not show."""
        return self._without(row, [path for path in self._all if path.column not in self._bound])

    @cached_property
    def _bound(self) -> tuple[int, ...]:
        """Columns that cannot be empty: something must hold of their values together."""
        found, row = [], self._row
        for column, paths in groupby(self._all, lambda path: path.column):
            other = self._without(row, list(paths))
            if self._sound(other):
                row = other
            else:
                found.append(column)
        return tuple(found)

    def _without(self, row: Row, paths: Sequence[AttributePath]) -> Row:
        start, other = self._variant.program.start, list(row)
        for path in paths:
            other[_words(path)] = start[_words(path)]
        return other

    # --- other values ---

    def varied(self, row: Row, rng: random.Random) -> Row:
        """Other values for all of them, in a row in which hidden things may lie elsewhere."""
        if not self:
            return row
        row = self._freely(row, rng)
        for column in self._bound:
            row = self._together(row, [path for path in self._in(row) if path.column == column], rng)
        return row

    def _freely(self, row: Row, rng: random.Random) -> Row:
        """Each that keeps the invariants, and only if that shows, each that fits."""
        for fits in (self._sound, self._fits):
            other = self._one_by_one(row, fits, rng)
            if self._fits(other):
                return other
        return row

    def _one_by_one(self, row: Row, fits: Test, rng: random.Random) -> Row:
        """Draw one value after the other. A secret may depend on another one, so this repeats until none is new."""
        done = set[AttributePath]()
        while todo := [p for p in self._in(row) if p not in done and p.column not in self._bound]:
            for path in todo:
                value = self._with_another(row, path, rng)
                row = value if fits(value) else row
            done.update(todo)
        return row

    def _together(self, row: Row, paths: Sequence[AttributePath], rng: random.Random) -> Row:
        """Values of a column that hang together: any that fit, else those there are, among other things."""
        if not paths or paths[0].column in self._settled:
            return row
        column, start = paths[0].column, row
        for given_up, way in ((self._crowded, self._drawn), (self._known, self._mixed)):
            if column not in given_up:
                for _ in range(ATTEMPTS):
                    other = way(start, paths, rng)
                    if self._sound(other) and self._fits(other):
                        return other
                given_up.add(column)
            start = self._in_order(row, paths)
        other = self._swapped(start, paths, rng)
        if other != row and self._fits(other):
            return other
        self._settled.add(column)
        return row

    def _in_order(self, row: Row, paths: Sequence[AttributePath]) -> Row:
        """The values there are, in an order that says nothing of the one they have: what is larger comes later."""
        known = self._ordered.get(paths[0].column)
        if known is not None and len(known) == len(paths):
            other = list(row)
            for path, value in zip(paths, known, strict=True):
                other[_words(path)] = value
            if self._sound(other):
                return other
        row = self._sorted(row, paths)
        self._ordered[paths[0].column] = [row[_words(path)] for path in paths]
        return row

    def _sorted(self, row: Row, paths: Sequence[AttributePath]) -> Row:
        changed = True
        while changed:
            changed = False
            for number, one in enumerate(paths):
                for two in paths[number + 1 :]:
                    if row[_words(one)] > row[_words(two)]:
                        other = _with_swapped(row, one, two)
                        if self._sound(other):
                            row, changed = other, True
        return row

    def _drawn(self, row: Row, paths: Sequence[AttributePath], rng: random.Random) -> Row:
        for path in paths:
            row = self._with_another(row, path, rng)
        return row

    def _mixed(self, row: Row, paths: Sequence[AttributePath], rng: random.Random) -> Row:
        """The values there are, in any order."""
        other = list(row)
        for path, to in zip(paths, rng.sample(paths, len(paths)), strict=True):
            other[_words(to)] = row[_words(path)]
        return other

    def _swapped(self, row: Row, paths: Sequence[AttributePath], rng: random.Random) -> Row:
        """Two change places at a time, as often as that holds: much is known of the others, perhaps."""
        for _ in range(SWAPS * len(paths)):
            other = _with_swapped(row, rng.choice(paths), rng.choice(paths))
            if other != row and self._sound(other):
                row = other
        return row

    def _with_another(self, row: Row, path: AttributePath, rng: random.Random) -> Row:
        other = list(row)
        match path.info.type:
            case Number(low=low, high=high):
                other[path.slot] = rng.randint(low, high)
            case Flag():
                other[path.slot] = rng.randrange(2)
            case Thing(kind=kind):
                lowest = min(
                    1, self._variant.program.start[path.slot]
                )  # what begins as a thing is never none
                other[path.slot] = rng.randrange(lowest, len(self._variant.program.kinds[kind].things))
            case SetOf():
                pass  # sets stay empty: few of all sets mean anything to the rules
        return other


def _with_swapped(row: Row, one: AttributePath, two: AttributePath) -> Row:
    other = list(row)
    other[_words(one)], other[_words(two)] = row[_words(two)], row[_words(one)]
    return other


def _words(path: AttributePath) -> slice:
    return slice(path.slot, path.slot + path.info.words)
