"""Simple agents: random, greedy (best standing after the choice), and profiles."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from statistics import fmean

from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import IllegalChoice, PlayError
from ruleforge.engine.profile_weights import weighed
from ruleforge.engine.standings import standings
from ruleforge.engine.state import State

WORLDS = 8  # deals of what its player does not know
PATIENCE = 8  # choices in a row that lead back to the same question


class GreedyAgent:
    """Follows the `heuristic` of the ruleset, or the scores so far. It breaks ties at random."""

    def __init__(self, seed: int = 0) -> None:
        self._rng = random.Random(seed)
        self._patience = Patience(self._rng)

    def choose(self, state: State) -> Choice:
        decision = state.decision
        assert decision is not None
        if decision.is_chance or len(state.choices) == 1:
            return self._rng.choice(state.choices)
        deals = state.worlds(decision.player)
        worlds = [deals.draw(self._rng) for _ in range(WORLDS if state.hides_something else 1)]
        seat = state.players.index(decision.player)

        def best(choices: Sequence[Choice]) -> Choice:
            leads = [fmean(_lead(world, choice, seat) for world in worlds) for choice in choices]
            return self._rng.choice([c for c, lead in zip(choices, leads, strict=True) if lead == max(leads)])

        return self._patience.getting_on(state, best(state.choices), best)


def _lead(world: State, choice: Choice, seat: int) -> float:
    """The lead of the seat over the best other player after a choice."""
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
    """Follows a profile. It makes the same choice in the same view, and takes the first of equal choices."""

    def __init__(self, profile: str) -> None:
        self._profile = profile

    def choose(self, state: State) -> Choice:
        worth = weighed(state, self._profile)
        return state.choices[max(range(len(worth)), key=lambda number: worth[number])]


# If a plan can be changed for ever, a better one is always ahead. After a while the agent takes a choice that goes on.


class Patience:
    """Counts how often in a row an agent returned to the same question."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._site, self._stayed = 0, 0

    def getting_on(self, state: State, choice: Choice, best: Callable[[Sequence[Choice]], Choice]) -> Choice:
        """The choice, or, if it leads back once too often, the best of those that lead on."""
        decision = state.decision
        assert decision is not None
        if decision.is_chance:
            return choice
        worlds = state.worlds(decision.player)
        if choice.site != self._site:
            self._site, self._stayed = choice.site, 0
        if not _stays(worlds.draw(self._rng), choice):
            self._stayed = 0
        elif self._stayed < PATIENCE:
            self._stayed += 1
        elif onward := [c for c in state.choices if not _stays(worlds.draw(self._rng), c)]:
            self._stayed = 0
            return best(onward)
        return choice


def _stays(world: State, choice: Choice) -> bool:
    """Whether the same player is asked the same question afterwards."""
    before = world.decision
    try:
        world.apply(choice)
    except IllegalChoice:
        return False
    after = world.decision
    same = before is not None and after is not None and after.player == before.player
    return same and world.choices[0].site == choice.site
