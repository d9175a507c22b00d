"""Lead changes and drama of a game, from the standing of its sides at each decision."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt

from ruleforge.backends.artifacts.info import GameInfo
from ruleforge.engine.errors import PlayError
from ruleforge.engine.standings import standings
from ruleforge.engine.state import State

Standing = tuple[float, ...]
FINE = 1000  # drama is counted in thousandths, so that sums do not depend on their order
Side = tuple[str, ...]


def standing_of(state: State, chances: int, seed: int) -> Standing:
    """The standing of each seat: by the rules' own count, or by its share of random games from here.

    If that count breaks off, no seat is ahead; the game itself continues without it.
    """
    if not chances:
        try:
            return tuple(map(float, standings(state)))
        except PlayError:
            return (0.0,) * len(state.players)
    played = state.game.playouts(state, games=chances, seed=seed)
    return tuple(played.winners[name] / chances for name in state.players)


def lead_changes(course: Sequence[Standing], sides: Sequence[int]) -> int:
    """How often another side led alone than the one that had last led alone; `sides` has the side of each seat."""
    leaders = [found for standing in course if (found := _leader(standing, sides)) is not None]
    return sum(one != other for one, other in pairwise(leaders))


def _leader(standing: Standing, sides: Sequence[int]) -> int | None:
    """The side with the most points; None on a tie, or if there is only one side."""
    best = max(standing)
    leading = {side for side, value in zip(sides, standing, strict=True) if value == best}
    return leading.pop() if len(leading) == 1 and len(set(sides)) > 1 else None


def was_led(course: Sequence[Standing], sides: Sequence[int]) -> bool:
    return any(_leader(standing, sides) is not None for standing in course)


def drama(course: Sequence[Standing], winners: Sequence[int], chances: bool) -> float:
    """Over the decisions at which the later winner was behind: the mean root of how far, in whole thousandths.

    Chances differ by one at most; the rules' own count is measured by the widest gap of the game.
    """
    widest = 1.0 if chances else max((max(s) - min(s) for s in course), default=0.0)
    behind = [max(s) - max(s[seat] for seat in winners) for s in course]
    roots = [sqrt(gap / widest) for gap in behind if gap > 0]
    return round(FINE * sum(roots) / len(roots)) / FINE if roots else 0.0


# Sides of a game: a team is one side, and each other seat is one.


def sides_of(info: GameInfo, players: tuple[str, ...]) -> tuple[Side, ...]:
    """In the order of their first seats; a team that changes in play is none."""
    teams = [side for side in info.sides(players).values() if side]
    alone = [(player,) for player in players if not any(player in side for side in teams)]
    return tuple(sorted((*teams, *alone), key=lambda side: players.index(side[0])))


def side_numbers(info: GameInfo, players: tuple[str, ...]) -> tuple[int, ...]:
    """The side of each seat."""
    sides = sides_of(info, players)
    return tuple(next(n for n, side in enumerate(sides) if player in side) for player in players)
