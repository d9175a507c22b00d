"""`StepLog` reads the records of a step into events, each with the event that encloses it.

It serves viewers who see everything: hosts, and every seat of an open game. `visibility.seat_log` decides
what a seat learns of hidden information.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ruleforge.backends.api import Row
from ruleforge.compiler.ir import (
    ActionBegan,
    ActionEnded,
    EventEnded,
    EventHappened,
    NoteInfo,
    Restarted,
    RuleApplied,
    RuleDue,
    RuleEnded,
    RuleWaits,
    ShuffledThing,
    TaintBegins,
    TaintEnds,
    Unsealed,
    Usual,
)
from ruleforge.engine.event import Event, EventValue
from ruleforge.engine.narration_values import NarrationValues
from ruleforge.engine.presentation.observation import HIDDEN
from ruleforge.engine.replayed_row import RecordValues, ReplayedRow
from ruleforge.engine.row_names import value_of
from ruleforge.engine.visibility.conditions import EVERYTHING
from ruleforge.support.diagnostics import Span

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant

Notes = Iterable[tuple[int, ...]]
SILENT = (  # records that are no events
    Usual | Restarted | ShuffledThing | ActionEnded | Unsealed | TaintBegins | TaintEnds | RuleWaits | RuleDue
)


class Open(NamedTuple):
    """An event or action that has begun; no event if the viewer is not told of it."""

    event: Event | None = None
    sentence: NarrationValues | None = None  # what its log sentence still asks when it is over

    def end(self) -> None:
        if self.sentence is not None:
            self.sentence.end()


class StepLog:
    """One reading of the records of a step, for a viewer from whom nothing is hidden."""

    viewer = EVERYTHING

    def __init__(self, variant: Variant, row: Row) -> None:
        self._variant = variant
        self._row = ReplayedRow(variant, row)
        self._around: list[Open] = []  # the events we are inside of
        self._action = Open()  # the one that was begun in this step
        self._rule: Event | None = None  # a rule that has done nothing yet; told when it does

    def events(self, notes: Notes) -> Iterator[Event]:
        for number, *words in notes:
            info = self._variant.program.notes[number]
            yield from self._read(info, info.values(words))
        for open_ in (self._action, *self._around):
            open_.end()
        yield from self._acted()

    def _read(self, info: NoteInfo, given: RecordValues) -> Iterator[Event]:
        """The events that a record adds to the log."""
        self._row.apply(info, given)
        match info.means:
            case EventEnded():
                self._end_event()
            case RuleEnded(rule=rule):
                self._end_rule(rule)
            case means if not isinstance(means, SILENT):
                open_ = self._opened(info, given)
                assert open_.event is not None
                yield from self._acted()
                yield from self._announced(info, open_.event)
                self._enter(info, open_)

    def _opened(self, info: NoteInfo, given: RecordValues, hidden: Container[int] = ()) -> Open:
        """The event of a record, without the arguments that are hidden, and what its log sentence asks."""
        values = tuple(
            (argument.label, HIDDEN if n in hidden else value_of(self._variant, argument.type, given[n]))
            for n, argument in enumerate(info.arguments)
        )
        event = self._event(info.name, values, info.span, info.clauses)
        template = self._variant.info.tells.get(info.name)
        if template is None:
            return Open(event)
        sentence = NarrationValues(self._variant, self.viewer, self._row, template, info, given)
        sentence.begin(values)
        return Open(replace(event, told=sentence.values), sentence)

    def _event(
        self, name: str, values: tuple[tuple[str, EventValue], ...], span: Span, clauses: tuple[str, ...]
    ) -> Event:
        causes = [open_.event for open_ in self._around if open_.event is not None]
        pack = self._variant.info.pack_of(span)
        title = pack.title if pack else ""
        return Event(name, values, span, clauses, causes[-1] if causes else None, len(causes), title)

    def _enter(self, info: NoteInfo, open_: Open) -> None:
        if isinstance(info.means, EventHappened):
            self._around.append(open_)
        elif isinstance(info.means, ActionBegan):
            self._action = open_

    def _end_event(self) -> None:
        if self._around:  # it may have begun in an earlier step
            self._around.pop().end()

    # --- rules, which are told when they do something ---

    def _announced(self, info: NoteInfo, event: Event) -> Iterator[Event]:
        if isinstance(info.means, RuleApplied):
            self._rule = event
        else:
            yield event

    def _acted(self) -> Iterator[Event]:
        rule, self._rule = self._rule, None
        if rule is not None:
            yield rule

    def _end_rule(self, rule: str) -> None:
        if self._rule is not None and self._rule.name == f"rule {rule}":
            self._rule = None
