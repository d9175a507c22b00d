"""A profile of the game in a seat: it takes the choice that is worth most to it."""

from __future__ import annotations

from ruleforge.engine.choice import Choice
from ruleforge.engine.profile_weights import weighed
from ruleforge.engine.state import State


class ProfileAgent:
    """The same position, as its player sees it, gives the same choice; of equals the first."""

    def __init__(self, profile: str) -> None:
        self._profile = profile

    def choose(self, state: State) -> Choice:
        worth = weighed(state, self._profile)
        return state.choices[max(range(len(worth)), key=lambda number: worth[number])]
