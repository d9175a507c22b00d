"""Compares a core with and without packs by a sequential test that stops when the result is clear.

Two questions, each a figure that is 0 where packs change nothing. *Seats*: does each seat win as often with the packs
as without? Game k of both has one seed. *Use*: does a seat that may use what the packs add win more than seats that
leave it alone? All have the same agent, and each deal of the game with the packs is played once from every seat.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import groupby
from math import lcm
from typing import Literal

from ruleforge.engine.game import Game
from ruleforge.support.records import dataclass
from ruleforge.tools.experiments.game_runner import PLAIN, variant_of
from ruleforge.tools.experiments.intervals import Estimate
from ruleforge.tools.experiments.intervals import Sequence as Mean
from ruleforge.tools.experiments.plan import Plan, Rules, Table
from ruleforge.tools.experiments.rows import GameRow
from ruleforge.tools.experiments.run import Force, Part

Verdict = Literal["within", "beyond", "unknown"]
LOOK = 50  # deals between two looks at the figures
CHUNK = 20  # games of one task for a worker
FEWEST = 100  # deals before anything is settled: the intervals are right for many
ERROR = 0.05  # probability that any of the intervals is ever wrong


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison: the rules, the agent of all seats, the number of deals, the margin."""

    core: Rules
    packs: Rules
    table: Table
    deals: int
    seed: int = 0
    limit: int = 10_000
    margin: float = 0.05
    agent: str = "random"
    seats: bool = True
    use: bool = True


@dataclass(frozen=True, slots=True)
class Figure:
    """One question with its answer so far: a difference of shares of points, over the deals played out."""

    name: str
    estimate: Estimate
    deals: int
    margin: float

    @property
    def beyond(self) -> bool:
        return abs(self.estimate.value) > self.margin

    @property
    def settled(self) -> bool:
        """Whether the interval lies wholly inside the margin, or wholly outside."""
        low, high = self.estimate.low, self.estimate.high
        inside = -self.margin <= low and high <= self.margin
        return self.deals >= FEWEST and (inside or low > self.margin or high < -self.margin)


@dataclass(frozen=True, slots=True)
class Interim:
    """An interim result: figures, deals, games, and unfinished games."""

    figures: tuple[Figure, ...]
    deals: int
    games: int
    unfinished: int

    @property
    def hopeless(self) -> bool:
        """Whether there is a question to which no deal has said anything: a game that does not end says nothing."""
        return self.deals >= FEWEST and not all(figure.deals for figure in self.figures)

    @property
    def verdict(self) -> Verdict:
        """The settled result, or the nearer one if it is not settled; unknown if no deal was played out."""
        if not all(figure.deals for figure in self.figures):
            return "unknown"
        return "beyond" if self._beyond else "within"

    @property
    def settled(self) -> bool:
        """One figure that is beyond the margin for sure is enough."""
        sure = [figure for figure in self.figures if figure.settled]
        return len(sure) == len(self.figures) or any(figure.beyond for figure in sure)

    @property
    def _beyond(self) -> bool:
        sure = [figure for figure in self.figures if figure.settled]
        return any(figure.beyond for figure in (sure if self.settled else self.figures))


