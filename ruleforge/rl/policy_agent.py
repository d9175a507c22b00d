"""A trained policy in a seat: an ONNX graph from an observation to a number for each action (extra
`policy`).

The graph takes `space.size` numbers for each position, as `Position.tensor` gives them, and gives
`space.actions.count` numbers. The agent takes the legal action with the greatest number until a choice is
complete.
"""

from __future__ import annotations

from functools import cached_property
from importlib.util import find_spec
from typing import Any, NoReturn

from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import PlayError
from ruleforge.engine.state import State
from ruleforge.rl.position import Position, Space, space_of


class PolicyAgent:
    """Chooses by a graph in a file, which is read at the first decision."""

    def __init__(self, path: str) -> None:
        self._path = path

    def choose(self, state: State) -> Choice:
        space = space_of(state.game, len(state.players), tuple(sorted(state.options.items())))
        position = Position(space, state.copy())
        while True:
            numbers = self._numbers(space, position)
            action = max(position.legal(), key=lambda action: float(numbers[action]))
            choice = position.completed_by(action)
            if choice is not None:
                return choice
            position.act(action)

    def _numbers(self, space: Space, position: Position) -> Any:
        """A number for each action."""
        (given, *_), seen = self._graph.get_inputs(), position.tensor(position.player)
        wanted = given.shape[-1]
        if wanted != space.size:
            self._fail(f"it takes {wanted} numbers, and a position of this game has {space.size}")
        (found,) = self._graph.run(None, {given.name: seen[None]})[0]
        if len(found) != space.actions.count:
            self._fail(f"it gives {len(found)} numbers, and this game has {space.actions.count} actions")
        return found

    @cached_property
    def _graph(self) -> Any:
        if find_spec("onnxruntime") is None:
            self._fail('an extra is missing; install it with: pip install "ruleforge[policy]"')
        import onnxruntime

        try:
            return onnxruntime.InferenceSession(self._path, providers=["CPUExecutionProvider"])
        except Exception as problem:  # its errors have no class of their own
            self._fail(str(problem).partition("\n")[0])

    def _fail(self, why: str) -> NoReturn:
        raise PlayError("RF846", f"the policy `{self._path}` cannot play: {why}") from None
