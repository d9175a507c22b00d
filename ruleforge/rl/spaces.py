"""The Gymnasium spaces of observations, masks and actions, and the base of the PettingZoo environments."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding

from ruleforge.rl.position import Position, Space

ILLEGAL = -1.0  # the reward for an action that is not legal, which ends a game


def mask_space(space: Space) -> Any:
    """A byte for each action."""
    return spaces.Box(0, 1, (space.actions.count,), np.int8)


def observation_space(space: Space, form: str) -> Any:
    """A vector (`tensor`), or the same by the names of its fields (`dict`). ValueError for other forms."""
    if form == "tensor":
        return _box((space.size,))
    if form == "dict":
        return spaces.Dict({field.name: _box(field.shape) for field in space.fields})
    raise ValueError(f"an environment observes by tensor or dict, not by {form!r}")


def _box(shape: tuple[int, ...]) -> Any:
    return spaces.Box(-1, 1, shape, np.float32)


class AgentSpaces:
    """The shared parts of both PettingZoo environments: agents, spaces, seeds, action names, rendering."""

    position: Position

    def __init__(self, space: Space, observation: str, max_cycles: int, render_mode: str | None) -> None:
        super().__init__()
        self.space, self.max_cycles, self.render_mode = space, max_cycles, render_mode
        self.metadata = {
            "render_modes": ["ansi"],
            "name": f"ruleforge/{space.game.id}",
            "is_parallelizable": False,
        }
        self._form = observation
        self.possible_agents = list(space.players)
        self.agents: list[str] = []
        own = spaces.Dict(
            {"observation": observation_space(space, observation), "action_mask": mask_space(space)}
        )
        self.observation_spaces: dict[str, Any] = dict.fromkeys(self.possible_agents, own)
        self.action_spaces = {agent: spaces.Discrete(space.actions.count) for agent in self.possible_agents}
        self._random, _ = seeding.np_random()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def action_name(self, action: int) -> str:
        """The name of an action, the same in all positions."""
        return self.space.actions.names[action]

    def _begin(self, seed: int | None) -> None:
        """A new game of these agents, and how many actions were made in it."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.position = self.space.start(int(self._random.integers(2**31)))
        self._made = 0
        self.agents = self.possible_agents[:]

    def _seen(self, position: Position, viewer: int, acts: bool) -> dict[str, Any]:
        """The observation of an agent, and the mask of its actions.

        The mask of agents who do not act is empty.
        """
        mask = position.mask() if acts else np.zeros(self.space.actions.count, np.int8)
        return {"observation": position.observation(viewer, self._form), "action_mask": mask}

    def render(self) -> str | None:
        """The public view of the table."""
        return self.position.drawing(None) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""
