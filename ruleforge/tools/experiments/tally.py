"""Counts of many games as whole numbers; the order of addition does not matter."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields

from ruleforge.engine.playouts import Playouts
from ruleforge.engine.presentation.observation import Value
from ruleforge.tools.experiments.game_runner import GameResult
from ruleforge.tools.experiments.leads import FINE, Side
from ruleforge.tools.experiments.rows import DecisionRow, GameRow, StoppedGame
from ruleforge.tools.experiments.usage_marks import Mark

STOPS = 3  # stopped games that are looked at
Seat = tuple[str, str]  # a seat and the agent in it


def _counter() -> Counter[str]:
    return Counter()


@dataclass
class Measures:
    """Measures of the decisions of `games` games. Marks count by seat and agent, once per game."""

    games: int = 0
    branching: Counter[int] = field(default_factory=Counter)  # decisions by their number of choices
    lead_changes: Counter[int] = field(default_factory=Counter)  # games in which some player ever led
    drama: Counter[int] = field(default_factory=Counter)  # of those with winners, in thousandths
    taken: Counter[Mark] = field(default_factory=Counter)  # times
    offered: Counter[Mark] = field(default_factory=Counter)  # decisions
    used: Counter[tuple[Mark, Seat]] = field(default_factory=Counter)
    used_won: Counter[tuple[Mark, Seat]] = field(default_factory=Counter)
    seats: Counter[Seat] = field(default_factory=Counter)
    seats_won: Counter[Seat] = field(default_factory=Counter)

    def add(self, other: Measures) -> None:
        _add(self, other)

    def count(self, played: GameResult) -> None:
        row, notes = played.row, played.notes
        self.games += 1
        self.branching.update(notes.branching)
        self.taken.update(notes.taken)
        self.offered.update(notes.offered)
        if row.lead_changes is not None:
            self.lead_changes[row.lead_changes] += 1
        if row.drama is not None:
            self.drama[round(row.drama * FINE)] += 1
        if row.ending is None:
            return  # the winner would be unknown
        for seat in zip(row.seats, row.agents, strict=True):
            won, used = seat[0] in row.winners, [(mark, seat) for mark in notes.used.get(seat[0], ())]
            self.seats[seat] += 1
            self.seats_won[seat] += won
            self.used.update(used)
            self.used_won.update(used if won else ())


@dataclass
class Tally:
    """Counts over games; `lengths` are the decisions of each game.

    `alone` are games with one winner. `seats` and `agent_wins` count by agent: seats taken and games won. Rows are
    stored if requested. `thinking` is the time of decisions by agent and depends on the machine.
    """

    games: int = 0
    cut_off: int = 0
    failed: int = 0
    decisions: int = 0
    draws: int = 0
    lost: int = 0  # by all, in games with such an ending
    endings: Counter[str] = field(default_factory=_counter)
    wins: Counter[str] = field(default_factory=_counter)
    alone: Counter[str] = field(default_factory=_counter)
    sides: Counter[tuple[str, ...]] = field(default_factory=Counter)  # those who won together
    scores: Counter[str] = field(default_factory=_counter)
    lengths: Counter[int] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=_counter)
    violations: Counter[str] = field(default_factory=_counter)  # games in which an invariant did not hold
    agent_seats: Counter[str] = field(default_factory=_counter)
    agent_wins: Counter[str] = field(default_factory=_counter)
    counts: Counter[tuple[str, Value]] = field(default_factory=Counter)  # games by what was counted in them
    measures: Measures = field(default_factory=Measures)
    stopped: list[StoppedGame] = field(default_factory=list)
    stuck: list[int] = field(default_factory=list)  # games that a backend played and that are not read yet
    rows: list[GameRow] = field(default_factory=list)
    decision_rows: list[DecisionRow] = field(default_factory=list)
    thinking: dict[str, list[float]] = field(default_factory=dict)  # how many, seconds, the longest

    def add(self, other: Tally) -> None:
        _add(self, other)
        for agent, (count, seconds, longest) in other.thinking.items():
            mine = self.thinking.setdefault(agent, [0, 0.0, 0.0])
            mine[:] = mine[0] + count, mine[1] + seconds, max(mine[2], longest)
        self.stopped = sorted(self.stopped)[:STOPS]

    @property
    def finished(self) -> int:
        return self.games - self.cut_off - self.failed

    def wins_of(self, side: Side) -> int:
        """The games that exactly this side won."""
        return self.sides[side] if len(side) > 1 else self.alone[side[0]]

    def contested(self, sides: tuple[Side, ...]) -> bool:
        """Whether they play against one another: not where there is one side, nor where all was won or lost by all."""
        seats = sum(map(len, sides))
        by_all = sum(games for side, games in self.sides.items() if len(side) == seats)
        by_some = self.alone.total() + self.sides.total() - by_all
        return len(sides) > 1 and bool(by_some or not by_all + self.lost)

    def count(self, played: GameResult, keep: bool) -> None:
        """Add one game that was played decision by decision."""
        self.count_row(played.row, keep)
        if played.notes.course:
            self.measures.count(played)
        self.stopped = sorted([*self.stopped, *filter(None, [played.stopped])])[:STOPS]
        self.decision_rows += played.notes.rows
        for agent, seconds in played.notes.thought.items():
            mine = self.thinking.setdefault(agent, [0, 0.0, 0.0])
            mine[:] = mine[0] + len(seconds), mine[1] + sum(seconds), max(mine[2], *seconds)

    def count_row(self, row: GameRow, keep: bool) -> None:
        self.games += 1
        self.decisions += row.decisions
        self.lengths[row.decisions] += 1
        self.cut_off += row.cut_off
        self.violations.update(row.violations)
        if row.fault is not None:
            self.failed += 1
            self.failures[row.fault] += 1
        elif row.ending is not None:
            self._count_ending(row, row.ending)
        if keep:
            self.rows.append(row)

    def _count_ending(self, row: GameRow, ending: str) -> None:
        self.endings[ending] += 1
        self.wins.update(row.winners)
        self.alone.update(row.winners if len(row.winners) == 1 else ())
        self.sides.update([row.winners] if len(row.winners) > 1 else ())
        self.draws += not row.winners and not row.lost
        self.lost += row.lost
        self.scores.update(dict(zip(row.seats, row.scores, strict=True)))
        self.agent_seats.update(row.agents)
        self.agent_wins.update(
            agent for seat, agent in zip(row.seats, row.agents, strict=True) if seat in row.winners
        )


def added(one: Tally, other: Tally) -> Tally:
    """The sum of both as a new tally: an interrupted caller still has the first."""
    total = Tally()
    total.add(one)
    total.add(other)
    return total


def _add(into: Tally | Measures, other: Tally | Measures) -> None:
    """Numbers and counts are added, lists are joined; the rest is the caller's."""
    for each in fields(into):
        mine, theirs = getattr(into, each.name), getattr(other, each.name)
        if isinstance(mine, Counter):
            mine.update(theirs)
        elif isinstance(mine, Measures):
            mine.add(theirs)
        elif isinstance(mine, int | list):
            setattr(into, each.name, mine + theirs)


def tally_of(part: Playouts) -> Tally:
    """Games that the backend played by itself."""
    return Tally(
        games=part.games,
        cut_off=part.cut,
        failed=sum(part.faults.values()),
        decisions=part.decisions,
        draws=part.draws,
        lost=part.lost,
        endings=Counter(part.endings),
        wins=Counter(part.winners),
        alone=Counter(part.alone),
        sides=Counter(part.sides),
        scores=Counter(part.scores),
        lengths=Counter(part.lengths),
        failures=Counter(part.faults),
        violations=Counter(part.violations),
        counts=Counter(
            {(text, value): games for text, found in part.measured.items() for value, games in found.items()}
        ),
    )
