"""What an agent is, and agents by name: `random`, `greedy`, `mcts`, `mcts:1s` (a choice), `mcts:2000` (simulations)."""

from __future__ import annotations

import re
from typing import Protocol

from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import PlayError
from ruleforge.engine.state import State
from ruleforge.names import listed
from ruleforge.play.agents.greedy import GreedyAgent
from ruleforge.play.agents.mcts import MctsAgent
from ruleforge.play.agents.uniform import RandomAgent


class Agent(Protocol):
    """Answers decisions; it may keep what it likes between calls, but must not change the state."""

    def choose(self, state: State) -> Choice: ...


AGENTS = ("random", "greedy", "mcts")
_BUDGET = re.compile(r"mcts:(?:(?P<seconds>[0-9]{1,9}(?:\.[0-9]{1,9})?)s|(?P<simulations>[0-9]{1,9}))")


def is_agent(name: str) -> bool:
    """Whether `make_agent` knows the name."""
    return name in AGENTS or _BUDGET.fullmatch(name) is not None


def make_agent(name: str, seed: int) -> Agent:
    """The agent of this name."""
    if name == "random":
        return RandomAgent(seed)
    if name == "greedy":
        return GreedyAgent(seed)
    if name == "mcts":
        return MctsAgent(seed)
    budget = _BUDGET.fullmatch(name)
    if budget is None:
        raise PlayError(
            "RF844",
            f"there is no agent `{name}`; there are {listed((*AGENTS, 'mcts:1s', 'mcts:2000'), 'and')}",
        )
    if budget["seconds"]:
        return MctsAgent(seed, seconds=float(budget["seconds"]))
    return MctsAgent(seed, simulations=max(1, int(budget["simulations"])))
