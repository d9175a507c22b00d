"""The agent interface, and agents by name.

Names: `random`, `greedy`, `mcts`, `mcts:1s` (for each choice), `mcts:2000` (simulations), and the profiles of
a game. Outside the process: `remote:4001` (a connection to that port), `command:python bot.py` (a program)
and `policy:FILE` (a trained policy, see `rl/policy_agent.py`).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from importlib import import_module
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
    """Answers decisions. It can keep data between calls, but must not change the state."""

    def choose(self, state: State) -> Choice: ...


AGENTS = ("random", "greedy", "mcts")
EXAMPLES = ("mcts:1s", "mcts:2000", "remote:4001", "command:PROGRAM", "policy:FILE")
POLICY = "ruleforge.rl.policy_agent"  # with numpy, so it is imported only when a policy sits down
OUTSIDE = (
    "remote:",
    "command:",
    "policy:",
)  # agents outside the process: only the user may ask for them
_BUDGET = re.compile(r"mcts:(?:(?P<seconds>[0-9]{1,9}(?:\.[0-9]{1,9})?)s|(?P<simulations>[0-9]{1,9}))")


def is_agent(name: str, profiles: Collection[str] = (), outside: bool = False) -> bool:
    """Whether `make_agent` knows the name."""
    plain = name in AGENTS or name in profiles
    return plain or _BUDGET.fullmatch(name) is not None or (outside and _is_outside(name))


def make_agent(name: str, seed: int, profiles: Collection[str] = (), outside: bool = False) -> Agent:
    """The agent of this name; `profiles` are those of the game that is played.

    With `outside` the name may also be that of a port, a program or a policy. It must then come from the user, never
    from a file or a connection.
    """
    if name == "random":
        return RandomAgent(seed)
    if name == "greedy":
        return GreedyAgent(seed)
    if name == "mcts":
        return MctsAgent(seed)
    if name in profiles:
        return ProfileAgent(name)
    if outside and _is_outside(name):
        return _outside_agent(name)
    budget = _BUDGET.fullmatch(name)
    if budget is None:
        known = (*AGENTS, *profiles, *EXAMPLES[: None if outside else -len(OUTSIDE)])
        raise PlayError("RF844", f"there is no agent `{name}`; there are {listed(known, 'and')}")
    if budget["seconds"]:
        return MctsAgent(seed, seconds=float(budget["seconds"]))
    return MctsAgent(seed, simulations=max(1, int(budget["simulations"])))


def _is_outside(name: str) -> bool:
    return _policy_file(name) != "" or _controller(name) is not None


def _outside_agent(name: str) -> Agent:
    if file := _policy_file(name):
        agent: Agent = import_module(POLICY).PolicyAgent(file)
        return agent
    controller = _controller(name)
    assert controller is not None
    return SeatedAgent(controller)


def _policy_file(name: str) -> str:
    kind, _, rest = name.partition(":")
    return rest.strip() if kind == "policy" else ""


def _controller(name: str) -> Controller | None:
    """The controller outside the process: a port or a program."""
    kind, _, rest = name.partition(":")
    if kind == "command" and rest.strip():
        return ProgramController(rest)
    port = int(rest) if rest.isdecimal() and rest.isascii() and len(rest) < 6 else 0
    return RemoteController(port) if kind == "remote" and 0 < port < 65536 else None
