"""Any ruleset as a Gymnasium environment for one agent: many games at once, or one."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ruleforge.engine.batch import Batch
from ruleforge.engine.presentation.text_renderer import text
from ruleforge.rl.position import Space
from ruleforge.rl.spaces import ILLEGAL, mask_space, observation_space
from ruleforge.rl.vector import VectorPositions

MOST_MISSED = 1_000  # games that may end one after the other before the agent is asked


class RuleforgeVectorEnv(VectorEnv[Any, Any, Any]):
    """Vectorised games in which the agent has one seat and all other players choose at random.

    With `seat=None` the agent acts for the deciding player, and `infos["player"]` names that player. The
    reward, at the end of a game, is the score of the seat, or of the player who acted last. The next step
    after the end of a game starts a new one and ignores its action (autoreset mode NEXT_STEP).
    """

    def __init__(self, space: Space, num_envs: int, seat: str | None, max_steps: int) -> None:
        self.space, self.num_envs, self._most = space, num_envs, max_steps
        self._seat = None if seat is None else space.players.index(seat)
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}
        self.single_observation_space = spaces.Dict(
            {"observation": observation_space(space, "tensor"), "action_mask": mask_space(space)}
        )
        self.single_action_space = spaces.Discrete(space.actions.count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._games: VectorPositions | None = None

    def action_name(self, action: int) -> str:
        """The name of an action, the same in all positions."""
        return self.space.actions.names[action]

    def action_masks(self) -> Any:
        """A byte for each game and action, 1 where it is legal."""
        return self.games.mask()

    @property
    def games(self) -> VectorPositions:
        """The games, with their legal actions as lists: `games.legal()`."""
        if self._games is None:
            raise gymnasium.error.ResetNeeded("call `reset` before the first step")
        return self._games

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        if self._games is None or seed is not None:
            start = int(self.np_random.integers(2**31))
            self._games = VectorPositions(self.space, self.num_envs, start, self._most)
        else:
            self._games.let(np.full(self.num_envs, Batch.NEXT, np.int32))
        self._ended = np.zeros(self.num_envs, bool)  # in the last step
        self._to_the_seat(begin=True)
        self._actors = self._games.players
        return self._seen(), self._infos()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        games, begin = self.games, self._ended
        self._actors = np.where(begin, 0, games.players)
        others = np.where(begin, Batch.NEXT, Batch.WAIT).astype(np.int32)
        legal = games.act(np.asarray(actions), others)
        self._to_the_seat(begin)
        self._ended = (games.players < 0) & ~begin
        endings, viewers = games.batch.endings, np.maximum(self._viewers(), 0)
        rewards = np.where(self._ended, games.batch.scores[np.arange(self.num_envs), viewers], 0).astype(
            np.float64
        )
        terminated, truncated = self._ended & (endings > 0), self._ended & (endings <= 0)
        rewards[~legal], terminated[~legal], self._ended[~legal] = ILLEGAL, True, True
        rewards[truncated] = 0
        return self._seen(), rewards, terminated, truncated, self._infos()

    def _to_the_seat(self, begin: Any) -> None:
        """Draw the choices of all others, until the agent decides or a game is over; games just begun go on."""
        games, missed = self.games, 0
        while missed < MOST_MISSED:
            over = games.players < 0
            picks = np.full(self.num_envs, Batch.WAIT, np.int32)
            if self._seat is not None:
                picks[~over & (games.players != self._seat)] = Batch.DRAWN
            picks[over & begin] = Batch.NEXT  # the agent was not asked in it at all
            if (picks == Batch.WAIT).all():
                return
            missed += int((over & begin).any())
            games.let(picks)
        raise ValueError("the agent's seat is never asked: games end before it is")

    def _viewers(self) -> Any:
        """The viewers: the seat, or the deciding player. After the end of a game, the player who acted last."""
        games = self.games
        if self._seat is not None:
            return np.full(self.num_envs, self._seat)
        return np.where(games.players < 0, self._actors, games.players)

    def _seen(self) -> dict[str, Any]:
        games = self.games
        return {"observation": games.tensors(self._viewers()), "action_mask": games.mask()}

    def drawing(self, number: int) -> str:
        """The public view of one of the games."""
        return text(self.games.batch.state(number).scene(None))

    def _infos(self) -> dict[str, Any]:
        return {"player": self.games.players}

    def close_extras(self, **kwargs: Any) -> None:
        """There is nothing to close."""


class RuleforgeEnv(gymnasium.Env[Any, Any]):
    """A single game of a `RuleforgeVectorEnv`."""

    def __init__(self, space: Space, seat: str | None, max_steps: int, render_mode: str | None) -> None:
        self.metadata = {"render_modes": ["ansi"]}
        self._games = RuleforgeVectorEnv(space, 1, seat, max_steps)
        self.space, self.render_mode = space, render_mode
        self.observation_space = self._games.single_observation_space
        self.action_space = self._games.single_action_space

    def action_name(self, action: int) -> str:
        """The name of an action, the same in all positions."""
        return self._games.action_name(action)

    def action_masks(self) -> Any:
        """A byte for each action, 1 where it is legal."""
        return self._games.action_masks()[0]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        seen, infos = self._games.reset(seed=seed)
        return self._first(seen), self._first(infos)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        seen, rewards, terminated, truncated, infos = self._games.step(np.array([action]))
        ends = bool(terminated[0]), bool(truncated[0])
        return self._first(seen), float(rewards[0]), *ends, self._first(infos)

    def _first(self, found: dict[str, Any]) -> dict[str, Any]:
        return {name: values[0] for name, values in found.items()}

    def render(self) -> Any:
        """The public view of the table."""
        return self._games.drawing(0) if self.render_mode == "ansi" else None
