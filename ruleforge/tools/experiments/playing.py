"""One game of a plan, decision by decision -> its row, what was noted of it, and why it stopped if it did not end."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import field

from ruleforge.engine.decision import CHANCE, Decision
from ruleforge.engine.errors import PlayError
from ruleforge.engine.outcome import Outcome
from ruleforge.engine.random_game import RandomGame
from ruleforge.engine.state import State
from ruleforge.engine.variant import Variant
from ruleforge.play.agents import Agent
from ruleforge.support.records import dataclass
from ruleforge.tools.experiments import leads
from ruleforge.tools.experiments.marks import Marks
from ruleforge.tools.experiments.noting import Moment, Notes
from ruleforge.tools.experiments.plan import Plan, mixed
from ruleforge.tools.experiments.rows import GameRow, Stopped
from ruleforge.tools.experiments.seating import seated
from ruleforge.tools.experiments.sides import side_numbers

LATELY = 100  # decisions before a game was stopped
SHOWN = 5


@dataclass(frozen=True, slots=True)
class Played:
    """What one game came to."""

    row: GameRow
    stopped: Stopped | None = None
    notes: Notes = field(default_factory=Notes)


def play_one(plan: Plan, variant: Variant, marks: Marks, number: int) -> Played:
    """Game `number` of a plan; rules that break off before the first decision make a game, too."""
    try:
        return _OneGame(plan, variant, marks, number).play()
    except PlayError as error:
        names = variant.player_names
        agents = tuple(plan.table.seating(names, number).values())
        row = GameRow(number, names, agents, None, error.code, (), (0,) * len(names), 0)
        return Played(row, Stopped(number, error.code, error.message, "", "", ()))


class _OneGame:
    """A game under way; agents see the state, nobody sees what is noted."""

    def __init__(self, plan: Plan, variant: Variant, marks: Marks, number: int) -> None:
        self.plan, self.marks, self.number = plan, marks, number
        self.random = RandomGame(plan.seed, number) if plan.table.random else None
        self.state = self._start(variant)
        self.seating = plan.table.seating(self.state.players, number)
        self.agents: Mapping[str, Agent] = {} if self.random else self._agents()
        self.notes = Notes()
        self.lately: deque[str] = deque(maxlen=LATELY)
        self.broken: set[str] = set()
        self.made = 0

    def _start(self, variant: Variant) -> State:
        table, game = self.plan.table, variant.game
        if self.random is not None:
            return self.random.start(game, table.players, table.options)
        deal, _ = table.deal(self.number, len(variant.player_names))
        seed = mixed(self.plan.seed, deal, "game") & 0xFFFFFFFF
        return game.start(players=table.players, seed=seed, options=table.options)

    def _agents(self) -> Mapping[str, Agent]:
        words = {**self.seating, CHANCE: "random"}
        return {
            player: seated(word, mixed(self.plan.seed, self.number, player), self.state.game, self.marks)
            for player, word in words.items()
        }

    def play(self) -> Played:
        """To the end, to the limit, or to a fault of the rules."""
        fault, outcome = None, None
        try:
            while (decision := self.state.decision) is not None and self.made < self.plan.limit:
                self._step(decision)
            outcome = self.state.outcome
        except PlayError as error:
            fault = error
        stopped = None if outcome else self._stopped(fault)
        return Played(self._row(outcome, fault), stopped, self.notes)

    def _step(self, decision: Decision) -> None:
        state = self.state
        began = time.perf_counter()
        choice = self.random.choose(state) if self.random else self.agents[decision.player].choose(state)
        if self.plan.looks:
            seconds = time.perf_counter() - began
            agent = self.seating.get(decision.player, "random")
            moment = Moment(decision, agent, choice, seconds, self._standing())
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

    def _stopped(self, fault: PlayError | None) -> Stopped:
        decision = self.state.decision
        return Stopped(
            game=self.number,
            by=fault.code if fault else "limit",
            why=fault.message if fault else f"{self.plan.limit} decisions were made",
            player=decision.player if decision else "",
            asked=decision.prompt if decision else "",
            lately=tuple(Counter(self.lately).most_common(SHOWN)),
        )
