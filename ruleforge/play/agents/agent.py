"""What an agent is, and agents by name.

`random`, `greedy`, `mcts`, `mcts:1s` (a choice), `mcts:2000` (simulations), `remote:4001` (somebody who comes to that
port), and the profiles of a game.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Protocol

from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import PlayError
from ruleforge.engine.state import State
from ruleforge.play.agents.greedy import GreedyAgent
from ruleforge.play.agents.mcts import MctsAgent
from ruleforge.play.agents.profile import ProfileAgent
from ruleforge.play.agents.remote import RemoteController
from ruleforge.play.agents.seated import SeatedAgent
from ruleforge.play.agents.uniform import RandomAgent
from ruleforge.support.spelling import listed


class Agent(Protocol):
    """Answers decisions; it may keep what it likes between calls, but must not change the state."""

    def choose(self, state: State) -> Choice: ...


AGENTS = ("random", "greedy", "mcts")
_BUDGET = re.compile(r"mcts:(?:(?P<seconds>[0-9]{1,9}(?:\.[0-9]{1,9})?)s|(?P<simulations>[0-9]{1,9}))")


def is_agent(name: str, profiles: Collection[str] = ()) -> bool:
    """Whether `make_agent` knows the name."""
    plain = name in AGENTS or name in profiles
    return plain or _BUDGET.fullmatch(name) is not None or _port(name) is not None


def make_agent(name: str, seed: int, profiles: Collection[str] = ()) -> Agent:
    """The agent of this name; `profiles` are those of the game that is played."""
    if name == "random":
        return RandomAgent(seed)
    if name == "greedy":
        return GreedyAgent(seed)
    if name == "mcts":
        return MctsAgent(seed)
    if name in profiles:
        return ProfileAgent(name)
    port = _port(name)
    if port is not None:
        return SeatedAgent(RemoteController(port))
    budget = _BUDGET.fullmatch(name)
    if budget is None:
        known = (*AGENTS, *profiles, "mcts:1s", "mcts:2000", "remote:4001")
        raise PlayError("RF844", f"there is no agent `{name}`; there are {listed(known, 'and')}")
    if budget["seconds"]:
        return MctsAgent(seed, seconds=float(budget["seconds"]))
    return MctsAgent(seed, simulations=max(1, int(budget["simulations"])))


def _port(name: str) -> int | None:
    word, _, digits = name.partition(":")
    port = int(digits) if digits.isdecimal() and digits.isascii() and len(digits) < 6 else 0
    return port if word == "remote" and 0 < port < 65536 else None
