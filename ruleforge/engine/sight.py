"""Who may see what: the `sees` conditions of the ruleset, asked about one row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.backends.api import Row
from ruleforge.compiler.ir import PlaceInfo

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant


class Sight:
    """Answers for one row; rows do not change, so neither do the answers."""

    __slots__ = ("_row", "_variant")

    def __init__(self, variant: Variant, row: Row) -> None:
        self._variant = variant
        self._row = row

    def attribute(self, viewer: int, column: int, indices: tuple[int, ...]) -> bool:
        """May the player see this value of a column?"""
        sees = self._variant.program.columns[column].sees
        return sees is None or self._ask(sees, viewer, indices)

    def thing(self, viewer: int, kind: int, thing: int) -> bool:
        """May the player see which thing it is, where it lies now? What lies nowhere hides nothing."""
        for place, info in self._variant.holders(kind):
            instance = self._row[info.where + thing]
            if info.first < instance <= info.first + info.count:
                return self.lying(viewer, info, self._variant.place_indices(place, instance), thing)
        return True

    def lying(self, viewer: int, info: PlaceInfo, indices: tuple[int, ...], thing: int) -> bool:
        """May the player see this thing in this container?"""
        if info.known is not None and self._row[info.known + thing] >> (viewer - 1) & 1:
            return True  # it was shown to them
        return info.sees is None or self._ask(info.sees, viewer, (thing, *indices))

    def _ask(self, function: str, viewer: int, rest: tuple[int, ...]) -> bool:
        return bool(self._variant.runtime.call(function, self._row, (viewer, *rest)))
