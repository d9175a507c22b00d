"""Secrecy in play: a seat sees hidden information, or hidden information changes its choices."""

from __future__ import annotations

import random
from typing import Any

from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import PlayError
from ruleforge.engine.state import State
from ruleforge.play.scenario_text import as_written
from ruleforge.play.timeline import Moment
from ruleforge.tools.counterexamples.leads import Lead
from ruleforge.tools.counterexamples.monitors import Monitor

WORLDS = 4  # other worlds that are looked at for each decision
HIDDEN = "hidden"


class SecrecyMonitor(Monitor):
    """Compares the views of seats before and after a step, and their choices in twin positions."""

    def __init__(self, lead: Lead) -> None:
        super().__init__(lead)
        clauses = set(lead.fault.clauses)
        clauses_here = [s for s in lead.trial.contract.secrecy if set(s.cites) <= clauses]
        self._keep = {name for secrecy in clauses_here for name in secrecy.keep}
        self._columns = {name.partition(".")[2] for name in self._keep if "." in name}
        self._formulas = [name for name in lead.fault.rules if name in lead.trial.rules.formulas]
        self._looking = any(c.kind == "look" for effect in lead.effects for c in effect.changes)

    def shown(self, moment: Moment, choice: Choice) -> bool:
        if self._formulas:
            return any(self._formula_tells(moment, seat) for seat in moment.state.players)
        if self._looking:
            return self._is_opened(moment, choice)
        return self._differs(moment)

    # --- a formula that is shown ---

    def _formula_tells(self, moment: Moment, seat: str) -> bool:
        state = moment.state
        seen = state.view(seat)["attributes"]
        for path, value in seen.items():
            head, bracket, rest = path.partition("[")
            first, _, name = head.rpartition(".")
            if name not in self._formulas:
                continue
            for column in self._columns:
                secret = f"{first}.{column}{bracket}{rest}"
                if _exists(state, secret) and secret not in seen and value == state[secret]:
                    self.look(moment, sees={"player": seat, secret: HIDDEN, path: as_written(value)})
                    return True
        return False

    # --- a look ---

    def _is_opened(self, moment: Moment, choice: Choice) -> bool:
        before = moment.before
        assert before is not None
        for seat in moment.state.players:
            if not moment.state.has_learned_since(before.state, seat):
                continue
            old, new = _places(before.state, seat), _places(moment.state, seat)
            for path, shown in new.items():
                unmoved = before.state[path] == moment.state[path]
                if (
                    self._is_secret(path)
                    and unmoved
                    and old.get(path) != shown
                    and self._acted(moment, choice)
                ):
                    self.look(before, sees={"player": seat, path: old[path]})
                    self.look(moment, sees={"player": seat, path: shown})
                    return True
        return False

    def _is_secret(self, path: str) -> bool:
        return _name(path) in self._keep

    # --- acting by what is hidden ---

    def _differs(self, moment: Moment) -> bool:
        """Whether the choices tell the deciding player which of two worlds is true."""
        state, decision = moment.state, moment.state.decision
        if decision is None or decision.is_chance:
            return False
        mine = self._own(state)
        rng = random.Random(moment.number)
        hidden = self._dealt(state, decision.player)
        for _ in range(WORLDS if hidden else 0):
            values = _dealt_anew(hidden, rng)
            other = _given(state, values)
            secret = next((path for path in values if self._is_secret(path)), None)
            if other is None or secret is None or self._own(other) == mine:
                continue
            sees = {"player": decision.player, secret: HIDDEN}
            self.look(moment, sees=sees, expect={"choices": [c.text for c in state.choices]})
            self.twin = values
            self.after = [{"sees": sees}, {"expect": {"choices": [c.text for c in other.choices]}}]
            return True
        return False

    def _dealt(self, state: State, seat: str) -> dict[str, list[str]]:
        """The contents of places that a seat cannot see, by path; only kinds of the kept places count."""
        kinds = {p.holds.name for p in self.lead.trial.rules.places.values() if p.name in self._keep}
        kinds_by_place = {p.name: p.holds.name for p in self.lead.trial.rules.places.values()}
        found: dict[str, list[str]] = {}
        for path, seen in _places(state, seat).items():
            content = state[path]
            if seen == HIDDEN and isinstance(content, list) and kinds_by_place.get(_name(path)) in kinds:
                found[path] = [str(thing) for thing in content]
        return found

    def _own(self, state: State) -> set[str]:
        """The choices that the pack adds."""
        names = self.lead.names
        return {choice.text for choice in state.choices if choice.action is None or choice.action in names}


def _dealt_anew(hidden: dict[str, list[str]], rng: random.Random) -> dict[str, Any]:
    """The same things in other places, as many in each as before; what changes."""
    things = [thing for content in hidden.values() for thing in content]
    rng.shuffle(things)
    values: dict[str, Any] = {}
    for path, content in hidden.items():
        values[path], things = things[: len(content)], things[len(content) :]
    return {path: content for path, content in values.items() if content != hidden[path]}


def _given(state: State, values: dict[str, Any]) -> State | None:
    try:
        return state.patched(values)
    except PlayError:
        return None


def _name(path: str) -> str:
    return path.partition("[")[0].rpartition(".")[2]


def _exists(state: State, path: str) -> bool:
    try:
        state[path]
    except PlayError:
        return False
    return True


def _places(state: State, seat: str) -> dict[str, Any]:
    """The view of a seat on every place, as a scenario writes it."""
    found: dict[str, Any] = {}
    for path, content in state.view(seat)["places"].items():
        if isinstance(content, list):
            names = [HIDDEN if _is_anonymous(name) else name for name in content]
            found[path] = HIDDEN if names and set(names) == {HIDDEN} else names
        else:
            found[path] = HIDDEN if _is_anonymous(content) else as_written(content)
    return found


def _is_anonymous(entry: Any) -> bool:
    return entry == "?" or isinstance(entry, dict)
