"""What an agent is, and agents by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ruleforge.engine.choice import Choice
from ruleforge.engine.state import State
from ruleforge.play.agents.mcts import MctsAgent
from ruleforge.play.agents.uniform import RandomAgent


class Agent(Protocol):
    """Answers decisions; it may keep what it likes between calls, but must not change the state."""

    def choose(self, state: State) -> Choice: ...


AGENTS: dict[str, Callable[[int], Agent]] = {"random": RandomAgent, "mcts": MctsAgent}


def make_agent(name: str, seed: int) -> Agent:
    """The agent of this name, one of AGENTS."""
    return AGENTS[name](seed)
