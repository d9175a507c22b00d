"""`Visibility` answers who may see what: it evaluates the `sees` conditions of the ruleset for one row."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING

from ruleforge.backends.api import Row
from ruleforge.compiler.ir import SITE, WHO, FormulaInfo, PlaceInfo
from ruleforge.engine.paths import AttributePath, kinds_of

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant


class Asker(Enum):
    """A viewer that is no seat."""

    HOST = "host"  # who runs the game, and may know everything


PUBLIC = 0  # a viewer who may know what every player may know
EVERYTHING = -1  # a viewer from whom nothing is hidden


class Visibility:
    """Answers for one row; rows do not change, so neither do the answers.

    A viewer is the number of a player, PUBLIC or EVERYTHING.
    """

    __slots__ = ("_cache", "_row", "_things", "_variant")

    def __init__(self, variant: Variant, row: Row) -> None:
        self._variant = variant
        self._row = variant.scratch(row)
        self._things: dict[tuple[int, int, int], bool] = {}
        self._cache: dict[tuple[str | int, ...], bool] = {}

    def attribute(self, viewer: int, column: int, indices: tuple[int, ...]) -> bool:
        """May the player see this value of a column?"""
        sees = self._variant.program.columns[column].sees
        return sees is None or self._condition(sees, viewer, indices)

    def formula(self, viewer: int, info: FormulaInfo, indices: tuple[int, ...]) -> bool:
        """Is this value of a formula part of what the player sees?"""
        return info.sees is not None and self._condition(info.sees, viewer, indices)

    def thing(self, viewer: int, kind: int, thing: int) -> bool:
        """Whether the player may see which thing it is, at its present place. Things without a place hide nothing."""
        holders = self._variant.holders(kind)
        if not holders:
            return True
        key = (viewer, kind, thing)
        known = self._things.get(key)
        if known is None:
            known = self._things[key] = self._thing(viewer, kind, thing)
        return known

    def _thing(self, viewer: int, kind: int, thing: int) -> bool:
        for place, info in self._variant.holders(kind):
            instance = self._row[info.where + thing]
            if info.first < instance <= info.first + info.count:
                return self.in_place(viewer, info, self._variant.place_indices(place, instance), thing)
        return True

    def in_place(self, viewer: int, info: PlaceInfo, indices: tuple[int, ...], thing: int) -> bool:
        """May the player see this thing in this container?"""
        if viewer <= 0:
            return all(self.in_place(player, info, indices, thing) for player in self._whose(viewer))
        if info.known is not None and self._row[info.known + thing] >> (viewer - 1) & 1:
            return True  # it was shown to them
        return info.sees is None or self._condition(info.sees, viewer, (thing, *indices))

    def owner(self, viewer: int, path: AttributePath) -> bool:
        """Whether the player may know the things of an attribute: sees them, or sees that they make no
        difference.

        The attributes of a hidden thing can be seen, but without its name.
        """
        return self._named(viewer, path) == path.indices or self._alike(viewer, path.column)

    def _named(self, viewer: int, path: AttributePath) -> tuple[int, ...]:
        """The things of an attribute, 0 for those that the player does not see."""
        things = zip(kinds_of(path), path.indices, strict=True)
        return tuple(thing if self.thing(viewer, kind, thing) else 0 for kind, thing in things)

    def _alike(self, viewer: int, column: int) -> bool:
        """Whether all things that the player does not see have the same values of an attribute."""
        key = ("alike", viewer, column)
        if key not in self._cache:
            row, found = self._row, dict[tuple[int, ...], set[tuple[int, ...]]]()
            for path in self._variant.paths.attributes:
                if path.column == column:
                    value = tuple(row[path.slot : path.slot + path.info.words])
                    found.setdefault(self._named(viewer, path), set()).add(value)
            self._cache[key] = all(len(values) == 1 for values in found.values())
        return self._cache[key]

    def decides(self, viewer: int) -> bool:
        """Is the waiting decision the viewer's own?"""
        return viewer == EVERYTHING or 0 < viewer == self._row[WHO]

    def answer(self, viewer: int, code: int | None = None) -> bool:
        """May the player be told what is chosen in the waiting decision, or that it is this?"""
        sees = self._variant.program.sites[self._row[SITE]].sees
        if code is not None:
            sees = self._own(code) or sees
        return self.action(viewer, sees, self._row[WHO]) and self._running_action(viewer)

    def _running_action(self, viewer: int) -> bool:
        """May the player be told what the action asks that is under way?"""
        program = self._variant.program
        number = self._row[program.secret_action] if program.secret_action else 0
        return not number or self.action(
            viewer, program.secret_audiences[number - 1], self._row[program.secret_action + 1]
        )

    def action(self, viewer: int, sees: str | None, who: int) -> bool:
        """Whether the player may be told of a player's action, where `sees` decides. Chance has no secrets."""
        if sees is None or not who or viewer == who:
            return True
        if viewer <= 0:
            return all(self.action(player, sees, who) for player in self._whose(viewer))
        return self._condition(sees, viewer, (who,))

    def _own(self, code: int) -> str | None:
        """The `sees` condition of the action that an answer begins."""
        program = self._variant.program
        action = program.sites[self._row[SITE]].option(code).action
        return None if action is None else program.actions[action].sees

    def exist(self, kinds: Sequence[int], things: Sequence[int]) -> bool:
        """Whether all these things exist: a thing of a pool may be out of the game."""
        pools = self._variant.pools
        for kind, thing in zip(kinds, things, strict=True) if pools else ():
            if kind in pools and not self._row[pools[kind] + thing]:
                return False
        return True

    def _condition(self, function: str, viewer: int, rest: tuple[int, ...]) -> bool:
        """The result of a `sees` function, cached by the parameters that it reads."""
        if viewer <= 0:
            return all(self._condition(function, player, rest) for player in self._whose(viewer))
        given = (viewer, *rest)
        key: tuple[str | int, ...] = (
            function,
            *[given[place] for place in self._variant.visibility.parameters_read(function)],
        )
        known = self._cache.get(key)
        if known is None:
            number = self._variant.ask(function, self._row, given, f"`{function}` cannot be told")
            known = self._cache[key] = bool(number)
        return known

    @property
    def row(self) -> Row:
        """The row that is looked at, for further questions on the same count of work."""
        return self._row

    def _whose(self, viewer: int) -> Sequence[int]:
        """The players who must all see something for the public to see it; empty for a viewer who sees everything."""
        return range(1, len(self._variant.player_names) + 1) if viewer == PUBLIC else ()
