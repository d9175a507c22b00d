"""What happened in a step: made only when somebody reads it, by running the step again with records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, overload

from ruleforge.backends.api import Row
from ruleforge.compiler.ir import (
    ActionBegan,
    ActionEnded,
    Changed,
    Container,
    EventEnded,
    EventHappened,
    Flag,
    Made,
    Moved,
    NoteInfo,
    Number,
    Picked,
    Removed,
    RuleApplied,
    SetOf,
    Shuffled,
    Thing,
    Usual,
    ValueType,
    Void,
)
from ruleforge.diagnostics import NOWHERE
from ruleforge.engine import paths
from ruleforge.engine.event import Event, EventValue
from ruleforge.engine.runs import Run, Veils
from ruleforge.engine.sayings import Sayings
from ruleforge.engine.sight import EVERYTHING
from ruleforge.engine.trail import Trail, row_of
from ruleforge.engine.witness import Given, Witness
from ruleforge.present.seen import HIDDEN

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant

Notes = Iterable[tuple[int, ...]]
CHANGES = Changed | Moved | Made | Removed | Shuffled
NAMES = (
    EventHappened | RuleApplied | Picked | Void
)  # records that say what something is called, not what changed


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
        return tuple(_tree(self._variant, self._notes, Witness(self._variant, viewer, row)))


def _told(variant: Variant, trail: Trail, viewer: int) -> Iterator[Event]:
    before, code = trail
    row = row_of(variant.runtime, before)
    _, notes = variant.runtime.record(row, code)
    return _tree(variant, notes, Witness(variant, viewer, row))


def _tree(variant: Variant, notes: Notes, witness: Witness) -> Iterator[Event]:
    around: list[Event | None] = []  # the events we are inside of; None for one that is not told
    action: Event | None = None  # the one that was begun in this step, if it is told
    tells = variant.game.info.tells
    open_: list[
        Sayings | None
    ] = []  # what the tellings of the events around still ask, and that of the action
    of_action: Sayings | None = None
    in_secret = witness.in_secret()  # then no name of what happens is told, until the action is over
    veils, run = Veils(witness), Run()
    for number, *words in notes:
        info = variant.program.notes[number]
        if isinstance(info.means, Usual):
            continue  # for readers of texts; nothing happened
        if isinstance(info.means, ActionEnded):
            in_secret = False
            continue
        if isinstance(info.means, EventEnded):
            veils.event_ended()
            if around[-1:] != [None] and not veils.hide:
                yield from run.over()
            del around[-1:]  # it may have begun in an earlier step
            for ended in open_[-1:]:
                if ended is not None:
                    ended.end()
            del open_[-1:]
            continue
        if veils.note(info.means, words):
            run.steered |= veils.hide
            continue
        given = info.values(words)
        told = witness.told(info, given)
        hidden = witness.hidden(info, given)
        if isinstance(info.means, ActionBegan):
            in_secret = not told
        event, sayings = None, None
        around_told = [e for e in around if e is not None]
        if (
            told
            and not witness.secret_change(info, hidden)
            and not ((in_secret or veils.hide) and isinstance(info.means, NAMES))
            and not (hidden and isinstance(info.means, RuleApplied))  # its name would tell whose it is
        ):
            event = _event(variant, info, given, hidden, around_told)
            asks = tells.get(info.name)
            if asks is not None:
                sayings = Sayings(variant, witness, asks, info, given)
                sayings.begin(event.arguments)
                event = replace(event, told=sayings.values)
            if isinstance(info.means, ActionBegan):
                action = event
            if witness.learns_only_what_is_open and not isinstance(info.means, ActionBegan | EventHappened):
                event = _placed(event, around_told[-1] if around_told else action)
            pack = variant.game.info.pack_of(event.span)
            event_told = replace(event, pack=pack.title) if pack else event
            if isinstance(info.means, CHANGES) or veils.hide:
                run.add(event_told, info.means, number)
            else:
                yield from run.over()
                yield event_told
        if isinstance(info.means, ActionBegan) and sayings is not None:
            of_action = sayings
        if isinstance(info.means, EventHappened):
            veils.event_began()
            around.append(event)
            open_.append(sayings)
    for waiting in (of_action, *open_):
        if waiting is not None:
            waiting.end()
    yield from run.over()


def _event(
    variant: Variant, info: NoteInfo, given: Given, hidden: frozenset[int], around: list[Event]
) -> Event:
    values = tuple(
        (argument.label, HIDDEN if n in hidden else value_of(variant, argument.type, given[n]))
        for n, argument in enumerate(info.arguments)
    )
    cause = around[-1] if around else None
    return Event(info.name, values, info.span, info.clauses, cause, len(around))


def _placed(event: Event, definition: Event | None) -> Event:
    """The event with the place and clauses of the action or event around it.

    Which statement acted, or which rule, may hang on what is hidden: an `if` with the same effect on both sides.
    """
    if definition is None:
        return replace(event, span=NOWHERE, clauses=())
    return replace(event, span=definition.span, clauses=definition.clauses)


def value_of(variant: Variant, type: ValueType | Container, words: tuple[int, ...]) -> EventValue:
    """A value of a note as people read it."""
    word = words[0]
    match type:
        case Container():
            return variant.container_name(word)
        case Flag():
            return bool(word)
        case Thing(kind=kind):
            return variant.program.kinds[kind].things[word] if word else None
        case SetOf(kind=kind):
            return tuple(paths.set_value(variant.program, kind, words))
        case Number():
            return word