def balance(trial: Comparison, core: Game, packs: Game, force: Force) -> Generator[Interim, None, None]:
    """One look after the other, until all is settled or the deals are used up. Raises StartError."""
    comparison = _Comparison(trial, core, packs, force)
    turns = max(1, -(-trial.deals // LOOK))
    parts = [(turn, sort, part) for turn in range(turns) for sort, part in comparison.parts(turn)]
    results = _in_order([part for _, _, part in parts], force)
    with closing(results):
        for _, some in groupby(parts, key=lambda part: part[0]):
            for _, sort, _ in some:
                comparison.take(sort, next(results))
            look = comparison.look()
            yield look
            if look.settled or look.hopeless:
                return


def _in_order(parts: Sequence[Part], force: Force) -> Generator[list[GameRow], None, None]:
    """The rows of each part, in the order of the parts, so that results do not depend on speed."""
    if force.alone:
        yield from (part().rows for part in parts)
        return
    early: dict[int, list[GameRow]] = {}
    wanted = 0
    with closing(force.results(parts)) as results:
        for number, tally in results:
            early[number] = tally.rows
            while wanted in early:
                yield early.pop(wanted)
                wanted += 1


class _Comparison:
    """The games of a trial, and their result so far."""

    def __init__(self, trial: Comparison, core: Game, packs: Game, force: Force) -> None:
        self.trial = trial
        known = {option.name for option in core.info.options}
        options = {name: value for name, value in trial.table.options.items() if name in known}
        plain = self._plan(force.sent(trial.core, core), replace(trial.table, options=options))
        count = len(variant_of(plain, core).player_names)  # with the packs as many play as without
        with_packs = self._plan(force.sent(trial.packs, packs), replace(trial.table, players=count))
        self.seats = variant_of(with_packs, packs).player_names
        self.plans = {"core": plain, "packs": with_packs} if trial.seats else {}
        self.can_be_lost = bool(packs.info.lost)
        if trial.use and adds_choices(packs):
            self.plans["use"] = replace(with_packs, table=self._divided(with_packs.table))
        self.unit = lcm(
            2, *range(1, len(self.seats) + 1)
        )  # halves and shared points are whole numbers of these
        self.rows: dict[str, list[GameRow]] = {sort: [] for sort in self.plans}
        self.deals = self.games = self.unfinished = 0
        self.means = {name: self._mean(unit) for name, unit in self._figures()}

    def _plan(self, rules: Rules, table: Table) -> Plan:
        trial = self.trial
        return Plan(rules, 0, trial.seed, limit=trial.limit, table=table, rows=True)

    def _divided(self, table: Table) -> Table:
        """The first seat uses the packs, the others do not; then they move on."""
        agents = {seat: trial_agent(self.trial.agent, seat != self.seats[0]) for seat in self.seats}
        return replace(table, agents=agents, swap=True)

    def _figures(self) -> Iterator[tuple[str, int]]:
        """Their names and units; of two seats one wins what the other loses, unless both can lose."""
        for seat in self.seats[: 1 if len(self.seats) == 2 and not self.can_be_lost else None]:
            if self.trial.seats:
                yield f"seat {seat}", self.unit
        if "use" in self.plans:
            yield "use", self.unit * len(self.seats)

    def _mean(self, unit: int) -> Mean:
        return Mean(ERROR / len(list(self._figures())), self.trial.margin, unit)

    def parts(self, turn: int) -> Iterator[tuple[str, Part]]:
        """The parts to play between two looks."""
        for sort, plan in self.plans.items():
            games = len(self.seats) if sort == "use" else 1  # of a deal
            begin, end = turn * LOOK * games, min((turn + 1) * LOOK, self.trial.deals) * games
            size = end - begin if plan.counted else CHUNK
            for first in range(begin, end, size):
                yield sort, Part(plan, first, min(first + size, end))

    def take(self, sort: str, rows: list[GameRow]) -> None:
        self.rows[sort] += rows
        self.games += len(rows)
        self.unfinished += sum(row.ending is None for row in rows)

    def look(self) -> Interim:
        """Count what has been taken since the last look."""
        for name, mean in self.means.items():
            for value in self._use() if name == "use" else self._seat(name.removeprefix("seat ")):
                mean.add(value)
        for rows in self.rows.values():
            rows.clear()
        figures = [Figure(name, m.interval, m.count, self.trial.margin) for name, m in self.means.items()]
        self.deals = min(self.deals + LOOK, self.trial.deals)
        return Interim(tuple(figures), self.deals, self.games, self.unfinished)

    def _seat(self, name: str) -> Iterator[int]:
        seat = self.seats.index(name)
        for core, packs in zip(self.rows["core"], self.rows["packs"], strict=True):
            if core.ending is not None and packs.ending is not None:
                yield round(self.unit * (self._points(packs, seat) - self._points(core, seat)))

    def _use(self) -> Iterator[int]:
        """For each deal: the points of the pack user, once from every seat, minus the mean of the seat."""
        rows, seats = self.rows["use"], len(self.seats)
        for first in range(0, len(rows), seats):
            deal = rows[first : first + seats]
            if all(row.ending is not None for row in deal):
                yield sum(map(self._gain, deal))

    def _gain(self, row: GameRow) -> int:
        points = [self._points(row, seat) for seat in range(len(self.seats))]
        user = row.agents.index(self.trial.agent)
        return round(self.unit * (points[user] - sum(points) / len(points)))

    def _points(self, row: GameRow, seat: int) -> float:
        return row.points(seat, self.can_be_lost)


def trial_agent(agent: str, plain: bool) -> str:
    return f"{PLAIN}{agent}" if plain else agent


def adds_choices(packs: Game) -> bool:
    """Whether there is anything of the packs that a seat could leave alone."""
    found = packs.compiled.components
    return any(component.pack for component in (*found.actions.values(), *found.things.values()))
