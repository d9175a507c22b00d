"""Changes one after the other -> what a look at the table before and after them shows, and nothing in between."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ruleforge.compiler.ir import Changed, Made, Moved, NoteInfo, Removed, Shown, Shuffled, Thing
from ruleforge.engine import paths
from ruleforge.engine.event import Event, EventValue
from ruleforge.engine.paths import AttributePath
from ruleforge.engine.presentation.observation import HIDDEN
from ruleforge.engine.row_names import value_of
from ruleforge.engine.visibility.conditions import PUBLIC, Visibility
from ruleforge.engine.visibility.observer import Given, Observer

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant


class Change(NamedTuple):
    """A record of a change, and the event that tells of it."""

    event: Event
    info: NoteInfo
    given: Given


class ViewDiff:
    """The changes of one run with the eyes of one viewer, and the table at its two ends.

    Columns that were `restarted` on the way count as if they had been so from the beginning: nobody is told of that.
    """

    def __init__(
        self,
        variant: Variant,
        viewer: int,
        before: Visibility,
        after: Visibility,
        restarted: Collection[int] = (),
    ) -> None:
        self._variant, self._viewer = variant, viewer
        self._before, self._after = before, after
        self._restarted = restarted

    def events(self, changes: Sequence[Change], here: Event) -> list[Event]:
        """One event for each value and thing that is seen to have changed, in the order of their words.

        What has no record of its own is told with the place of `here`.
        """
        found = (
            *self._values(here),
            *self._moves(changes),
            *self._existing(changes),
            *self._shown(changes),
            *_others(changes),
        )
        return [replace(event, merged=True) for event in sorted(found, key=_place_of)]

    def _values(self, here: Event) -> Iterator[Event]:
        """Whatever is seen now and was another or not seen: no record can tell who had a hand in it.

        What comes to light is news if it is not as in the beginning. The public hears only what every player hears, and
        some may have known.
        """
        if self._before is self._after:
            return
        for path in self._variant.paths.attributes:
            info = self._variant.changes.get(path.column)
            if info is None or not self._may_differ(path) or not self._exists(path):
                continue
            old, new = self._value(self._before, path), self._value(self._after, path)
            if new not in (old, HIDDEN) and (old != HIDDEN or self._is_news(path)):
                labels = (argument.label for argument in info.arguments)
                values = (*self._whose(path), old, new)
                yield replace(here, name=info.name, arguments=tuple(zip(labels, values, strict=True)))

    def _is_news(self, path: AttributePath) -> bool:
        words = self._after.row[path.slot : path.slot + path.info.words]
        return self._viewer != PUBLIC and any(word != path.info.start for word in words)

    def _may_differ(self, path: AttributePath) -> bool:
        ends = (
            visible.row[path.slot : path.slot + path.info.words] for visible in (self._before, self._after)
        )
        return path.info.sees is not None or path.column in self._restarted or next(ends) != next(ends)

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
        """The things of a value, as far as they are seen at one end."""
        for kind, thing in zip(paths.kinds_of(path), path.indices, strict=True):
            seen = any(visible.thing(self._viewer, kind, thing) for visible in (self._before, self._after))
            yield self._variant.program.kinds[kind].things[thing] if seen else HIDDEN

    def _moves(self, changes: Sequence[Change]) -> Iterator[Event]:
        moves: dict[int, list[Change]] = {}
        for change in changes:
            if isinstance(change.info.means, Moved):
                moves.setdefault(change.info.means.kind, []).append(change)
        for kind, moved in moves.items():
            yield from self._moves_of(kind, moved)

    def _moves_of(self, kind: int, moved: Sequence[Change]) -> Iterator[Event]:
        """A thing that is seen at one end went from where it was to where it is; of all others only their number in
        each place is seen, and they are told as going from those that have fewer to those that have more.
        """
        names = self._variant.program.kinds[kind].things
        first = {change.given[0][0]: change.event for change in reversed(moved)}
        flow: Counter[int] = Counter()
        for thing, event in first.items():
            ends = (self._place(self._before, kind, thing), self._place(self._after, kind, thing))
            if not any(visible.thing(self._viewer, kind, thing) for visible in (self._before, self._after)):
                flow.update({ends[1]: 1})
                flow.subtract({ends[0]: 1})
            elif ends[0] != ends[1]:
                yield self._moved(event, names[thing], *ends)
        for ends in zip(sorted((-flow).elements()), sorted((+flow).elements()), strict=True):
            yield self._moved(moved[0].event, HIDDEN, *ends)

    def _place(self, visible: Visibility, kind: int, thing: int) -> int:
        return paths.whereabouts(self._variant.program, visible.row, kind, thing)

    def _moved(self, event: Event, thing: EventValue, *ends: int) -> Event:
        labels = (label for label, _ in event.arguments)
        values = (thing, *(self._variant.container_name(end) for end in ends))
        return replace(event, arguments=tuple(zip(labels, values, strict=True)))

    def _existing(self, changes: Sequence[Change]) -> Iterator[Event]:
        """Things that came into the game or left it."""
        firsts: dict[tuple[int, int], Event] = {}
        times: Counter[tuple[int, int]] = Counter()
        for event, info, given in changes:
            if isinstance(info.means, Made | Removed):
                key = (info.means.kind, given[0][0])
                firsts.setdefault(key, event)
                times[key] += 1
        return (event for key, event in firsts.items() if times[key] % 2)

    def _shown(self, changes: Sequence[Change]) -> Iterator[Event]:
        """What the viewer was shown and had not seen; to whom else it was shown is not to be seen."""
        names = self._variant.player_names
        to = (names[self._viewer - 1],) if self._viewer > 0 else tuple(names)
        told: dict[int, Event] = {}
        for event, info, given in changes:
            (label, name), (other, _) = (
                event.arguments[:2] if isinstance(info.means, Shown) else (("", HIDDEN),) * 2
            )
            if name != HIDDEN and not self._saw(info, given):
                told.setdefault(given[0][0], replace(event, arguments=((label, name), (other, to))))
        return iter(told.values())

    def _saw(self, info: NoteInfo, given: Given) -> bool:
        """Whether the thing that a record speaks of was open before."""
        type = info.arguments[0].type
        return isinstance(type, Thing) and self._before.thing(self._viewer, type.kind, given[0][0])


def _others(changes: Iterable[Change]) -> Iterator[Event]:
    """What is no change of the table, and is told because whoever wrote the rule wants it told."""
    for event, info, _ in changes:
        if not isinstance(info.means, Changed | Moved | Made | Removed | Shuffled | Shown):
            yield event


def _place_of(event: Event) -> tuple[bool, str]:
    """In the order of their words; the end of the game comes last."""
    return event.name.startswith("finish "), str(event)


class Run:
    """Changes between two names; `steered` if the viewer does not see what decides about some of them."""

    def __init__(self, variant: Variant, observer: Observer) -> None:
        self.steered = False
        self._waits = variant.program.queue is not None
        self._variant, self._observer = variant, observer
        self._begun = observer.visible
        self._changes: list[Change] = []
        self.restarted: set[int] = set()  # columns
        self._moves: dict[int, set[str]] = {}  # by the statement: how what it does with hidden things reads

    def add(self, change: Change, record: int) -> None:
        self._changes.append(change)
        if isinstance(change.info.means, Moved | Changed):
            words = str(change.event) if change.event.arguments[0][1] == HIDDEN else ""
            self._moves.setdefault(record, set()).add(words)

    def over(self, here: Event) -> list[Event]:
        """The changes, and a new run begins; `here` is where they are told."""
        # a statement that does several things with hidden things, or with others, would tell by the order which they are
        steered = self.steered or any(len(ways) > 1 for ways in self._moves.values())
        changes, self._changes = self._changes, []
        begun, self._begun = self._begun, self._observer.visible
        restarted, self.restarted = self.restarted, set()
        self._moves = {}
        self.steered = self.steered and self._waits  # what was set off unseen may come in any later run
        if not steered:
            return [change.event for change in changes]
        ends = (begun, self._observer.visible)
        return ViewDiff(self._variant, self._observer.viewer, *ends, restarted).events(changes, here)
