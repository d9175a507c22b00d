"""Many positions that advance together: the numbered actions of `actions.py` over the environments of a
batch.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ruleforge.compiler.observation_program import lies_in
from ruleforge.engine.batch import Batch
from ruleforge.rl.position import Space

NONE = -1


class HiddenThings:
    """Finds the environments in which the deciding player may not see an element of a choice.

    Codes name the elements of a choice. The observation shows whether its player sees them.
    """

    def __init__(self, space: Space) -> None:
        program = space.variant.program
        hiding = sorted(space.variant.visibility.choices.sites)
        self._hiding = np.zeros(len(program.sites), bool)
        self._hiding[hiding] = True
        options = [(site, option) for site in hiding for option in program.sites[site].options]
        self._keys = np.array([(site << 32) + option.first for site, option in options], np.int64)
        width = max((len(option.parts) for _, option in options), default=0)
        self._parts = np.zeros(
            (len(options), width, 3), np.int64
        )  # divisor, size, word where the first thing lies
        self._parts[..., :2] = 1
        self._parts[..., 2] = NONE
        lies = lies_in(program)
        for row, (_, option) in zip(self._parts, options, strict=True):
            divisor = 1
            for number, part in reversed(list(enumerate(option.parts))):
                row[number] = divisor, part.size, NONE if part.kind is None else lies.get(part.kind, NONE)
                divisor *= part.size

    def may_be(self, sites: Any) -> Any:
        """Whether an environment waits at a site that may ask about hidden things."""
        return self._hiding[sites]

    def envs(self, codes: Any, sites: Any, envs: Any, seen: Any) -> list[int]:
        """The environments with a hidden element in a choice, among the given ones.

        The choices of the environments lie one behind the other. `seen` is the observation of each deciding
        player.
        """
        decides = self.may_be(sites)[envs]
        codes, envs = codes[decides], envs[decides]
        keys = (sites[envs].astype(np.int64) << 32) + codes
        option = np.searchsorted(self._keys, keys, "right") - 1
        divisor, size, first = np.moveaxis(self._parts[option], 2, 0)
        things = first + (keys - self._keys[option])[:, None] // divisor % size
        hidden = (seen[envs[:, None], things] == Batch.HIDDEN) & (first != NONE)
        return np.unique(envs[hidden.any(axis=1)]).tolist()  # type: ignore[no-any-return]


class VectorPositions:
    """The environments of a batch, each with its unfinished choice.

    If a choice takes several actions, its environment waits until the last of them.
    """

    def __init__(self, space: Space, size: int, seed: int, most: int) -> None:
        players, options, chance = space.how
        self.space, self.size = space, size
        self.batch = space.game.batch(size, seed, players, dict(options), chance, most=most, reset=False)
        self._hidden = HiddenThings(space)
        self.earlier = np.full((size, space.table.steps), NONE, np.int32)  # actions of the choices under way
        self._read()

    def _begin(self, envs: Any) -> None:
        """These environments wait for a new choice."""
        self.earlier[envs] = NONE
        self._read()

    # --- what may be done ---

    def _read(self) -> None:
        """List the actions of all choices, and find out which of them the actions so far leave possible."""
        batch = self.batch
        self.players, self.counts, self.sites = batch.players - 1, batch.counts, batch.sites
        self._firsts = batch.offsets[:-1]
        self._envs = np.repeat(np.arange(self.size), self.counts)
        codes = batch.codes
        self._paths = self.space.table.paths(self.sites[self._envs], codes)
        self._seen: Any = None
        renamed = list[int]()
        if self._hidden.may_be(self.sites).any():
            renamed = self._hidden.envs(codes, self.sites, self._envs, self._seen_by_deciders())
        for env in renamed:
            self._rename(env)
        wide = self.space.table.is_wide[self.sites]
        wide[renamed] = True
        self._level = np.zeros(self.size, np.intp)
        self._left = np.ones(len(self._envs), bool)
        self._next = self._paths[:, 0].copy()  # the action that comes next on the way to each choice
        if wide.any():
            self._narrow(np.flatnonzero(wide[self._envs]))

    def _narrow(self, wide: Any) -> None:
        """Restrict wide choices to those that the actions so far leave possible, and find the next actions."""
        paths, envs = self._paths[wide], self._envs[wide]
        wanted = self.earlier[envs]
        left = ((wanted == NONE) | (wanted == paths)).all(axis=1)
        self._left[wide] = left
        self._skip(paths[left], envs[left])
        self._level = (self.earlier != NONE).sum(axis=1)
        self._next[wide] = paths[np.arange(len(paths)), self._level[envs]]

    def _rename(self, env: int) -> None:
        """Number the hidden choices of an environment by place, because the deciding player may not see
        them.
        """
        choices = self.batch.choices(env)
        places = np.array(self.batch.places(env, choices), np.intp) + self._firsts[env]
        for place, path in zip(places, self.space.actions.paths(choices), strict=True):
            self._paths[place] = NONE
            self._paths[place, : len(path)] = path

    def _skip(self, paths: Any, envs: Any) -> None:
        """Go on to the first step with several answers, in every environment."""
        starts = np.flatnonzero(np.diff(envs, prepend=-1))
        own = envs[starts]  # the environments in which there is a choice
        open_ = np.bincount(envs, minlength=self.size)[own] > 1
        for level in range(paths.shape[1] if open_.any() else 0):
            low, high = (way.reduceat(paths[:, level], starts) for way in (np.minimum, np.maximum))
            alike = open_ & (low == high)
            self.earlier[own[alike], level] = low[alike]
            open_ = alike  # elsewhere this step has several answers

    def legal(self) -> tuple[Any, Any]:
        """The environments and the numbers of all actions that are legal now, side by side."""
        return self._envs[self._left], self._next[self._left]

    def mask(self) -> Any:
        """A byte for each environment and action, 1 where it is legal."""
        found = np.zeros((self.size, self.space.actions.count), np.int8)
        found[self.legal()] = 1
        return found

    # --- going on ---

    def act(self, actions: Any, others: Any) -> Any:
        """Take an action in each environment. If `others` is not WAIT, the batch gets that value instead.

        Returns for each environment whether its action was legal. An illegal action changes nothing.
        """
        acting = others == Batch.WAIT
        fits = self._left & (self._next == np.asarray(actions)[self._envs])
        ways = np.bincount(self._envs[fits], minlength=self.size)
        picks = others.copy()
        settled = fits & acting[self._envs] & (ways[self._envs] == 1)
        envs = self._envs[settled]
        picks[envs] = np.flatnonzero(settled) - self._firsts[envs]
        going = np.flatnonzero(acting & (ways > 1))
        self.earlier[going, self._level[going]] = actions[going]
        self.batch.apply(picks)
        self._begin(picks != Batch.WAIT)
        return ~acting | (ways > 0)

    def let(self, picks: Any) -> None:
        """Tell the batch what to do in each environment: DRAWN, WAIT or NEXT."""
        self.batch.apply(picks)
        self._begin(picks != Batch.WAIT)

    # --- what is seen ---

    def tensors(self, viewers: Any) -> Any:
        """The observation of a player of each environment."""
        deciders = np.maximum(self.players, NONE)  # no player decides in a finished game
        same = (viewers == deciders).all()
        words = self._seen_by_deciders() if same else np.asarray(self.batch.observations(viewers + 1))
        found = self.space.tensors(words, viewers, deciders, self.sites)
        for env in np.flatnonzero((self._level > 0) & (viewers == deciders)):
            self.space.answered(found[env], self.earlier[env, : self._level[env]].tolist())
        return found

    def _seen_by_deciders(self) -> Any:
        if self._seen is None:
            self._seen = np.asarray(self.batch.observations())
        return self._seen
