"""Monte Carlo tree search (UCT) that knows no more than its player: simulations deal anew.

Where machine code can search (`engine/search.py`) it does; what follows here is the same search in Python.
"""

from __future__ import annotations

import math
import random
import time

from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import IllegalChoice, PlayError
from ruleforge.engine.search import can_search, cut_off, searched
from ruleforge.engine.standing import rewards
from ruleforge.engine.state import State

SIMULATIONS = 400
ENDLESS = 2**31 - 1
EXPLORATION = 1.4
PATIENCE = 8  # choices in a row that lead back to the same question
UNIMAGINABLE = (
    "RF832"  # no world was found that fits all a player knows: then one choice is as good as another
)
WIDENING = 16  # of long lists more is tried the more often one comes by


class Node:
    """Statistics of one choice: how often it was tried, and what it brought each player."""

    __slots__ = ("children", "totals", "visits")

    def __init__(self, seats: int) -> None:
        self.children: dict[str, Node] = {}
        self.visits = 0
        self.totals = [0.0] * seats


class MctsAgent:
    """Plays each simulation from a state its player could be in, chance included."""

    def __init__(self, seed: int = 0, simulations: int = SIMULATIONS, seconds: float | None = None) -> None:
        self._rng = random.Random(seed)
        self._simulations = simulations if seconds is None else ENDLESS
        self._seconds = float("inf") if seconds is None else seconds
        self.simulated = 0  # for the last choice
        self._site, self._stayed = 0, 0  # how often in a row a choice led back to the same question

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
        return self._getting_on(state, choice)

    def _getting_on(self, state: State, choice: Choice) -> Choice:
        """Where one may plan for ever, better plans are always ahead: after a while something that leads on is taken."""
        decision = state.decision
        assert decision is not None
        if decision.is_chance:
            return choice
        worlds = state.worlds(decision.player)
        if choice.site != self._site:
            self._site, self._stayed = choice.site, 0
        if self._stayed >= PATIENCE and self._stays(worlds.draw(self._rng), choice):
            onward = [c for c in state.choices if not self._stays(worlds.draw(self._rng), c)]
            choice = self._rng.choice(onward) if onward else choice
            self._stayed = 0 if onward else self._stayed
        else:
            self._stayed = self._stayed + 1 if self._stays(worlds.draw(self._rng), choice) else 0
        return choice

    def _stays(self, world: State, choice: Choice) -> bool:
        """Whether the same player is asked the same question afterwards."""
        before = world.decision
        try:
            world.apply(choice)
        except IllegalChoice:
            return False
        after = world.decision
        same = before is not None and after is not None and after.player == before.player
        return same and world.choices[0].site == choice.site

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
    """What a random game from here is worth to each player at its end, or where it is cut."""
    try:
        for _ in range(cut_off(state)):
            if state.outcome is not None:
                break
            state.apply(rng.choice(state.choices))
        return rewards(state)
    except PlayError:  # a fault of the rules
        return [0.5] * len(state.players)
