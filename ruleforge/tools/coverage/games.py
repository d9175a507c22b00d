"""A game under observation -> random games of it, so that what only rarely runs is met, too."""

from __future__ import annotations

import random
from collections.abc import Iterator

from ruleforge.engine.errors import PlayError
from ruleforge.tools.coverage.cover import Observed, Seen


def random_games(observed: Observed, games: int, seed: int, most: int) -> Iterator[Seen]:
    """What ran in each of so many random games, with every number of players in turn."""
    game = observed.game
    low, high = game.info.players
    for number in range(games):
        state = game.start(players=low + number % (high - low + 1), seed=seed + number)
        rng = random.Random(seed + number)
        for _ in range(most):
            if state.outcome is not None:
                break
            try:
                state.apply(rng.choice(state.choices))
            except PlayError:  # the rules stop here; what ran until then did
                break
        yield observed.take()
