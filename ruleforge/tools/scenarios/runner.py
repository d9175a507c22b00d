"""Plays a scenario strictly and stops at the first failure."""

from __future__ import annotations

from typing import Any

from ruleforge.backends.artifacts.setup import BEGIN
from ruleforge.engine.choice import Choice, Decision
from ruleforge.engine.errors import IllegalChoice, PathError, PlayError, Reason
from ruleforge.engine.game import Game
from ruleforge.engine.state import State
from ruleforge.play.agents import make_agent
from ruleforge.play.session import Session, Turn
from ruleforge.support.diagnostics import Diagnostic, Report, Span
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import counted
from ruleforge.tools.scenarios.pack_questions import answer_unknown_pack
from ruleforge.tools.scenarios.scenario import Scenario, Step, spoken_among
from ruleforge.tools.scenarios.values import equal, seen, shown


@dataclass(frozen=True, slots=True)
class Unmet:
    """An expectation that does not hold: where its value is written, what it is, and what there is instead."""

    place: Span
    path: str
    wanted: Any
    found: Any


class Failure(Exception):
    """A scenario that does not hold: code, words and place; of an expectation also what there is instead."""

    def __init__(
        self, code: str, message: str, span: Span, help: str | None = None, unmet: Unmet | None = None
    ) -> None:
        super().__init__(message)
        self.problem = Diagnostic(code, message, span, help)
        self.unmet = unmet


@dataclass(frozen=True, slots=True)
class ScenarioRun:
    """A run of a scenario: its failure, failed expectation, steps and last state."""

    problem: Diagnostic | None
    unmet: tuple[Unmet, ...]
    turns: tuple[Turn, ...]
    last: State | None = None


def run_scenario(
    game: Game, scenario: Scenario, report: Report, unknown_packs: frozenset[str] = frozenset()
) -> bool:
    """Whether the scenario holds; else the report says where it failed. `unknown_packs` are packs it does not know."""
    played = play_scenario(game, scenario, unknown_packs)
    if played.problem is not None:
        report.include(played.problem)
    return played.problem is None


def play_scenario(
    game: Game, scenario: Scenario, unknown_packs: frozenset[str] = frozenset(), on: bool = False
) -> ScenarioRun:
    """Play it to its end, or to the first thing that goes wrong; with `on` beyond expectations that do not hold."""
    run, problem = _Run(spoken_among(scenario, game.info.packs), unknown_packs, on), None
    try:
        run.start(game)
        run.run()
    except Failure as failure:
        problem = failure.problem
        run.unmet += [failure.unmet] if failure.unmet else []
    return ScenarioRun(problem or run.first, tuple(run.unmet), tuple(run.turns), run.last)


