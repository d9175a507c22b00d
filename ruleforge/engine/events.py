"""`Events` are the records of a step: the step runs again with records when a caller reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, overload

from ruleforge.backends.api import Row
from ruleforge.engine.event import Event
from ruleforge.engine.step_log import Notes, StepLog
from ruleforge.engine.trail import Trail, row_of
from ruleforge.engine.visibility.conditions import EVERYTHING
from ruleforge.engine.visibility.seat_log import SeatLog

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant

    Step = tuple[Variant, Trail]


class Events(Sequence[Event]):
    """The events of one or more steps, in order. `cause` and `depth` make them a tree."""

    __slots__ = ("_all", "_steps")

    def __init__(self, steps: tuple[Step, ...] = ()) -> None:
        self._steps = steps
        self._all: tuple[Event, ...] | None = None

    @staticmethod
    def joined(parts: Iterable[Events]) -> Events:
        """The events of several steps as one."""
        return Events(tuple(step for part in parts for step in part._steps))

    def seen_by(self, player: str | None) -> tuple[Event, ...]:
        """The events as a player sees them (None: the public). Hidden values are `?`."""
        return tuple(e for step in self._steps for e in _events(*step, step[0].viewer(player)))

    def _list(self) -> tuple[Event, ...]:
        if self._all is None:
            self._all = tuple(e for step in self._steps for e in _events(*step, EVERYTHING))
        return self._all

    def __len__(self) -> int:
        return len(self._list())

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Event, ...]: ...
    def __getitem__(self, index: int | slice) -> Event | tuple[Event, ...]:
        return self._list()[index]

    def __iter__(self) -> Iterator[Event]:
        return iter(self._list())

    def __repr__(self) -> str:
        return f"<Events {[str(event) for event in self]}>"


class StepEvents(Events):
    """The events of a single choice; they take little memory, since most are never read."""

    __slots__ = ("trail",)
    variant: Variant  # of the subclass made for each variant
    trail: Trail

    def __getattr__(self, name: str) -> object:
        # only reached while fields are still unset
        if name == "_steps":
            self._steps = ((self.variant, self.trail),)
            return self._steps
        if name == "_all":
            self._all = None
            return None
        raise AttributeError(name)


class NotedEvents(Events):
    """The events of a step that cannot be run again by its choice alone: its records were kept when it was run."""

    __slots__ = ("_after", "_before", "_notes", "_variant")

    def __init__(self, variant: Variant, before: Row, after: Row, notes: Notes) -> None:
        super().__init__()
        self._variant, self._before, self._after, self._notes = variant, before, after, tuple(notes)

    def seen_by(self, player: str | None) -> tuple[Event, ...]:
        return self._seen(self._variant.viewer(player))

    def _list(self) -> tuple[Event, ...]:
        if self._all is None:
            self._all = self._seen(EVERYTHING)
        return self._all

    def _seen(self, viewer: int) -> tuple[Event, ...]:
        row = self._variant.runtime.attach(self._before)
        return tuple(_log(self._variant, row, self._after, viewer).events(self._notes))


def _events(variant: Variant, trail: Trail, viewer: int) -> Iterator[Event]:
    """The events of the step at the end of a trail, as a viewer may know them."""
    before, code = trail
    row = row_of(variant.runtime, before)
    after, notes = variant.runtime.record(row, code)
    return _log(variant, row, after, viewer).events(notes)


def _log(variant: Variant, row: Row, after: Row, viewer: int) -> StepLog:
    hides = viewer != EVERYTHING and variant.hides_something
    return SeatLog(variant, row, after, viewer) if hides else StepLog(variant, row)
