"""`ViewDiff` compares two observations of a seat: each visible change of a value or thing becomes one event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ruleforge.engine import paths
from ruleforge.engine.event import Event, EventValue
from ruleforge.engine.paths import AttributePath
from ruleforge.engine.presentation.observation import HIDDEN
from ruleforge.engine.row_names import value_of
from ruleforge.engine.visibility.conditions import PUBLIC, Visibility

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant

Change = tuple[str, tuple[tuple[str, EventValue], ...]]  # the name and the arguments of an event


class ViewDiff:
    """Two observations of one seat.

    Columns that were `restarted` in between count as restarted from the beginning: no seat is told of it.
    """

    def __init__(
        self, variant: Variant, viewer: int, before: Visibility, after: Visibility, restarted: Collection[int]
    ) -> None:
        self._variant, self._viewer = variant, viewer
        self._before, self._after = before, after
        self._ends = (before, after)
        self._restarted = restarted

    def events(self, here: Event) -> list[Event]:
        """The events, told at the place of `here`."""
        found = (*self._made(), *self._shown(), *self._moves(), *self._values())
        events = (replace(here, name=name, arguments=arguments, merged=True) for name, arguments in found)
        return sorted(events, key=_place_of)

    def _things(self, kind: int) -> range:
        return range(1, len(self._variant.program.kinds[kind].things))

    def _name(self, kind: int, thing: int) -> str:
        return self._variant.program.kinds[kind].things[thing] if self._sees(kind, thing) else HIDDEN

    def _sees(self, kind: int, thing: int) -> bool:
        """Whether it is seen at one end."""
        return any(visible.thing(self._viewer, kind, thing) for visible in self._ends)

    def _differing(self, base: int, kind: int) -> Iterator[int]:
        """The things of a kind for which a word of the row is another than before."""
        old, new = self._before.row, self._after.row
        return (thing for thing in self._things(kind) if old[base + thing] != new[base + thing])

    # --- things ---

    def _made(self) -> Iterator[Change]:
        """Things that came into the game or left it."""
        for kind, base in self._variant.pools.items():
            name = self._variant.program.kinds[kind].name
            for thing in self._differing(base, kind):
                word = "new" if self._after.row[base + thing] else "remove"
                yield f"{word} {name}", (("thing", self._name(kind, thing)),)

    def _shown(self) -> Iterator[Change]:
        """Things that the seat was shown, and had not seen; to whom else they were shown is not to be seen."""
        names = self._variant.player_names
        to = (names[self._viewer - 1],) if self._viewer > PUBLIC else tuple(names)
        mine = 1 << (self._viewer - 1) if self._viewer > PUBLIC else -1
        known = {
            place.known: place.holds for place in self._variant.program.places if place.known is not None
        }
        for base, kind in known.items():
            for thing in self._differing(base, kind):
                was_seen, is_seen = (visible.thing(self._viewer, kind, thing) for visible in self._ends)
                known_to = self._after.row[base + thing] & ~self._before.row[base + thing]
                if known_to & mine and is_seen and not was_seen:
                    yield "show", (("thing", self._name(kind, thing)), ("to", to))

    def _moves(self) -> Iterator[Change]:
        """Moves of things: a thing that is seen at one end moved from its old place to its new one.

        For all others, only their number in each place is visible. They are told as moves from places that
        have fewer to places that have more.
        """
        where = {place.holds: place.where for place in self._variant.program.places}
        for kind, base in where.items():
            flow: Counter[int] = Counter()
            for thing in self._differing(base, kind):
                old, new = (visible.row[base + thing] for visible in self._ends)
                if not self._after.exist((kind,), (thing,)):
                    continue  # it was removed
                if self._sees(kind, thing):
                    yield self._moved(kind, self._name(kind, thing), old, new)
                else:
                    flow.update({new: 1})
                    flow.subtract({old: 1})
            for old, new in zip(sorted((-flow).elements()), sorted((+flow).elements()), strict=True):
                yield self._moved(kind, HIDDEN, old, new)

    def _moved(self, kind: int, thing: str, old: int, new: int) -> Change:
        name = f"move {self._variant.program.kinds[kind].name}"
        places = (self._variant.container_name(end) for end in (old, new))
        return name, tuple(zip(("thing", "from", "to"), (thing, *places), strict=True))

    # --- values ---

    def _values(self) -> Iterator[Change]:
        """Each value that is seen now and was different or unseen: no record shows which player set it.

        A revealed value is news if it differs from its first one. The public learns only what every player
        learns; some players may have known it.
        """
        for path in self._variant.paths.attributes:
            info = self._variant.changes.get(path.column)
            if info is None or not self._may_differ(path) or not self._exists(path):
                continue
            old, new = self._value(self._before, path), self._value(self._after, path)
            if new not in (old, HIDDEN) and (old != HIDDEN or self._is_news(path)):
                labels = (argument.label for argument in info.arguments)
                yield info.name, tuple(zip(labels, (*self._whose(path), old, new), strict=True))

    def _is_news(self, path: AttributePath) -> bool:
        words = self._after.row[path.slot : path.slot + path.info.words]
        return self._viewer != PUBLIC and any(word != path.info.start for word in words)

    def _may_differ(self, path: AttributePath) -> bool:
        here = slice(path.slot, path.slot + path.info.words)
        same = self._before.row[here] == self._after.row[here]
        return path.info.sees is not None or path.column in self._restarted or not same

    def _exists(self, path: AttributePath) -> bool:
        return self._after.exist(paths.kinds_of(path), path.indices)

    def _value(self, visible: Visibility, path: AttributePath) -> EventValue:
        if not visible.attribute(self._viewer, path.column, path.indices):
            return HIDDEN
        words = tuple(visible.row[path.slot : path.slot + path.info.words])
        if visible is self._before and path.column in self._restarted:
            words = (path.info.start,) * len(words)
        return value_of(self._variant, path.info.type, words)

    def _whose(self, path: AttributePath) -> Iterator[EventValue]:
        return (self._name(*one) for one in zip(paths.kinds_of(path), path.indices, strict=True))


def _place_of(event: Event) -> str:
    """Those of things that are not seen come last, in the order of their words."""
    return str(event) if any(value == HIDDEN for _, value in event.arguments) else ""
