"""`SeatLog` turns the records of a step into the events that one seat learns.

A seat learns the name of an event if it sees everything that decided about the event. All other events are
the difference between two observations of the seat: before the named event and after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ruleforge.backends.api import Row
from ruleforge.compiler.ir import (
    WORK_DONE,
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
    RuleDue,
    RuleEnded,
    RuleWaits,
    SetOf,
    Shown,
    Shuffled,
    ShuffledThing,
    TaintBegins,
    TaintEnds,
    Thing,
    Unsealed,
    Usual,
    Void,
)
from ruleforge.engine import paths
from ruleforge.engine.event import Event
from ruleforge.engine.replayed_row import RecordValues
from ruleforge.engine.step_log import Notes, Open, StepLog
from ruleforge.engine.visibility.conditions import Visibility
from ruleforge.engine.visibility.control import ControlStack, ends_openly, is_inside
from ruleforge.engine.visibility.view_diff import ViewDiff
from ruleforge.support.diagnostics import NOWHERE

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant

CHANGES = Changed | Moved | Made | Removed | Restarted | ShuffledThing  # told as a difference of the table
CONTROL = TaintBegins | TaintEnds | RuleWaits | RuleDue
ASIDE = Shown | Shuffled  # told with a difference, so that they tell nothing of its order
NAMES = EventHappened | RuleApplied | Picked | Void | Shuffled | Shown  # not told where hidden things decide


class SeatLog(StepLog):
    """One reading of the records of a step for one seat, or of the public."""

    def __init__(self, variant: Variant, row: Row, after: Row, viewer: int) -> None:
        super().__init__(variant, row)
        self.viewer = viewer
        self._looked: Visibility | None = Visibility(variant, row)
        self._begun = self._visible  # the table when something was told last
        self._restarted: set[int] = set()  # columns, since then
        self._aside: list[Event] = []  # what is told beside the difference
        self._in_secret = not self._visible.answer(viewer)  # until the action is over
        self._control = ControlStack(variant, viewer, is_inside(variant, row), ends_openly(variant, after))

    def events(self, notes: Notes) -> Iterator[Event]:
        yield from super().events(notes)
        yield from self._difference()

    @property
    def _visible(self) -> Visibility:
        """The visibility after the records so far."""
        if self._looked is None:
            self._row.words[WORK_DONE] = self._spent
            self._looked = Visibility(self._variant, self._variant.runtime.attach(self._row.words))
        return self._looked

    def _change(self, info: NoteInfo, given: RecordValues) -> None:
        if self._looked is not None:
            self._spent, self._looked = self._looked.row[WORK_DONE], None
        self._row.apply(info, given)

    # --- records ---

    def _read(self, info: NoteInfo, given: RecordValues) -> Iterator[Event]:
        match info.means:
            case means if isinstance(means, CHANGES):
                self._change(info, given)
                if isinstance(means, Restarted):
                    self._restarted.add(means.column)
            case means if isinstance(means, CONTROL):
                self._control.note(means, given, self._visible, self._in_secret)
                if self._hides:  # whether anything is done is hidden, and so is whether it comes to nothing
                    yield from self._acted()
            case ActionEnded():
                self._in_secret = False
            case Unsealed():
                self._in_secret = not self._may_hear_of(info, given)
            case EventEnded():
                self._control.event_ended()
                if not self._hides and any(open_.event is not None for open_ in self._around[-1:]):
                    yield from self._difference()
                self._end_event()
            case RuleEnded(rule=rule):
                if self._rule is not None and not self._hides:
                    yield from self._difference()
                self._end_rule(rule)
            case means if not isinstance(means, Usual):
                yield from self._happened(info, given)

    @property
    def _hides(self) -> bool:
        """Whether the seat does not see what decides about the next record."""
        return self._in_secret or self._control.hides

    def _happened(self, info: NoteInfo, given: RecordValues) -> Iterator[Event]:
        if isinstance(info.means, ActionBegan):
            self._in_secret = not self._may_hear_of(info, given)
        if isinstance(info.means, Shown):
            self._change(info, given)
        open_ = self._redacted(info, given)
        if open_.event is not None and (self._hides or isinstance(info.means, ASIDE)):
            self._aside.append(open_.event)
        elif open_.event is not None:
            yield from self._difference()
            yield from self._acted()
            yield from self._announced(info, open_.event)
        if isinstance(info.means, EventHappened):
            self._control.event_began()
        self._enter(info, open_)

    def _may_hear_of(self, info: NoteInfo, given: RecordValues) -> bool:
        return not given or self._visible.action(self.viewer, info.sees, given[0][0])

    def _redacted(self, info: NoteInfo, given: RecordValues) -> Open:
        """The event without what the seat does not see; nothing if it may not know of it at all."""
        means = info.means
        unseen = isinstance(means, Rolled | Drawn) and means.unseen
        if unseen or not self._may_hear_of(info, given) or (isinstance(means, NAMES) and self._hides):
            return Open()
        hidden = frozenset(n for n in range(len(given)) if not self._sees(info, given, n))
        if isinstance(means, RuleApplied) and hidden:
            return Open()  # its name would tell whose it is
        open_ = self._opened(info, given, hidden)
        if open_.event is None or isinstance(means, ActionBegan | EventHappened):
            return open_
        # which statement acted, or which rule, may be hidden: an `if` with the same effect on both sides
        here = self._here
        return Open(
            replace(open_.event, span=here.span, clauses=here.clauses, pack=here.pack), open_.sentence
        )

    def _sees(self, info: NoteInfo, given: RecordValues, n: int) -> bool:
        match info.arguments[n].type:
            case Thing(kind=kind):
                things = [thing for thing in given[n] if thing]
            case SetOf(kind=kind):
                things = paths.set_members(given[n])
            case _:
                return not info.arguments[n].hidden
        return all(self._visible.thing(self.viewer, kind, thing) for thing in things)

    # --- the table ---

    def _difference(self) -> Iterator[Event]:
        """The changes that the seat sees since the last told event."""
        before, self._begun = self._begun, self._visible
        restarted, self._restarted = self._restarted, set()
        aside, self._aside = sorted(self._aside, key=str), []
        if before is not self._begun:
            seen = ViewDiff(self._variant, self.viewer, before, self._begun, restarted).events(self._here)
            shown = {event["thing"] for event in aside if event.name == "show"}
            aside += [event for event in seen if event.name != "show" or event["thing"] not in shown]
        if aside:
            yield from self._acted()
        yield from sorted(aside, key=_is_last)

    @property
    def _here(self) -> Event:
        """A change without a name, at the place of the event or action around it."""
        around = [open_.event for open_ in (self._action, *self._around) if open_.event is not None]
        place = around[-1] if around else None
        return self._event("", (), place.span if place else NOWHERE, place.clauses if place else ())


def _is_last(event: Event) -> bool:
    return event.name.startswith("finish ")
