"""Any ruleset as a PettingZoo AEC environment: agents act in turn, each with a mask of its legal actions."""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv

from ruleforge.rl.position import OVER
from ruleforge.rl.spaces import AgentSpaces


class RuleforgeAECEnv(AgentSpaces, AECEnv[str, Any, int]):
    """Plays one game after the other. The rewards are the scores, given when a game ends.

    A game is truncated after `max_cycles` actions, and when a limit of the rules stops it.
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()

    def observe(self, agent: str) -> dict[str, Any]:
        viewer = self.possible_agents.index(agent)
        return self._seen(self.position, viewer, viewer == self.position.player)

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
