"""Monte Carlo tree search (UCT) with determinization: it knows only the view of its player.

If machine code can search (`engine/search.py`), it does. This module is the same search in Python.
"""

from __future__ import annotations

import math
import random
import time

from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import IllegalChoice, PlayError
from ruleforge.engine.search import can_search, cut_off, searched
from ruleforge.engine.standings import rewards
from ruleforge.engine.state import State
from ruleforge.play.agents.simple import Patience

SIMULATIONS = 400
ENDLESS = 2**31 - 1
EXPLORATION = 1.4
UNIMAGINABLE = (
    "RF832"  # no world was found that fits all a player knows: then one choice is as good as another
)
WIDENING = 16  # of long lists more is tried the more often one comes by


class Node:
    """Statistics of one choice: its visits, and the rewards of each player."""

    __slots__ = ("children", "totals", "visits")

    def __init__(self, seats: int) -> None:
        self.children: dict[str, Node] = {}
        self.visits = 0
        self.totals = [0.0] * seats


class MctsAgent:
    """Plays each simulation from a sampled world: a state that fits the view of its player."""

    def __init__(self, seed: int = 0, simulations: int = SIMULATIONS, seconds: float | None = None) -> None:
        self._rng = random.Random(seed)
        self._simulations = simulations if seconds is None else ENDLESS
        self._seconds = float("inf") if seconds is None else seconds
        self.simulated = 0  # for the last choice
        self._patience = Patience(self._rng)

    def choose(self, state: State) -> Choice:
        if len(state.choices) == 1:
            return state.choices[0]
        try:
            return self._searched(state)
        except PlayError as error:
            if error.code != UNIMAGINABLE:
                raise
            return self._rng.choice(state.choices)

    def _searched(self, state: State) -> Choice:
        until = time.monotonic() + self._seconds
        if can_search(state):
            choice, self.simulated = searched(state, self._rng, self._simulations, until)
        else:
            choice = self._choose_in_python(state, until)
        return self._patience.getting_on(state, choice, self._rng.choice)

    def _choose_in_python(self, state: State, until: float) -> Choice:
        decision = state.decision
        assert decision is not None
        root = Node(len(state.players))
        self.simulated = 0
        worlds = None if decision.is_chance else state.worlds(decision.player)
        while self.simulated < self._simulations and (not self.simulated or time.monotonic() < until):
            self._simulate(root, state.copy() if worlds is None else worlds.draw(self._rng))
            self.simulated += 1
        return max(state.choices, key=lambda choice: _visits(root, choice))

    def _simulate(self, root: Node, state: State) -> None:
        path = [root]
        node = root
        while state.outcome is None:
            choice = self._select(node, state)
            fresh = choice.text not in node.children
            child = node.children.setdefault(choice.text, Node(len(state.players)))
            try:
                state.apply(choice)
            except IllegalChoice:  # a fault of the rules further on: leave this line
                return
            path.append(child)
            node = child
            if fresh:
                break
        rewards = _rewards(state, self._rng)
        for visited in path:
            visited.visits += 1
            for seat, reward in enumerate(rewards):
                visited.totals[seat] += reward

    def _select(self, node: Node, state: State) -> Choice:
        decision = state.decision
        assert decision is not None
        untried = [choice for choice in state.choices if choice.text not in node.children]
        if decision.is_chance:
            return self._rng.choice(state.choices)
        seat = state.players.index(decision.player)
        tried = [choice for choice in state.choices if choice.text in node.children]
        visits = sum(node.children[choice.text].visits for choice in tried) + 1
        if untried and len(tried) ** 2 <= WIDENING * visits:
            return self._rng.choice(untried)
        tries = math.log(visits)

        def promise(choice: Choice) -> float:
            child = node.children[choice.text]
            visits = max(child.visits, 1)
            return child.totals[seat] / visits + EXPLORATION * math.sqrt(tries / visits)

        return max(tried, key=promise)


def _visits(root: Node, choice: Choice) -> int:
    node = root.children.get(choice.text)
    return node.visits if node else 0


def _rewards(state: State, rng: random.Random) -> list[float]:
    """The rewards of the players after a random game from here, played to its end or to a limit."""
    try:
        for _ in range(cut_off(state)):
            if state.outcome is not None:
                break
            state.apply(rng.choice(state.choices))
        return rewards(state)
    except PlayError:  # a fault of the rules
        return [0.5] * len(state.players)
