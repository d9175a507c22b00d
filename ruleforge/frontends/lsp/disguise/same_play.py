"""`first_difference` tests that two games are one game under two names: equal choices give equal observations."""

from __future__ import annotations

import random
from typing import Any

from ruleforge.engine.batch import Batch
from ruleforge.engine.game import Game

PARTS = ("players", "sites", "counts", "codes", "over", "scores", "winners", "endings", "lengths")


def first_difference(one: Game, other: Game, games: int, most: int, seed: int = 0) -> str:
    """Plays random games in both, so many at a time, for each number of players; gives the first difference in words.

    Everything compared is a number, in which no name occurs.
    """
    if one.info.players != other.info.players:
        return "the numbers of players differ"
    low, high = one.info.players
    for players in range(low, high + 1):
        rng, pair = random.Random(seed), [game.batch(games, seed, players) for game in (one, other)]
        for made in range(most):
            found = _difference(*pair)
            if found:
                return f"with {players} players, after {made} choices: {found}"
            picks = [rng.randrange(max(count, 1)) for count in pair[0].counts]
            for batch in pair:
                batch.apply(picks)
    return ""


def _difference(one: Batch, other: Batch) -> str:
    for name in PARTS:
        if _plain(getattr(one, name)) != _plain(getattr(other, name)):
            return f"the {name} differ"
    if len(one.observed) != len(other.observed):
        return "the players see more in one game than in the other"
    seen = (
        _plain(one.observations(mine)) == _plain(other.observations(theirs))
        for mine, theirs in zip(_seats(one), _seats(other), strict=True)
    )
    return "" if all(seen) else "the players see different things"


def _seats(batch: Batch) -> tuple[str, ...]:
    return batch.state(0).players


def _plain(numbers: Any) -> list[Any]:
    """As lists, with numpy and without."""
    return [_plain(row) if hasattr(row, "__len__") else int(row) for row in numbers]
