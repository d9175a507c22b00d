"""Scenario -> complaints: plays it strictly; the first thing that goes wrong ends it."""

from __future__ import annotations

from typing import Any

from ruleforge.diagnostics import Report, Span
from ruleforge.engine.choice import Choice
from ruleforge.engine.decision import Decision
from ruleforge.engine.errors import IllegalChoice, PathError, PlayError
from ruleforge.engine.game import Game
from ruleforge.engine.state import State
from ruleforge.play.agents import make_agent
from ruleforge.play.session import Session
from ruleforge.scenarios.scenario import Scenario, Step
from ruleforge.scenarios.strangers import answer_to_strangers

HIDDEN = "hidden"


class Failure(Exception):
    """A scenario that does not hold: code, words and place."""

    def __init__(self, code: str, message: str, span: Span, help: str | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.span, self.help = code, message, span, help


def run_scenario(
    game: Game, scenario: Scenario, report: Report, strangers: frozenset[str] = frozenset()
) -> bool:
    """Whether the scenario holds; if not, the report says where it failed. `strangers` are packs it does not know."""
    try:
        _Run(game, scenario, strangers).run()
    except Failure as failure:
        report.add(failure.code, failure.message, failure.span, failure.help)
        return False
    return True


class _Run:
    def __init__(self, game: Game, scenario: Scenario, strangers: frozenset[str]) -> None:
        self._scenario = scenario
        self._strangers = strangers
        self._dice = list(scenario.dice or ())
        try:
            start = game.start(
                players=scenario.players,
                seed=scenario.seed,
                options=scenario.options,
                chance="explicit" if scenario.is_scripted else "sampled",
            )
        except PlayError as error:
            raise Failure(error.code, error.message, scenario.span) from None
        self._session = Session(start)
        self._excused: tuple[str, ...] = ()  # invariants that the given values themselves break
        self._roll()
        if scenario.start:
            self._give(scenario.start, scenario.start_spans)

    @property
    def _state(self) -> State:
        return self._session.state

    def run(self) -> None:
        for step in self._scenario.steps:
            match step.word:
                case "given":
                    self._give(step.content, step.spans)
                case "expect":
                    self._expect(step)
                case "refuse":
                    self._refuse(step)
                case "sees":
                    self._sees(step)
                case "plays":
                    self._plays(step)
                case "outcome":
                    self._outcome(step)
                case _:
                    self._choose(step)
        self._finished()

    # --- playing ---

    def _give(self, values: dict[str, Any], spans: dict[str, Span]) -> None:
        """Write values into the position and go on from there."""
        try:
            self._session = Session(self._state.patched(values))
        except PathError as error:
            raise Failure(error.code, error.message, spans.get(error.path, self._scenario.span)) from None
        except PlayError as error:
            raise Failure(error.code, error.message, self._scenario.span) from None
        self._excused = self._state.violations()
        self._roll()

    def _roll(self) -> None:
        """Answer decisions of chance from the script, as far as it reaches, and what strangers ask."""
        while (decision := self._state.decision) is not None:
            unasked = answer_to_strangers(self._state, self._strangers)
            if unasked is not None:
                self._session.apply(unasked)
            elif self._dice and decision.is_chance:
                self._session.apply(self._die(decision))
            else:
                break

    def _die(self, decision: Decision) -> Choice:
        die = self._dice.pop(0)
        fitting = [c for c in self._state.choices if die in (c.text, " ".join(c.arguments))]
        if not fitting:
            possible = ", ".join(choice.text for choice in self._state.choices[:8])
            message = f"`{die}` cannot come up for: {decision.prompt}"
            raise Failure("RF853", message, self._scenario.dice_span, f"possible: {possible}")
        return fitting[0]

    def _choose(self, step: Step) -> None:
        self._must_decide(step.word, step)
        self._apply(step.content, step)

    def _plays(self, step: Step) -> None:
        """A profile chooses for a seat, and it is done."""
        self._must_decide(step.content["player"], step)
        profile, wanted = step.content["profile"], " ".join(step.content["choice"].split())
        try:
            found = make_agent(profile, 0, self._state.game.compiled.profiles).choose(self._state).text
        except PlayError as error:
            raise Failure(error.code, error.message, step.spans["profile"]) from None
        if found != wanted:
            raise Failure("RF851", f"`{profile}` chooses `{found}`, not `{wanted}`", step.spans["choice"])
        self._apply(found, step)

    def _must_decide(self, player: str, step: Step) -> None:
        decision = self._state.decision
        if decision is None:
            raise Failure("RF803", f"the game is over: {self._state.outcome}", step.span)
        if player not in (*self._state.players, "chance"):
            players = ", ".join(self._state.players)
            raise Failure("RF850", f"there is no player `{player}`", step.span, f"the players are {players}")
        if decision.player != player:
            raise Failure(*self._unanswered(decision.player, decision.prompt), step.span)

    def _apply(self, text: str, step: Step) -> None:
        try:
            self._session.apply(text)
        except IllegalChoice as refusal:
            reason = refusal.reasons[0]
            raise Failure(refusal.code, str(reason), step.span) from None
        self._hold(text, step)
        self._roll()

    def _hold(self, text: str, step: Step) -> None:
        """What must always hold, holds whenever somebody chooses."""
        broken = [i for i in self._state.broken_invariants() if i.name not in self._excused]
        if broken and self._state.choices:
            first = broken[0]
            says = f": {first.text}" if first.text else ""
            message = f"after `{text}` the invariant `{first.name}` does not hold{says}"
            cites = f" [{', '.join(first.clauses)}]" if first.clauses else ""
            raise Failure("RF855", message, step.span, f"it is written at {first.span}{cites}")

    def _unanswered(self, player: str, prompt: str) -> tuple[str, str]:
        if player == "chance":
            return "RF853", f"the dice run out: {prompt}"
        return "RF852", f"`{player}` must decide first: {prompt}"

    def _finished(self) -> None:
        span = self._scenario.steps[-1].span
        if self._dice:
            raise Failure("RF853", f"dice are left over: {', '.join(self._dice)}", self._scenario.dice_span)
        decision = self._state.decision
        if decision is None:
            return
        if decision.is_chance:
            raise Failure(*self._unanswered(decision.player, decision.prompt), span)
        if self._session.action_in_progress and self._scenario.steps[-1].word in self._state.players:
            message = f"the scenario stops in the middle of an action: {decision.prompt}"
            raise Failure(
                "RF852", message, span, f"`{decision.player}` has {len(self._state.choices)} choices"
            )

    # --- looking ---

    def _expect(self, step: Step) -> None:
        for path, wanted in step.content.items():
            try:
                found = self._read(path, wanted)
            except PlayError as error:
                raise Failure(error.code, error.message, step.spans[path]) from None
            if not _equal(found, wanted, ordered=self._state.is_ordered(path)):
                message = f"`{path}` is {_shown(found)}, not {_shown(wanted)}"
                raise Failure("RF851", message, step.spans[path])

    def _read(self, path: str, wanted: Any) -> Any:
        if path != "choices":
            return self._state[path]
        if isinstance(wanted, int):
            return len(self._state.choices)
        return [choice.text for choice in self._state.choices]

    def _refuse(self, step: Step) -> None:
        text, player = step.content["choice"], step.content.get("player")
        try:
            reasons = self._state.why_not(text, player)
        except PlayError as error:
            raise Failure(error.code, error.message, step.span) from None
        if not reasons:
            raise Failure("RF854", f"`{text}` is possible here", step.span)
        code = step.content.get("code")
        if code is not None and code not in {reason.code for reason in reasons}:
            message = f"`{text}` is refused with {reasons[0].code}, not {code}: {reasons[0]}"
            raise Failure("RF854", message, step.spans["code"])
        why = step.content.get("why")
        if why is not None and not any(why.lower() in str(reason).lower() for reason in reasons):
            raise Failure("RF854", f"`{text}` is refused because {reasons[0]}", step.spans["why"])

    def _sees(self, step: Step) -> None:
        player = step.content["player"]
        try:
            view = self._state.view(player)
        except PlayError as error:
            raise Failure(error.code, error.message, step.spans["player"]) from None
        for path, wanted in step.content.items():
            if path == "player":
                continue
            try:
                found = _seen(self._state, view, path)
            except PlayError as error:
                raise Failure(error.code, error.message, step.spans[path]) from None
            if not _equal(found, wanted, ordered=self._state.is_ordered(path)):
                message = f"`{player}` sees `{path}` as {_shown(found)}, not as {_shown(wanted)}"
                raise Failure("RF851", message, step.spans[path])

    def _outcome(self, step: Step) -> None:
        outcome = self._state.outcome
        if outcome is None:
            raise Failure("RF851", "the game goes on", step.span)
        found = {"reason": outcome.reason, "winners": list(outcome.winners), "scores": dict(outcome.scores)}
        for key, wanted in step.content.items():
            if not _equal(found[key], wanted):
                message = f"the {key} is {_shown(found[key])}, not {_shown(wanted)}"
                raise Failure("RF851", message, step.spans[key])


def _seen(state: State, view: dict[str, Any], path: str) -> Any:
    """A path as a view shows it: `hidden` for an attribute left out and for each thing not shown."""
    state[path]  # an unknown path is a mistake, not a secret
    short = state.canonical(path)
    if short in view["attributes"]:
        return view["attributes"][short]
    if short in view["places"]:
        content = view["places"][short]
        if isinstance(content, list):
            names = [HIDDEN if _anonymous(name) else name for name in content]
            return HIDDEN if names and set(names) == {HIDDEN} else names
        return HIDDEN if _anonymous(content) else content
    if path.startswith(("decision.", "outcome.")):
        return state[path]
    return HIDDEN


def _anonymous(entry: Any) -> bool:
    return entry == "?" or isinstance(entry, dict)


def _equal(found: Any, wanted: Any, ordered: bool = False) -> bool:
    """Whether a value is the one written down; the order of a list counts only where the rules keep one."""
    if found is None:
        return wanted in (None, "none")
    if isinstance(found, dict) and isinstance(wanted, dict):
        return all(name in found and found[name] == value for name, value in wanted.items())
    if isinstance(found, list) and isinstance(wanted, list):
        return found == wanted or (not ordered and sorted(map(str, found)) == sorted(map(str, wanted)))
    if isinstance(found, bool) != isinstance(wanted, bool):
        return False
    return bool(found == wanted)


def _shown(value: Any) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case list():
            return f"[{', '.join(map(_shown, value))}]"
        case dict():
            return f"{{{', '.join(f'{name}: {_shown(entry)}' for name, entry in value.items())}}}"
    return str(value)
