"""The records of a step -> the events that one viewer is told of, each with what it happened inside of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ruleforge.compiler.ir import (
    DRAINING,
    ActionBegan,
    ActionEnded,
    Changed,
    Drawn,
    EventEnded,
    EventHappened,
    Made,
    Moved,
    NoteInfo,
    Picked,
    Removed,
    Restarted,
    Rolled,
    RuleApplied,
    RuleEnded,
    Shown,
    Shuffled,
    ShuffledThing,
    Unsealed,
    Usual,
    Void,
)
from ruleforge.engine.event import Event
from ruleforge.engine.presentation.observation import HIDDEN
from ruleforge.engine.row_names import value_of
from ruleforge.engine.visibility.control import Context, ControlStack, is_inside
from ruleforge.engine.visibility.narration_values import NarrationValues
from ruleforge.engine.visibility.observer import Given, Observer
from ruleforge.engine.visibility.view_diff import Change, Run
from ruleforge.support.diagnostics import NOWHERE

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant

Notes = Iterable[tuple[int, ...]]
CHANGES = Changed | Moved | Made | Removed | Shuffled | Shown
NAMES = EventHappened | RuleApplied | Picked | Void  # records that say what something is called


class _Open(NamedTuple):
    """An event or action that has begun; nothing of it where it is not told."""

    event: Event | None = None
    sayings: NarrationValues | None = None  # what its telling still asks when it is over

    def end(self) -> None:
        if self.sayings is not None:
            self.sayings.end()


class Redaction:
    """One reading of the records of a step with the eyes of one viewer."""

    def __init__(self, variant: Variant, observer: Observer, carried: Context | None = None) -> None:
        """`carried`: what the step is inside of, where that is known."""
        self._variant, self._observer = variant, observer
        self._around: list[_Open] = []  # the events we are inside of
        self._action = _Open()  # the one that was begun in this step
        self._in_secret = (
            observer.in_secret()
        )  # then no name of what happens is told, until the action is over
        self._sealed = False  # whether what was secret is the answer of another
        self._veils = ControlStack(observer, carried if is_inside(variant, observer.row) else Context())
        self._run = Run(variant, observer)
        # the rule that asked may have been set off unseen, and so may those that wait behind it
        draining = observer.learns_only_what_is_open and bool(observer.row[DRAINING])
        self._run.steered = draining or self._veils.hide
        self._waiting: Event | None = None  # a rule that has done nothing yet; told when it does

    @property
    def context(self) -> Context | None:
        """What the next step is inside of."""
        return self._veils.context

    def events(self, notes: Notes) -> Iterator[Event]:
        for number, *words in notes:
            info = self._variant.program.notes[number]
            match info.means:
                case Usual():
                    continue  # for readers of texts; nothing happened
                case ShuffledThing():
                    self._observer.hidden(info, info.values(words))
                case Restarted(column=column):
                    self._observer.hidden(info, ())
                    self._run.restarted.add(column)
                case ActionEnded():
                    # whether a secret action did anything, so that what follows is told with it, is a secret too
                    self._run.steered |= self._in_secret
                    self._in_secret = False
                case Unsealed():
                    self._sealed = self._in_secret = not self._observer.told(info, info.values(words))
                case EventEnded():
                    yield from self._event_ended()
                case RuleEnded(rule=rule):
                    if self._waiting is not None and self._waiting.name == f"rule {rule}":
                        self._waiting = None
                case means if self._veils.note(means, words, self._in_secret):
                    if (
                        self._veils.hide
                    ):  # whether anything is done is a secret, and so is whether it comes to nothing
                        yield from self._acted()
                        self._run.steered = True
                case _:
                    yield from self._happened(number, info, info.values(words))
        for waiting in (self._action, *self._around):
            waiting.end()
        yield from self._acted()
        yield from self._run.over(self._here())

    def _acted(self) -> Iterator[Event]:
        """The rule that waited until something is done."""
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            yield waiting

    def _event_ended(self) -> Iterator[Event]:
        self._veils.event_ended()
        untold = any(open_.event is None for open_ in self._around[-1:])
        if not untold and not self._veils.hide:
            yield from self._run.over(self._here())
        if self._around:  # it may have begun in an earlier step
            self._around.pop().end()

    def _happened(self, number: int, info: NoteInfo, given: Given) -> Iterator[Event]:
        told = self._observer.told(info, given)
        if isinstance(info.means, ActionBegan):
            self._in_secret = not told
        hidden = self._observer.hidden(info, given)  # also of what is not told: it follows every change
        open_ = _Open()
        if told and not self._kept_back(info, hidden):
            event, sayings = self._said(info, given, hidden)
            open_ = _Open(event, sayings)
            if isinstance(info.means, ActionBegan):
                self._action = open_
            yield from self._told(number, Change(event, info, given))
        if isinstance(info.means, EventHappened):
            self._veils.event_began()
            self._around.append(open_)

    def _kept_back(self, info: NoteInfo, hidden: frozenset[int]) -> bool:
        """Whether the record itself would tell what the viewer may not know."""
        names_secret = isinstance(info.means, NAMES) and (self._in_secret or self._veils.hide)
        whose_rule = isinstance(info.means, RuleApplied) and bool(hidden)  # its name would tell whose it is
        unseen = isinstance(info.means, Rolled | Drawn) and info.means.unseen
        return (
            names_secret
            or whose_rule
            or (unseen and self._observer.learns_only_what_is_open)
            or self._observer.secret_change(info, hidden)
        )

    def _said(
        self, info: NoteInfo, given: Given, hidden: frozenset[int]
    ) -> tuple[Event, NarrationValues | None]:
        """The event, with what its telling asks where the ruleset has one for it."""
        values = tuple(
            (argument.label, HIDDEN if n in hidden else value_of(self._variant, argument.type, given[n]))
            for n, argument in enumerate(info.arguments)
        )
        causes = self._causes()
        event = Event(info.name, values, info.span, info.clauses, causes[-1] if causes else None, len(causes))
        asks = self._variant.info.tells.get(info.name)
        if asks is None:
            return event, None
        sayings = NarrationValues(self._variant, self._observer, asks, info, given)
        sayings.begin(event.arguments)
        return replace(event, told=sayings.values), sayings

    def _told(self, number: int, change: Change) -> Iterator[Event]:
        """The event as it goes out: by itself, or with the changes around it."""
        event, info, _ = change
        if self._observer.learns_only_what_is_open and not isinstance(
            info.means, ActionBegan | EventHappened
        ):
            event = self._placed(event)
        event = self._with_pack(event)
        yield from self._acted()
        self._run.steered |= self._sealed or self._in_secret
        if isinstance(info.means, CHANGES) or self._veils.hide:
            self._run.add(change._replace(event=event), number)
            return
        yield from self._run.over(self._here())
        if isinstance(info.means, RuleApplied):
            self._waiting = event
        else:
            yield event

    def _here(self) -> Event:
        """A change without a record of its own."""
        causes = self._causes()
        return self._with_pack(
            self._placed(Event("", (), NOWHERE, (), causes[-1] if causes else None, len(causes)))
        )

    def _placed(self, event: Event) -> Event:
        """The event with the place and clauses of the action or event around it.

        Which statement acted, or which rule, may hang on what is hidden: an `if` with the same effect on both sides.
        """
        definition = self._causes()[-1] if self._causes() else self._action.event
        if definition is None:
            return replace(event, span=NOWHERE, clauses=())
        return replace(event, span=definition.span, clauses=definition.clauses)

    def _with_pack(self, event: Event) -> Event:
        pack = self._variant.info.pack_of(event.span)
        return replace(event, pack=pack.title) if pack else event

    def _causes(self) -> list[Event]:
        return [open_.event for open_ in self._around if open_.event is not None]
