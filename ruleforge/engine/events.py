"""What happened in a step: made only when somebody reads it, by running the step again with records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, overload

from ruleforge.backends.api import Row
from ruleforge.compiler.ir import NoteInfo
from ruleforge.diagnostics import Span
from ruleforge.engine.sight import Sight

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant

HIDDEN = "?"
EventValue = str | int | None
Notes = Iterable[tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Event:
    """One record: a change, a move, a roll, a named event; `cause` is the event it happened inside of."""

    name: str
    arguments: tuple[tuple[str, EventValue], ...]
    span: Span
    clauses: tuple[str, ...] = ()
    cause: Event | None = field(default=None, repr=False, compare=False)
    depth: int = 0

    def __getitem__(self, name: str) -> EventValue:
        return dict(self.arguments)[name]

    def __str__(self) -> str:
        parts = " ".join(f"{name}={'none' if value is None else value}" for name, value in self.arguments)
        return f"{self.name} {parts}".rstrip()


class Events(Sequence[Event]):
    """The events of what was applied, in order; a tree through `cause` and `depth`."""

    __slots__ = ("_all", "_steps")

    def __init__(self, variant: Variant, steps: tuple[tuple[Row, int], ...]) -> None:
        self._steps = [(variant, row, code) for row, code in steps]
        self._all: tuple[Event, ...] | None = None

    def seen_by(self, player: str) -> tuple[Event, ...]:
        """The events as a player may know them: hidden things and values are left out."""
        return tuple(_told(self._steps, player))

    def _list(self) -> tuple[Event, ...]:
        if self._all is None:
            self._all = tuple(_told(self._steps, None))
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

    __slots__ = ("before", "code")
    variant: Variant  # of the subclass made for each variant
    before: Row
    code: int

    def __getattr__(self, name: str) -> object:
        # only reached while the two fields of `Events` are still unset
        if name == "_steps":
            self._steps = [(self.variant, self.before, self.code)]
            return self._steps
        if name == "_all":
            self._all = None
            return None
        raise AttributeError(name)


def _told(steps: list[tuple[Variant, Row, int]], player: str | None) -> Iterator[Event]:
    for variant, row, code in steps:
        after, notes = variant.runtime.record(row, code)
        censor = None
        if player is not None:
            censor = Censor(variant, variant.player_number(player), (row, after))
        yield from _tree(variant, notes, censor)


def _tree(variant: Variant, notes: Notes, censor: Censor | None) -> Iterator[Event]:
    open_events: list[Event] = []
    for number, *arguments in notes:
        info = variant.program.notes[number]
        if info.name.startswith("end "):
            if open_events:
                open_events.pop()
            continue
        shown = tuple(
            (label, censor.value(info, arguments, n) if censor else _value(variant, kind, arguments[n]))
            for n, (label, kind) in enumerate(info.arguments)
        )
        cause = open_events[-1] if open_events else None
        event = Event(info.name, shown, info.span, info.clauses, cause, len(open_events))
        if info.name.startswith("event "):
            open_events.append(event)
        yield event


def _value(variant: Variant, kind: int | None, word: int) -> EventValue:
    if kind is None:
        return word
    return variant.program.kinds[kind].things[word] if word else None


class Censor:
    """Leaves out of an event what a player could see neither before nor after it."""

    def __init__(self, variant: Variant, viewer: int, rows: tuple[Row, Row]) -> None:
        self._variant = variant
        self._viewer = viewer
        self._sights = tuple(Sight(variant, row) for row in rows)

    def value(self, info: NoteInfo, arguments: list[int], n: int) -> EventValue:
        kind = info.arguments[n][1]
        word = arguments[n]
        if info.column is not None and not self._sees_attribute(info.column, arguments, n):
            return HIDDEN
        if kind is not None and word and not self._sees_thing(kind, word):
            return HIDDEN
        return _value(self._variant, kind, word)

    def _sees_attribute(self, column: int, arguments: list[int], n: int) -> bool:
        width = 1 + len(self._variant.program.columns[column].per)
        if n < width:  # whose attribute it is may be known, its value not
            return True
        return any(sight.attribute(self._viewer, column, tuple(arguments[:width])) for sight in self._sights)

    def _sees_thing(self, kind: int, thing: int) -> bool:
        return any(sight.thing(self._viewer, kind, thing) for sight in self._sights)
