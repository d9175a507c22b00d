"""The agent interface, and agents by name.

Names: `random`, `greedy`, `mcts`, `mcts:1s` (for each choice), `mcts:2000` (simulations), and the profiles of a
game. Outside the process: `remote:4001` (a connection to that port) and `command:python bot.py` (a program).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Protocol

from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import PlayError
from ruleforge.engine.state import State
from ruleforge.play.agents.mcts import MctsAgent
from ruleforge.play.agents.remote import ProgramController, RemoteController
from ruleforge.play.agents.seated import Controller, SeatedAgent
from ruleforge.play.agents.simple import GreedyAgent, ProfileAgent, RandomAgent
from ruleforge.support.spelling import listed


class Agent(Protocol):
    """Answers decisions; it may keep what it likes between calls, but must not change the state."""

    def choose(self, state: State) -> Choice: ...


AGENTS = ("random", "greedy", "mcts")
EXAMPLES = ("mcts:1s", "mcts:2000", "remote:4001", "command:PROGRAM")
OUTSIDE = ("remote:", "command:")  # whoever sits there comes from outside: only the user may ask for them
_BUDGET = re.compile(r"mcts:(?:(?P<seconds>[0-9]{1,9}(?:\.[0-9]{1,9})?)s|(?P<simulations>[0-9]{1,9}))")


def is_agent(name: str, profiles: Collection[str] = (), outside: bool = False) -> bool:
    """Whether `make_agent` knows the name."""
    plain = name in AGENTS or name in profiles
    return plain or _BUDGET.fullmatch(name) is not None or (outside and _controller(name) is not None)


def make_agent(name: str, seed: int, profiles: Collection[str] = (), outside: bool = False) -> Agent:
    """The agent of this name; `profiles` are those of the game that is played.

    With `outside` the name may also be that of a port or a program. It must then come from the user, never from a
    file or a connection.
    """
    if name == "random":
        return RandomAgent(seed)
    if name == "greedy":
        return GreedyAgent(seed)
    if name == "mcts":
        return MctsAgent(seed)
    if name in profiles:
        return ProfileAgent(name)
    controller = _controller(name) if outside else None
    if controller is not None:
        return SeatedAgent(controller)
    budget = _BUDGET.fullmatch(name)
    if budget is None:
        known = (*AGENTS, *profiles, *EXAMPLES[: None if outside else -len(OUTSIDE)])
        raise PlayError("RF844", f"there is no agent `{name}`; there are {listed(known, 'and')}")
    if budget["seconds"]:
        return MctsAgent(seed, seconds=float(budget["seconds"]))
    return MctsAgent(seed, simulations=max(1, int(budget["simulations"])))


def _controller(name: str) -> Controller | None:
    """Whoever sits outside, by the name of a port or a program."""
    kind, _, rest = name.partition(":")
    if kind == "command" and rest.strip():
        return ProgramController(rest)
    port = int(rest) if rest.isdecimal() and rest.isascii() and len(rest) < 6 else 0
    return RemoteController(port) if kind == "remote" and 0 < port < 65536 else None
