"""Denial in play: windows in a row in which packs take an action from a player."""

from __future__ import annotations

import random
from functools import cached_property
from pathlib import Path

from ruleforge.analysis.effects.values import conjuncts
from ruleforge.contracts.denial import columns_of
from ruleforge.contracts.model import Denial
from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import PlayError
from ruleforge.engine.game import Game
from ruleforge.engine.loader import load
from ruleforge.engine.state import State
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import FlagT
from ruleforge.play.timeline import Moment
from ruleforge.tools.counterexamples.leads import Lead
from ruleforge.tools.counterexamples.monitors import PLENTY, SCANT, Monitor

OPENING = 400  # choices in which the core alone comes to a window
ANSWERS = 30  # of one action
_DECLINING = ("done", "decline")


class DenialMonitor(Monitor):
    """Counts, for each seat, the windows in a row in which the action is denied."""

    open_chance = True

    def __init__(self, lead: Lead) -> None:
        super().__init__(lead)
        contract = lead.trial.contract
        clauses = set(lead.fault.clauses)
        self._denial = next(d for d in contract.denial if clauses & {*d.clause, *d.endless, *d.cites})
        rules = lead.trial.rules
        columns = [c for c in rules.columns.values() if c.kind.seats and not c.per and not c.constant]
        self._flags = [c.name for c in columns if isinstance(c.type, FlagT) and not lead.trial.owner(c.span)]
        needs = conjuncts(*rules.actions[self._denial.of].needs)
        ways = columns_of(tuple(test for test in needs if isinstance(test, t.Not)))
        self._twins = Twins(lead.trial.analysis.path, self._denial, frozenset(ways))

    @property
    def levels(self) -> tuple[int, ...]:
        return (PLENTY, SCANT, 4, 7, 2)

    def prepare(self) -> None:
        self._twins.prepare()

    def begin(self, moment: Moment) -> None:
        self._row: dict[str, int] = {}
        self._taking: tuple[Moment, State] | None = None
        self._opened(moment)

    def prefers(self, state: State) -> Choice | None:
        """An action that may come to nothing is taken, with the best of luck; else it is kept for later."""
        if self._taking is not None:
            return _first(state, self._denial.of) or answered(state)
        others = [c for c in state.choices if c.action != self._denial.of]
        mine = any(c.action == self._denial.of for c in state.choices)
        return next((c for c in others if c.text in _DECLINING), None) if mine and others else None

    def shown(self, moment: Moment, choice: Choice) -> bool:
        if self._taking is not None:
            return self._is_over(moment) and self._came_to(moment)
        before = moment.before
        assert before is not None
        return self._seat(moment) != self._seat(before) and self._opened(moment)

    def _seat(self, moment: Moment) -> str:
        """The player whose window it is; empty outside the window."""
        decision = moment.state.decision
        return decision.player if decision is not None and decision.kind == self._denial.window else ""

    def _opened(self, moment: Moment) -> bool:
        seat = self._seat(moment)
        twin = self._twins.of(moment.state, seat) if seat else None
        if twin is None or _first(twin, self._denial.of) is None:
            return False
        if _first(moment.state, self._denial.of) is not None:
            self._taking = (moment, twin)
            return False
        self.look(moment, refuse={"choice": self._denial.of, "player": seat})
        return self._denied(seat, True)

    def _is_over(self, moment: Moment) -> bool:
        assert self._taking is not None
        decision = moment.state.decision
        return decision is None or self._lead_phase(decision.kind)

    def _lead_phase(self, kind: str) -> bool:
        return self.lead.trial.phase(kind) is not None

    def _came_to(self, moment: Moment) -> bool:
        """Whether the action had no effect here, but has one in the core alone."""
        assert self._taking is not None
        (first, twin), self._taking = self._taking, None
        seat = self._seat(first)
        done = self._twins.done(twin)
        paths = [f"{seat}.{name}" for name in self._flags]
        missed = [p for p in paths if done is not None and done[p] != twin[p] and moment.state[p] == twin[p]]
        if missed:
            self.look(moment, expect={path: moment.state[path] for path in missed})
        return self._denied(seat, bool(missed)) or self._opened(moment)

    def _denied(self, seat: str, denied: bool) -> bool:
        self._row[seat] = self._row.get(seat, 0) + 1 if denied else 0
        return self._row[seat] > self._denial.covers


class Twins:
    """The same position in the core alone, without the core's own ways to deny (`player.banned`)."""

    def __init__(self, core: Path, denial: Denial, ways: frozenset[str]) -> None:
        self._path, self._denial = core, denial
        self._ways = frozenset(way.rpartition(".")[2] for way in ways)
        self._windows: dict[str, State | None] = {}

    @cached_property
    def _core(self) -> Game:
        return load(self._path)

    def prepare(self) -> None:
        """Play the core to the window of every seat."""
        for seat in self._core.start(seed=0, chance="explicit").players:
            self._windows[seat] = self._window(seat)

    def of(self, state: State, seat: str) -> State | None:
        """The core waiting in the same window, with all it has of the position."""
        found = self._windows.get(seat)
        if found is None:
            return None
        values = {}
        for path in found.paths():
            attribute = path.partition("[")[0].rpartition(".")[2]
            if "(" in path or path.startswith(("decision.", "outcome.")) or attribute in self._ways:
                continue
            try:
                value = state[path]
                if found[path] != value:
                    found.patched({path: "none" if value is None else value})
                    values[path] = "none" if value is None else value
            except PlayError:
                continue
        try:
            return found.patched(values)
        except PlayError:
            return None

    def _window(self, seat: str) -> State | None:
        rng = random.Random(0)
        state = self._core.start(seed=0, chance="explicit")
        for _ in range(OPENING):
            decision = state.decision
            if decision is None:
                return None
            if decision.kind == self._denial.window and decision.player == seat:
                return state
            state.apply(rng.choice(state.choices))
        return None

    def done(self, twin: State) -> State | None:
        """The position after the action was taken with the best of luck."""
        state = twin.copy()
        choice = _first(state, self._denial.of)
        for _ in range(ANSWERS):
            if choice is None:
                return state
            try:
                state.apply(choice)
            except PlayError:
                return None
            decision = state.decision
            going_on = decision is not None and not any(c.action for c in state.choices)
            choice = answered(state) if going_on else None
        return None


def answered(state: State) -> Choice | None:
    """The last answer: the highest of dice, the most of everything."""
    answers = [c for c in state.choices if c.text not in _DECLINING]
    return (answers or list(state.choices))[-1]


def _first(state: State, action: str) -> Choice | None:
    return next((choice for choice in state.choices if choice.action == action), None)
