"""Any choice, each equally likely."""

from __future__ import annotations

import random

from ruleforge.engine.choice import Choice
from ruleforge.engine.state import State


class RandomAgent:
    def __init__(self, seed: int = 0) -> None:
        self._rng = random.Random(seed)

    def choose(self, state: State) -> Choice:
        return self._rng.choice(state.choices)
