"""Games that never end: random play has so many random numbers and no more, and whoever plays alone stops in time."""

from __future__ import annotations

from itertools import repeat, starmap
from random import Random

from ruleforge.engine.errors import PlayError

DRAWS = 4  # random numbers for each decision: where choices are drawn and tried, some are drawn in vain


class Draws:
    """A generator that runs dry: `random` raises StopIteration after the numbers for so many decisions."""

    __slots__ = ("random",)

    def __init__(self, rng: Random, decisions: int) -> None:
        self.random = starmap(rng.random, repeat((), DRAWS * decisions)).__next__


def unfinished(decisions: int) -> PlayError:
    """Why a game was broken off."""
    return PlayError("RF833", f"the game is cut: it does not end within {decisions:,} decisions")
