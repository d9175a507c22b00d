"""The heads of formulas, events, windows and endings, and positions with their parts."""

from __future__ import annotations

import re

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.ask_key import IF_ANYTHING, asking
from ruleforge.lang.checker.declare.base import Declaring
from ruleforge.lang.checker.symbols import Head
from ruleforge.lang.checker.types import NumberT, SetT
from ruleforge.lang.model import ruleset as m
from ruleforge.lang.source.scalar_origin import SourceText

_COLUMN = re.compile(r"(\w+)\.(\w+)")
_HELP = "positions are compared by values that every player sees; leave this out"


class Signatures(Declaring):
    def declare(self) -> None:
        self._endings()
        for formula in self.whole(self.ruleset.formulas):
            self.fresh(formula.id, formula.span)
            head = Head(formula.id, self.parameters(formula.takes), formula.span)
            self.symbols.formula_heads[formula.id] = head
        for event in self.whole(self.ruleset.events):
            self.fresh(event.id, event.span)
            if self.symbols.formula_heads.pop(event.id, None):  # which of the two is called cannot be told
                self.symbols.lost(event.id)
                continue
            head = Head(event.id, self.parameters(event.takes), event.span)
            self.symbols.event_heads[event.id] = head
        self._windows()

    def _windows(self) -> None:
        for window in self.whole(self.ruleset.windows):
            offer = asking(window, self.symbols)
            self.symbols.windows[window.id] = t.Window(
                window.id,
                self.parameters(window.takes),
                window.window,
                window.span,
                window.openly or offer == IF_ANYTHING,
                window.title or window.text or window.id,
                window.cites,
                window.open,
                offer,
            )

    def _endings(self) -> None:
        for ending in self.ruleset.endings:
            self.symbols.endings[ending.id] = t.Ending(
                ending.id, ending.text or "", ending.span, ending.cites, ending.lost
            )


# Positions: their attributes and places, which every player sees.


class Positions(Declaring):
    def declare(self) -> None:
        for position in self.whole(self.ruleset.positions):
            self.fresh(position.id, position.span)
            self.symbols.positions[position.id] = self._position(position)

    def _position(self, source: m.Position) -> t.Position:
        columns: list[t.Column] = []
        places: list[t.Place] = []
        for text in source.of:
            part = self._part(text)
            if isinstance(part, t.Column):
                columns.append(part)
            elif isinstance(part, t.Place):
                places.append(part)
        active = any(text.text.strip() == "active" for text in source.of)
        words = sum(_words(column) for column in columns) + sum(place.holds.size for place in places)
        self.symbols.room.room_for_table(words * 256, f"`{source.id}`", source.span)
        self.symbols.room.room_for_remembered(source.keeps, f"`{source.id}`", source.span)
        return t.Position(source.id, source.span, tuple(columns), tuple(places), active, source.keeps)

    def _part(self, text: SourceText) -> t.Column | t.Place | None:
        """The attribute or place of one entry of `of`; None for `active`, and for unknown names."""
        label = text.text.strip()
        if label == "active":
            return None
        found: t.Column | t.Place | None
        if named := _COLUMN.fullmatch(label):
            kind = self.symbols.kind_named(named[1], text.span)
            found = self.symbols.columns.get((named[1], named[2]))
            if kind is not None and (found is None or found.constant):
                known = [c.name for c in self.symbols.columns.values() if c.kind is kind and not c.constant]
                self.symbols.unknown(f"attribute of `{kind.name}`", named[2], text.span, known)
                return None
        else:
            found = self.symbols.places.get(label)
            if found is None:
                self.symbols.unknown("place", label, text.span, [*self.symbols.places, "active"])
        if found is not None and found.hidden:
            self.symbols.error("RF512", f"not every player sees `{label}`", text.span, _HELP)
        return found


def _words(column: t.Column) -> int:
    """Bytes that tell the values of a column apart, for all its things."""
    count = column.kind.size
    for kind in column.per:
        count *= kind.size
    if isinstance(column.type, SetT):
        return 4 * count
    wide = isinstance(column.type, NumberT) and column.type.high - column.type.low > 255
    return count * (4 if wide else 1)
