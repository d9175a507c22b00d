"""Any ruleset as a PettingZoo AEC environment: agents act in turn, each with a mask of its legal actions."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from ruleforge.rl.position import OVER, Space
from ruleforge.rl.spaces import mask_space, observation_space


class RuleforgeAECEnv(AECEnv[str, Any, int]):
    """One game after the other. The rewards are the scores, given when a game ends.

    A game is cut short (truncated) after `max_cycles` actions, and where a limit of the rules stops it.
    """

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
        """What an action means, in all positions."""
        return self.space.actions.names[action]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.position = self.space.start(int(self._random.integers(2**31)))
        self._made = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()

    def observe(self, agent: str) -> dict[str, Any]:
        viewer = self.possible_agents.index(agent)
        acts = viewer == self.position.player
        mask = self.position.mask() if acts else np.zeros(self.space.actions.count, np.int8)
        return {"observation": self.position.observation(viewer, self._form), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        assert action is not None
        self.position.act(int(action))
        self._made += 1
        self._go_on()
        self._accumulate_rewards()

    def _go_on(self) -> None:
        """Turn to the agent who acts next, or end the game."""
        position = self.position
        if position.fault:
            self.infos = {agent: {"fault": position.fault} for agent in self.agents}
        if position.fault or (self._made >= self.max_cycles and position.player != OVER):
            self.truncations = dict.fromkeys(self.agents, True)
        elif position.player == OVER:
            self.rewards = dict(zip(self.agents, position.returns(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        if position.player != OVER:
            self.agent_selection = self.possible_agents[position.player]

    def render(self) -> str | None:
        """The table as everybody may see it."""
        return self.position.drawing(None) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""
