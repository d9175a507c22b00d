"""Simple agents: any choice, the choice after which its player stands best, or the one that a profile values."""

from __future__ import annotations

import random
from collections.abc import Sequence
from statistics import fmean

from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import PlayError
from ruleforge.engine.profile_weights import weighed
from ruleforge.engine.standings import standings
from ruleforge.engine.state import State
from ruleforge.play.agents.patience import Patience

WORLDS = 8  # deals of what its player does not know


class GreedyAgent:
    """Goes by the ruleset's `heuristic`, or by the scores so far; where nothing differs, by chance."""

    def __init__(self, seed: int = 0) -> None:
        self._rng = random.Random(seed)
        self._patience = Patience(self._rng)

    def choose(self, state: State) -> Choice:
        decision = state.decision
        assert decision is not None
        if decision.is_chance or len(state.choices) == 1:
            return self._rng.choice(state.choices)
        deals = state.worlds(decision.player)
        worlds = [deals.draw(self._rng) for _ in range(WORLDS if state._variant.hides_something else 1)]
        seat = state.players.index(decision.player)

        def best(choices: Sequence[Choice]) -> Choice:
            leads = [fmean(_lead(world, choice, seat) for world in worlds) for choice in choices]
            return self._rng.choice([c for c, lead in zip(choices, leads, strict=True) if lead == max(leads)])

        return self._patience.getting_on(state, best(state.choices), best)


def _lead(world: State, choice: Choice, seat: int) -> float:
    """How far the seat is before the best of the others after a choice."""
    after = world.copy()
    try:
        after.apply(choice.text)
        worth = standings(after)
    except PlayError:  # a fault of the rules: rather something else
        return float("-inf")
    others = worth[:seat] + worth[seat + 1 :]
    return float(worth[seat] - max(others, default=0))


# Any choice, each equally likely.


class RandomAgent:
    def __init__(self, seed: int = 0) -> None:
        self._rng = random.Random(seed)

    def choose(self, state: State) -> Choice:
        return self._rng.choice(state.choices)


# A profile of the game in a seat: it takes the choice that is worth most to it.


class ProfileAgent:
    """The same position, as its player sees it, gives the same choice; of equals the first."""

    def __init__(self, profile: str) -> None:
        self._profile = profile

    def choose(self, state: State) -> Choice:
        worth = weighed(state, self._profile)
        return state.choices[max(range(len(worth)), key=lambda number: worth[number])]