class _Run:
    def __init__(self, scenario: Scenario, unknown_packs: frozenset[str], on: bool) -> None:
        self._scenario = scenario
        self._unknown_packs = unknown_packs
        self._on = on
        self._dice = list(scenario.dice or ())
        self._excused: tuple[str, ...] = ()  # invariants that the given values themselves break
        self._before: list[Turn] = []  # made before values were given
        self._session: Session | None = None
        self._waits = False  # for the end of the set-up, to begin with another phase
        self.unmet: list[Unmet] = []
        self.first: Diagnostic | None = None  # the first expectation that did not hold, where we go on

    def start(self, game: Game) -> None:
        scenario = self._scenario
        try:
            start = game.start(
                players=scenario.players,
                seed=scenario.seed,
                options=scenario.options,
                chance="explicit" if scenario.is_scripted else "sampled",
                begin=scenario.begin,
            )
        except PlayError as error:
            raise Failure(error.code, error.message, scenario.span) from None
        self._session = Session(start)
        self._roll()
        self._waits = scenario.begin is not None
        if self._waits:
            self._begin()
        elif scenario.start:
            self._give(scenario.start, scenario.start_spans)

    @property
    def turns(self) -> list[Turn]:
        return [*self._before, *(self._session.turns if self._session else ())]

    @property
    def last(self) -> State | None:
        """The state in which it ended; None if it never began."""
        return self._session.state.copy() if self._session else None

    @property
    def _play(self) -> Session:
        assert self._session is not None
        return self._session

    @property
    def _state(self) -> State:
        return self._play.state

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
            if self._waits:
                self._begin()
        if self._waits:
            self._go()
        self._finished()

    # --- playing ---

    def _give(self, values: dict[str, Any], spans: dict[str, Span]) -> None:
        """Write values into the position and go on from there."""
        try:
            patched = self._state.patched(values)
        except PathError as error:
            raise Failure(error.code, error.message, spans.get(error.path, self._scenario.span)) from None
        except PlayError as error:
            raise Failure(error.code, error.message, self._scenario.span) from None
        self._before, self._session = self.turns, Session(patched)
        self._excused = self._state.violations()
        self._roll()

    def _begin(self) -> None:
        """Set the start position after the set-up, and begin the flow with the requested phase.

        The first steps answer the questions of the set-up.
        """
        if any(choice.text == BEGIN for choice in self._state.choices):
            if self._scenario.start:
                self._give(self._scenario.start, self._scenario.start_spans)
            self._waits = False
            self._go()

    def _go(self) -> None:
        try:
            self._play.apply(BEGIN)
        except IllegalChoice as refusal:
            help = "the first steps answer the questions of the set-up" if self._waits else None
            raise Failure(refusal.code, str(refusal.reasons[0]), self._scenario.begin_span, help) from None
        except PlayError as error:
            raise Failure(error.code, error.message, self._scenario.begin_span) from None
        self._roll()

    def _roll(self) -> None:
        """Answer decisions of chance from the script, as far as it reaches, and what unknown_packs ask."""
        while (decision := self._state.decision) is not None:
            unasked = answer_unknown_pack(self._state, self._unknown_packs)
            if unasked is not None:
                self._play.apply(unasked)
            elif self._dice and decision.is_chance:
                self._play.apply(self._die(decision))
            else:
                break

    def _die(self, decision: Decision) -> Choice:
        die = self._dice.pop(0)
        fitting = [c for c in self._state.choices if die in (c.text, " ".join(c.arguments))]
        if not fitting:
            possible = ", ".join(choice.text for choice in self._state.choices[:8])
            message = f"`{die}` cannot be rolled for: {decision.prompt}"
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
            self._unmet(f"`{profile}` chooses `{found}`, not `{wanted}`", step, "choice", wanted, found)
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
            self._play.apply_whole(text)
        except IllegalChoice as refusal:
            reason = refusal.reasons[0]
            raise Failure(refusal.code, str(reason), step.span) from None
        self._hold(text, step)
        self._roll()

    def _hold(self, text: str, step: Step) -> None:
        """Check the invariants at each decision."""
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
        if self._play.action_in_progress and self._scenario.steps[-1].word in self._state.players:
            message = f"the scenario stops in the middle of an action: {decision.prompt}"
            raise Failure(
                "RF852",
                message,
                span,
                f"`{decision.player}` has {counted(len(self._state.choices), 'choice')}",
            )

    # --- looking ---

    def _expect(self, step: Step) -> None:
        for path, wanted in step.content.items():
            try:
                found = self._read(path, wanted)
            except PlayError as error:
                raise Failure(error.code, error.message, step.spans[path]) from None
            if not equal(found, wanted, ordered=self._state.is_ordered(path)):
                message = f"`{path}` is {shown(found)}, not {shown(wanted)}"
                self._unmet(message, step, path, wanted, found)

    def _read(self, path: str, wanted: Any) -> Any:
        if path != "choices":
            return self._state[path]
        if isinstance(wanted, int):
            return len(self._state.choices)
        return [choice.text for choice in self._state.choices]

    def _refuse(self, step: Step) -> None:
        text, player = step.content["choice"], step.content.get("player")
        try:
            reasons = self._refusal(text, player)
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

    def _refusal(self, text: str, player: str | None) -> tuple[Reason, ...]:
        """Why a text cannot be applied, by this player if one is named."""
        if player is not None:
            try:
                self._state.check_turn(player)
            except IllegalChoice as refusal:
                return refusal.reasons
        return self._state.why_not(text)

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
                found = seen(self._state, view, path, wanted)
            except PlayError as error:
                raise Failure(error.code, error.message, step.spans[path]) from None
            if not equal(found, wanted, ordered=self._state.is_ordered(path)):
                message = f"`{player}` sees `{path}` as {shown(found)}, not as {shown(wanted)}"
                self._unmet(message, step, path, wanted, found)

    def _outcome(self, step: Step) -> None:
        outcome = self._state.outcome
        if outcome is None:
            raise Failure("RF851", "the game goes on", step.span)
        found = {
            "reason": outcome.reason,
            "winners": list(outcome.winners),
            "lost": outcome.lost,
            "scores": dict(outcome.scores),
        }
        for key, wanted in step.content.items():
            if not equal(found[key], wanted):
                message = f"`{key}` of the outcome is {shown(found[key])}, not {shown(wanted)}"
                self._unmet(message, step, key, wanted, found[key])

    def _unmet(self, message: str, step: Step, path: str, wanted: Any, found: Any) -> None:
        """An expectation that does not hold ends the scenario, unless we only want to know what there is."""
        unmet = Unmet(step.values[path], path, wanted, found)
        failure = Failure("RF851", message, step.spans[path], None, unmet)
        if not self._on:
            raise failure
        self.unmet.append(unmet)
        self.first = self.first or failure.problem
