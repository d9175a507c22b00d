"""Plays one game of a plan and returns its row, its measures, and the reason if it did not end."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import field

from ruleforge.engine.choice import CHANCE, Choice, Decision
from ruleforge.engine.errors import PlayError
from ruleforge.engine.game import Game
from ruleforge.engine.outcome import Outcome
from ruleforge.engine.random_game import RandomGame
from ruleforge.engine.state import State
from ruleforge.engine.variant import Variant
from ruleforge.play.agents import Agent, make_agent
from ruleforge.support.records import dataclass
from ruleforge.tools.experiments import leads
from ruleforge.tools.experiments.leads import Standing, side_numbers
from ruleforge.tools.experiments.plan import Plan, mixed
from ruleforge.tools.experiments.rows import DecisionRow, GameRow, StoppedGame
from ruleforge.tools.experiments.usage_marks import Mark, Marks

PLAIN = "core:"  # before the word of an agent that plays as if there were no packs


# --- notes of one game ---


@dataclass(frozen=True, slots=True)
class DecisionNote:
    """One decision as it was made: by which agent, in how many seconds, and how the seats stood before."""

    decision: Decision
    agent: str
    choice: Choice
    seconds: float
    standing: Standing


@dataclass
class GameNotes:
    """Measures of one game; `used` is by seat, `thought` is seconds by agent."""

    branching: Counter[int] = field(default_factory=Counter)
    taken: Counter[Mark] = field(default_factory=Counter)
    offered: Counter[Mark] = field(default_factory=Counter)
    used: dict[str, set[Mark]] = field(default_factory=dict)
    thought: dict[str, list[float]] = field(default_factory=dict)
    course: list[Standing] = field(default_factory=list)
    rows: list[DecisionRow] = field(default_factory=list)

    def see(self, state: State, moment: DecisionNote, marks: Marks) -> None:
        """A decision that is about to be carried out."""
        player, found = moment.decision.player, marks.of(moment.choice)
        self.branching[len(state.choices)] += 1
        self.taken.update(found)
        self.offered.update(marks.of_all(state.choices))
        self.course.append(moment.standing)
        if not moment.decision.is_chance:
            self.used.setdefault(player, set()).update(found)
            self.thought.setdefault(moment.agent, []).append(moment.seconds)

    def keep(self, game: int, state: State, moment: DecisionNote) -> None:
        """The same as a row of its own."""
        self.rows.append(
            DecisionRow(
                game=game,
                decision=len(self.rows),
                player=moment.decision.player,
                agent=moment.agent,
                asked=moment.decision.kind,
                choices=len(state.choices),
                choice=moment.choice.text,
                action=moment.choice.action,
                standing=moment.standing,
                seconds=moment.seconds,
            )
        )

    @property
    def mean_choices(self) -> float | None:
        made = self.branching.total()
        total = sum(choices * count for choices, count in self.branching.items())
        return round(total / made, 4) if made else None


# --- the whole ---

LATELY = 100  # decisions before a game was stopped
SHOWN = 5


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of one game."""

    row: GameRow
    stopped: StoppedGame | None = None
    notes: GameNotes = field(default_factory=GameNotes)


def variant_of(plan: Plan, game: Game) -> Variant:
    return game.variant(game.compiled.setup(plan.table.players, plan.table.options))


def play_one(plan: Plan, game: Game, marks: Marks, number: int) -> GameResult:
    """Game `number` of a plan; rules that break off before the first decision make a game, too."""
    try:
        return _OneGame(plan, game, marks, number).play()
    except PlayError as error:
        names = variant_of(plan, game).player_names
        agents = tuple(plan.table.seating(names, number).values())
        row = GameRow(number, names, agents, None, error.code, (), (0,) * len(names), 0)
        return GameResult(row, StoppedGame(number, error.code, error.message, "", "", ()))


