"""Monitors of faults: each follows a line of play and reports when the fault shows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ruleforge.analysis.effects.summary import name_of
from ruleforge.contracts.model import Flow
from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import IllegalChoice, PlayError
from ruleforge.engine.state import State
from ruleforge.lang.checker.types import NumberT
from ruleforge.play.timeline import Moment
from ruleforge.tools.counterexamples.leads import Lead

PLENTY, SCANT, BEYOND = 60, 12, 5000  # amounts: enough, hardly enough, more than any player ever has
REPETITIONS = 3  # so often the same thing has to happen in one turn
MUCH = 100  # more than a bounded player gains at once
_DECLINING = ("done", "decline")
Step = dict[str, Any]


class Monitor:
    """Sees every moment of one line of play after the other; `looks` are the steps of a scenario that show the fault."""

    open_chance = False  # whether the results of chance are chosen too

    def __init__(self, lead: Lead) -> None:
        self.lead = lead
        self.looks: dict[int, list[Step]] = {}  # by the number of the moment after which they follow
        self.twin: dict[str, Any] = {}  # another position in which the line is looked at once more
        self.after: list[Step] = []  # what is looked at there

    @property
    def levels(self) -> tuple[int, ...]:
        """The amounts of resources for all players, with the likeliest to show the fault first."""
        return (PLENTY, SCANT, BEYOND)

    def prepare(self) -> None:
        """Compute data that is slow to get and needed for every line."""

    def start(self, moment: Moment) -> None:
        """A line begins at a position that has been set up."""
        self.looks, self.twin, self.after = {}, {}, []
        self.begin(moment)

    def begin(self, moment: Moment) -> None:
        """Clear the data of a line."""

    def prefers(self, state: State) -> Choice | None:
        """The choice needed here on the way to the fault."""
        return None

    def shown(self, moment: Moment, choice: Choice) -> bool:
        """Has the choice that led to this moment shown the fault?"""
        return False

    def refused(self, moment: Moment, choice: Choice, refusal: IllegalChoice) -> bool:
        """Has a choice that was taken back shown it?"""
        return False

    def look(self, moment: Moment, **steps: Step) -> None:
        self.looks.setdefault(moment.number, []).extend({word: content} for word, content in steps.items())

    def _acted(self, moment: Moment, choice: Choice) -> set[str]:
        """The effects of the fault that had a part in a step."""
        found = {choice.action} & self.lead.names if choice.action else set()
        return found | {name for event in moment.events for name in _rules_in(event.name)} & self.lead.names


def _rules_in(name: str) -> Iterator[str]:
    word, _, rest = name.partition(" ")
    if word in ("rule", "event"):
        yield rest


class LoopMonitor(Monitor):
    """A choice that is taken back because of an endless chain; or the same question over and over."""

    CHAINS = ("RF810", "RF812", "RF813", "RF816", "RF818", "RF829")

    def begin(self, moment: Moment) -> None:
        self._decisions = 0

    def refused(self, moment: Moment, choice: Choice, refusal: IllegalChoice) -> bool:
        reason = refusal.reasons[0]
        named = [name for name in sorted(self.lead.names) if name in str(reason)]
        named = named or [name for name in self._overrun(moment.state) if f"`{name}`" in str(reason)]
        if reason.code not in self.CHAINS or not (named or reason.pack):
            return False
        why = {"why": named[0]} if named else {}
        self.look(moment, refuse={"choice": choice.text, "code": reason.code, **why})
        return True

    def _overrun(self, state: State) -> Iterator[str]:
        """Attributes that the rules change by so little that leaving their range in one choice takes many iterations."""
        for write in (w for effect in self.lead.effects for w in effect.writes):
            type_, step = write.column.type, max(abs(write.amount.low), abs(write.amount.high))
            if not isinstance(type_, NumberT) or write.op == "set" or not math.isfinite(step):
                continue
            things = state.players if write.column.kind.seats else write.column.kind.things
            values = [_number(state, f"{thing}.{write.column.name}") for thing in things]
            up = write.op == "up"
            room = type_.high - max(values, default=0) if up else min(values, default=0) - type_.low
            if room > REPETITIONS * step:
                yield name_of(write.column)

    def shown(self, moment: Moment, choice: Choice) -> bool:
        before = moment.before
        decision = before.state.decision if before is not None else None
        if choice.action is not None or decision is None:
            self._decisions = 0
        elif decision.pack == self.lead.fault.by and choice.text not in _DECLINING:
            self._decisions += 1
        if self._decisions < REPETITIONS or moment.state.decision is None:
            return False
        self.look(moment, expect={"decision.prompt": moment.state.decision.prompt})
        return moment.state.decision.pack == self.lead.fault.by


class GainMonitor(Monitor):
    """One gain above any bound, or the same gain again and again in one turn."""

    def __init__(self, lead: Lead) -> None:
        super().__init__(lead)
        self._bounded = {
            bounded.of.text: bounded
            for bounded in lead.trial.contract.bounded
            if set(bounded.cites) & set(lead.fault.clauses)
        }
        writes = [w for effect in lead.effects for w in effect.writes if name_of(w.column) in self._bounded]
        self._endless = any(not math.isfinite(w.amount.high) for w in writes)
        self._columns = {w.column for w in writes}

    @property
    def levels(self) -> tuple[int, ...]:
        return (BEYOND, PLENTY) if self._endless else (PLENTY, SCANT, BEYOND)

    def begin(self, moment: Moment) -> None:
        self._turn: object = _turn(moment.state)
        self._repetitions: list[tuple[Moment, str]] = []

    def shown(self, moment: Moment, choice: Choice) -> bool:
        before = moment.before
        assert before is not None
        if _turn(moment.state) != self._turn:
            self._turn, self._repetitions = _turn(moment.state), []
        for path, name, gain in self._risen(before.state, moment.state):
            if not self._acted(moment, choice):
                continue
            if self._endless:
                warn = self._bounded[name].warn or 0
                if gain > max(warn, MUCH):
                    self.look(before, expect={path: before.state[path]})
                    self.look(moment, expect={path: moment.state[path]})
                    return True
                continue
            self._repetitions.append((moment, path))
            of_path = [(m, p) for m, p in self._repetitions if p == path]
            if len(of_path) >= REPETITIONS:
                for m, p in of_path:
                    self.look(m, expect={p: m.state[p]})
                return True
        return False

    def _risen(self, before: State, after: State) -> Iterator[tuple[str, str, int]]:
        for column in self._columns:
            things = after.players if column.kind.seats else column.kind.things
            for thing in things:
                path = f"{thing}.{column.name}"
                old, new = before[path], after[path]
                if isinstance(old, int) and isinstance(new, int) and new > old:
                    yield path, name_of(column), new - old


class FlowMonitor(Monitor):
    """Less of the one and more of the other for the same player; or more of it right after an event."""

    def __init__(self, lead: Lead) -> None:
        super().__init__(lead)
        flows = [flow for flow in lead.trial.contract.flows if set(flow.cites) <= set(lead.fault.clauses)]
        spans = [span for _, span in lead.fault.core]
        self._flow: Flow | None = next((flow for flow in flows if flow.span in spans), None)

    def begin(self, moment: Moment) -> None:
        self._since: Moment | None = None
        self._seen: set[str] = set()
        self._least: dict[str, int] = {}

    def shown(self, moment: Moment, choice: Choice) -> bool:
        before, flow = moment.before, self._flow
        assert before is not None
        if flow is None:
            return False
        source = flow.source.partition(".")[2]
        watched = [name.partition(".")[2] for name in (flow.source, *flow.into) if name]
        moved = any(
            before.state[f"{p}.{n}"] != moment.state[f"{p}.{n}"]
            for p in before.state.players
            for n in watched
        )
        mine = choice.action in self.lead.names
        if not (moved or mine):
            return False
        self._seen |= self._acted(moment, choice)
        if not self._seen:
            return False
        if self._since is None:
            self._since = before
        for seat in moment.state.players:
            if source:
                path = f"{seat}.{source}"
                self._least[seat] = min(
                    self._least.get(seat, _number(self._since.state, path)), _number(moment.state, path)
                )
            for name in flow.into:
                if self._gained(seat, name.partition(".")[2], source, before, moment):
                    return True
        return False

    def _gained(self, seat: str, name: str, source: str, before: Moment, moment: Moment) -> bool:
        assert self._since is not None
        path = f"{seat}.{name}"
        first = self._since.state
        risen = _number(moment.state, path) > max(_number(before.state, path), _number(first, path))
        paid = not source or self._least[seat] < _number(first, f"{seat}.{source}")
        if not (risen and paid and self._seen >= self.lead.names):
            return False
        watched = [f"{seat}.{source}", path] if source else [path]
        self.look(self._since, expect={p: first[p] for p in watched})
        self.look(moment, expect={p: moment.state[p] for p in watched})
        return True


class ChanceMonitor(Monitor):
    """Dice of a pack, or a question of it, in the middle of something that follows from the position alone."""

    open_chance = True

    def shown(self, moment: Moment, choice: Choice) -> bool:
        decision = moment.state.decision
        if decision is None or decision.pack != self.lead.fault.by:
            return False
        if any(other.action is not None for other in moment.state.choices):
            return False  # it offers actions, and asks nothing in the middle of one
        self.look(moment, expect={"decision.player": decision.player, "decision.prompt": decision.prompt})
        return True


def _number(state: State, path: str) -> int:
    value = state[path]
    return value if isinstance(value, int) else 0


def _turn(state: State) -> object:
    try:
        return state.evaluate("active")
    except PlayError:
        return None
