"""Where one may change a plan for ever, better ones are always ahead: after a while something that leads on is taken."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import IllegalChoice
from ruleforge.engine.state import State

PATIENCE = 8  # choices in a row that lead back to the same question


class Patience:
    """How often in a row an agent came back to the same question."""

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
