"""What happened in a step: made only when somebody reads it, by running the step again with records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

from ruleforge.backends.api import Row
from ruleforge.engine.event import Event
from ruleforge.engine.retelling import Notes, Retelling
from ruleforge.engine.sight import EVERYTHING
from ruleforge.engine.trail import Trail, row_of
from ruleforge.engine.witness import Witness

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant


class Events(Sequence[Event]):
    """The events of what was applied, in order; a tree through `cause` and `depth`."""

    __slots__ = ("_all", "_steps")

    def __init__(self, variant: Variant, trails: tuple[Trail, ...]) -> None:
        self._steps = [(variant, trail) for trail in trails]
        self._all: tuple[Event, ...] | None = None

    def seen_by(self, player: str | None) -> tuple[Event, ...]:
        """The events as a player may know them (None: the public), with `?` for what is hidden before and after."""
        return tuple(
            e for variant, trail in self._steps for e in _told(variant, trail, variant.viewer(player))
        )

    def _list(self) -> tuple[Event, ...]:
        if self._all is None:
            self._all = tuple(e for step in self._steps for e in _told(*step, EVERYTHING))
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
    """The events of a single choice; kept as small as can be, since nobody may ever read them."""

    __slots__ = ("trail",)
    variant: Variant  # of the subclass made for each variant
    trail: Trail

    def __getattr__(self, name: str) -> object:
        # only reached while the two fields of `Events` are still unset
        if name == "_steps":
            self._steps = [(self.variant, self.trail)]
            return self._steps
        if name == "_all":
            self._all = None
            return None
        raise AttributeError(name)


class NotedEvents(Events):
    """The events of a step that cannot be run again by its choice alone: its records were kept when it was run."""

    __slots__ = ("_before", "_notes", "_variant")

    def __init__(self, variant: Variant, before: Row, notes: Notes) -> None:
        super().__init__(variant, ())
        self._variant, self._before, self._notes = variant, before, tuple(notes)

    def seen_by(self, player: str | None) -> tuple[Event, ...]:
        return self._seen(self._variant.viewer(player))

    def _list(self) -> tuple[Event, ...]:
        if self._all is None:
            self._all = self._seen(EVERYTHING)
        return self._all

    def _seen(self, viewer: int) -> tuple[Event, ...]:
        row = self._variant.runtime.attach(self._before)
        return tuple(Retelling(self._variant, Witness(self._variant, viewer, row)).events(self._notes))


def _told(variant: Variant, trail: Trail, viewer: int) -> Iterator[Event]:
    before, code = trail
    row = row_of(variant.runtime, before)
    _, notes = variant.runtime.record(row, code)
    return Retelling(variant, Witness(variant, viewer, row)).events(notes)
