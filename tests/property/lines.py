"""Random lines of play over every shipped ruleset, and what the contract tests share."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import settings
from hypothesis import strategies as st

import ruleforge
from ruleforge.support.resources import shipped_games
from tests.shelf import game as shelved
from tests.thorough import most

RULESETS = tuple(shipped_games())
CHANCES = ("sampled", "explicit")

seeds = st.integers(0, 2**32 - 1)
picks = st.lists(st.integers(0, 10**6), min_size=1, max_size=60)


def some(examples: int) -> settings:
    """How many lines to try, a quarter of them in `make test`; a slow machine is no mistake."""
    return settings(deadline=None, max_examples=most(-(-examples // 4), examples))


# Games of which each decision takes the generated Python long: the interface is the same, whatever stands behind it.
LONG = {"quoridor": "native"}


def game_of(name: str, backend: str | None = None) -> ruleforge.Game:
    return shelved(name, backend=backend or LONG.get(name, "python"))


def positions(state: ruleforge.State, picks: list[int]) -> Iterator[ruleforge.State]:
    """The states along a line of play, each handed out before the next choice is made in it."""
    for pick in picks:
        yield state
        if not state.choices:
            return
        state.apply(state.choices[pick % len(state.choices)])
    yield state
