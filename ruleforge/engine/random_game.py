"""`RandomGame` replays one game of a plan of random games choice by choice, as a backend plays it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ruleforge.backends.artifacts.info import OptionValue
from ruleforge.backends.random32 import draw, folded, seed_words
from ruleforge.engine.choice import Choice
from ruleforge.engine.state import State

if TYPE_CHECKING:
    from ruleforge.engine.game import Game


class RandomGame:
    """Game `number` of a seed, as in `backends.playouts`: the first number drawn is its own seed, the others choose."""

    def __init__(self, seed: int, number: int) -> None:
        self._generator = list(folded(seed_words(seed), number))
        self.seed = draw(self._generator, 1 << 31)

    def start(self, game: Game, players: int | None, options: Mapping[str, OptionValue] | None) -> State:
        return game.start(players=players, seed=self.seed, options=options)

    def choose(self, state: State) -> Choice:
        """The next choice; backends count by codes, which may lie in another order than the choices people see."""
        number = draw(self._generator, len(state.choices))
        if not state._variant.visibility.choices.sites:
            return state.choices[number]
        code = state._variant.runtime.codes(state._row)[number]
        return next(choice for choice in state.choices if choice._code == code)
