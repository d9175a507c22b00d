"""Sides of a game: a team is one side, and each other seat is one."""

from __future__ import annotations

from ruleforge.backends.artifacts.info import GameInfo

Side = tuple[str, ...]


def sides_of(info: GameInfo, players: tuple[str, ...]) -> tuple[Side, ...]:
    """In the order of their first seats; a team that changes in play is none."""
    teams = [side for side in info.sides(players).values() if side]
    alone = [(player,) for player in players if not any(player in side for side in teams)]
    return tuple(sorted((*teams, *alone), key=lambda side: players.index(side[0])))


def side_numbers(info: GameInfo, players: tuple[str, ...]) -> tuple[int, ...]:
    """The side of each seat."""
    sides = sides_of(info, players)
    return tuple(next(n for n, side in enumerate(sides) if player in side) for player in players)