class _OneGame:
    """A game in progress. Agents see the state, but not the measures."""

    def __init__(self, plan: Plan, game: Game, marks: Marks, number: int) -> None:
        self.plan, self.marks, self.number = plan, marks, number
        self.random = RandomGame(plan.seed, number) if plan.table.random else None
        self.state = self._start(game)
        self.seating = plan.table.seating(self.state.players, number)
        self.agents: Mapping[str, Agent] = {} if self.random else self._agents()
        self.notes = GameNotes()
        self.lately: deque[str] = deque(maxlen=LATELY)
        self.broken: set[str] = set()
        self.made = 0

    def _start(self, game: Game) -> State:
        table = self.plan.table
        if self.random is not None:
            return self.random.start(game, table.players, table.options)
        deal, _ = table.deal(self.number, len(variant_of(self.plan, game).player_names))
        seed = mixed(self.plan.seed, deal, "game") & 0xFFFFFFFF
        return game.start(players=table.players, seed=seed, options=table.options)

    def _agents(self) -> Mapping[str, Agent]:
        words = {**self.seating, CHANCE: "random"}
        return {
            player: seated(word, mixed(self.plan.seed, self.number, player), self.state.game, self.marks)
            for player, word in words.items()
        }

    def play(self) -> GameResult:
        """Play to the end, to the limit, or to a fault of the rules."""
        fault, outcome = None, None
        try:
            while (decision := self.state.decision) is not None and self.made < self.plan.limit:
                self._step(decision)
            outcome = self.state.outcome
        except PlayError as error:
            fault = error
        stopped = None if outcome else self._stopped(fault)
        return GameResult(self._row(outcome, fault), stopped, self.notes)

    def _step(self, decision: Decision) -> None:
        state = self.state
        began = time.perf_counter()
        choice = self.random.choose(state) if self.random else self.agents[decision.player].choose(state)
        if self.plan.looks:
            seconds = time.perf_counter() - began
            agent = self.seating.get(decision.player, "random")
            moment = DecisionNote(decision, agent, choice, seconds, self._standing())
            self.notes.see(state, moment, self.marks)
            if self.plan.decisions:
                self.notes.keep(self.number, state, moment)
        self.lately.append(choice.action or choice.text)
        state.apply(choice)
        self.made += 1
        if state.choices:  # a game that ends in the middle of an effect leaves it unfinished
            self.broken.update(state.violations())

    def _standing(self) -> leads.Standing:
        seed = mixed(self.plan.seed, self.number, f"decision {self.made}")
        return leads.standing_of(self.state, self.plan.chances, seed)

    def _row(self, outcome: Outcome | None, fault: PlayError | None) -> GameRow:
        names, course = self.state.players, self.notes.course
        sides = side_numbers(self.state.game.info, names)
        led = leads.was_led(course, sides)
        winners = [names.index(name) for name in outcome.winners] if outcome else []
        return GameRow(
            game=self.number,
            seats=names,
            agents=tuple(self.seating[name] for name in names),
            ending=outcome.reason if outcome else None,
            fault=fault.code if fault else None,
            winners=outcome.winners if outcome else (),
            scores=tuple(outcome.scores.values()) if outcome else (0,) * len(names),
            decisions=self.made,
            violations=tuple(sorted(self.broken)),
            lost=outcome is not None and outcome.lost,
            choices=self.notes.mean_choices,
            lead_changes=leads.lead_changes(course, sides) if led else None,
            drama=leads.drama(course, winners, bool(self.plan.chances)) if led and winners else None,
        )

    def _stopped(self, fault: PlayError | None) -> StoppedGame:
        decision = self.state.decision
        return StoppedGame(
            game=self.number,
            by=fault.code if fault else "limit",
            why=fault.message if fault else f"{self.plan.limit} decisions were made",
            player=decision.player if decision else "",
            asked=decision.prompt if decision else "",
            lately=tuple(Counter(self.lately).most_common(SHOWN)),
        )


# Agents by their words, also with an agent that avoids the additions of packs.


def seated(word: str, seed: int, game: Game, marks: Marks) -> Agent:
    agent = make_agent(word.removeprefix(PLAIN), seed, game.compiled.profiles, outside=True)
    return PlainAgent(agent, marks) if word.startswith(PLAIN) else agent


class PlainAgent:
    """Makes no choice whose action or things come from a pack, as long as there is another."""

    def __init__(self, agent: Agent, marks: Marks) -> None:
        self._agent, self._marks = agent, marks

    def choose(self, state: State) -> Choice:
        decision = state.decision
        plain = tuple(choice for choice in state.choices if not self._marks.packs(choice))
        if decision is None or decision.is_chance or not plain or len(plain) == len(state.choices):
            return self._agent.choose(state)
        narrowed = state.copy()
        narrowed.choices = plain
        return self._agent.choose(narrowed)
