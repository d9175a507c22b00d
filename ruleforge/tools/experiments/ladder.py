"""`ladder` turns games of all agents against each other into Elo ratings with 95 % confidence intervals.

The ratings follow the model of Bradley and Terry.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import exp, log, sqrt

from ruleforge.support.records import dataclass
from ruleforge.tools.experiments.intervals import Estimate, z_for
from ruleforge.tools.experiments.rows import GameRow

SCALE = 400 / log(10)  # Elo points for a factor of e in the odds
ITERATIONS = 50
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Meeting:
    """Games between two agents, and how many points the first one made: 1 for a win, a half for a draw."""

    games: int = 0
    points: float = 0.0

    def with_rows(self, rows: Iterable[GameRow], first: str) -> Meeting:
        found = [_points(row, first) for row in rows]
        return Meeting(self.games + len(found), self.points + sum(found))


def _points(row: GameRow, first: str) -> float:
    """The points of the first agent. With more than two players, both have several seats."""
    won = {agent for seat, agent in zip(row.seats, row.agents, strict=True) if seat in row.winners}
    return float(first in won) if len(won) == 1 else 0.5


def pairs(agents: Sequence[str]) -> tuple[Pair, ...]:
    """Every agent with every other."""
    return tuple(combinations(agents, 2))


def seating(pair: Pair, players: Sequence[str]) -> dict[str, str]:
    """Both agents sit in turns around the table."""
    return {player: pair[number % 2] for number, player in enumerate(players)}


def ratings(agents: Sequence[str], meetings: Mapping[Pair, Meeting]) -> dict[str, Estimate]:
    """Elo points around a mean of 0. One assumed draw against the mean keeps ratings finite."""
    strengths = [0.0] * len(agents)
    number = {agent: n for n, agent in enumerate(agents)}
    information: list[list[float]] = []
    for _ in range(ITERATIONS):
        gradient = [0.5 - _chance(strength) for strength in strengths]
        information = [
            [_chance(s) * _chance(-s) if a == b else 0.0 for b in range(len(agents))]
            for a, s in enumerate(strengths)
        ]
        for (one, other), meeting in meetings.items():
            a, b = number[one], number[other]
            chance = _chance(strengths[a] - strengths[b])
            more, weight = meeting.points - meeting.games * chance, meeting.games * chance * (1 - chance)
            gradient[a] += more
            gradient[b] -= more
            information[a][a] += weight
            information[b][b] += weight
            information[a][b] -= weight
            information[b][a] -= weight
        step = [sum(x * g for x, g in zip(row, gradient, strict=True)) for row in _inverse(information)]
        strengths = [s + max(-1.0, min(1.0, each)) for s, each in zip(strengths, step, strict=True)]
    mean, spread = sum(strengths) / len(strengths), _inverse(information)
    shares = [sum(row) / len(row) for row in spread]
    common = sum(shares) / len(shares)  # what all ratings are uncertain by together
    return {
        agent: _estimate(strengths[n] - mean, z_for() * sqrt(spread[n][n] - 2 * shares[n] + common))
        for agent, n in number.items()
    }


def _estimate(strength: float, reach: float) -> Estimate:
    return Estimate(SCALE * strength, SCALE * (strength - reach), SCALE * (strength + reach))


def _chance(difference: float) -> float:
    return 1 / (1 + exp(-difference))


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """The inverse of a symmetric positive definite matrix, by elimination."""
    size = len(matrix)
    rows = [[*row, *(float(n == m) for m in range(size))] for n, row in enumerate(matrix)]
    for n in range(size):
        rows[n] = [value / rows[n][n] for value in rows[n]]
        for m in range(size):
            if m != n:
                rows[m] = [a - rows[m][n] * b for a, b in zip(rows[m], rows[n], strict=True)]
    return [row[size:] for row in rows]
