"""Any ruleset as a PettingZoo parallel environment: players who choose in secret from one another act in one
step.

The rules ask such players one after the other. No answer changes the question of the next player. So each of
them answers in a copy of the position, and the answers are made in their order when all are complete.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any

from pettingzoo import ParallelEnv

from ruleforge.engine.visibility.disclosure import sealed_players
from ruleforge.rl.position import OVER, Position
from ruleforge.rl.spaces import ILLEGAL, AgentSpaces


class Answer:
    """The answer of one player: the actions so far, and the position for the next one."""

    def __init__(self, position: Position) -> None:
        self.position, self.player = position, position.player
        self.actions: list[int] = []
        self.is_complete = False

    def add(self, action: int) -> bool:
        """Whether the action is legal; one that is not changes nothing."""
        if action not in self.position.legal():
            return False
        self.is_complete = self.position.act(action)
        self.actions.append(action)
        return True


class RuleforgeParallelEnv(AgentSpaces, ParallelEnv[str, Any, int]):
    """Plays one game after the other. In each step the prompted players act; actions of others are ignored.

    The action mask of a player who is not asked is empty. The rewards are the scores, given when a game ends.
    An action that is not legal ends a game with the reward -1. A game is truncated after `max_cycles` steps,
    and when a limit of the rules stops it.
    """

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        self._begin(seed)
        self._answers = list(self._next_answers())
        return self._all_seen(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> Any:
        illegal = set[str]()
        for answer in self._answers:
            agent = self.possible_agents[answer.player]
            if not answer.is_complete and not answer.add(int(actions[agent])):
                illegal.add(agent)
        self._made += 1
        if not illegal and all(answer.is_complete for answer in self._answers):
            self._make()
        return self._result(illegal)

    def _next_answers(self) -> Iterator[Answer]:
        """An answer for each prompted player.

        After the first player, only those who answer the same question in secret.
        """
        probe = self.position.copy()
        while probe.player != OVER:
            yield Answer(probe.copy())
            while not probe.act(probe.legal()[0]):
                pass
            if probe.fault or not sealed_players(probe.state):
                return

    def _make(self) -> None:
        """Make all answers, in their order."""
        for action in (action for answer in self._answers for action in answer.actions):
            if not self.position.fault:
                self.position.act(action)
        self._answers = list(self._next_answers())

    def _result(self, illegal: Set[str]) -> Any:
        position, agents = self.position, self.agents
        over = bool(illegal) or (position.player == OVER and not position.fault)
        cut = not over and (bool(position.fault) or self._made >= self.max_cycles)
        seen = self._all_seen()
        infos = {agent: {"fault": position.fault} if position.fault else {} for agent in agents}
        rewards = dict(zip(agents, position.returns(), strict=True))
        rewards |= dict.fromkeys(illegal, ILLEGAL)
        ends = dict.fromkeys(agents, over), dict.fromkeys(agents, cut)
        self.agents = [] if over or cut else agents
        return seen, rewards, *ends, infos

    def _all_seen(self) -> dict[str, Any]:
        """The observations.

        A prompted player sees the own copy of the position, with the steps of the own choice.
        """
        acting = {answer.player: answer.position for answer in self._answers if not answer.is_complete}
        return {
            agent: self._seen(acting.get(viewer, self.position), viewer, viewer in acting)
            for viewer, agent in enumerate(self.possible_agents)
        }
