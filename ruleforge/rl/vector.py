"""Many positions stepped together: the numbered actions of `actions.py` over the lanes of a batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from ruleforge.engine.batch import Batch
from ruleforge.rl.position import Space

NONE = -1


class VectorPositions:
    """The lanes of a batch, each with the choice that is under way in it.

    A lane in which a choice takes several actions waits until the last of them is made.
    """

    def __init__(self, space: Space, size: int, seed: int, most: int) -> None:
        players, options, chance = space.how
        self.space, self.size = space, size
        self.batch = space.game.batch(size, seed, players, dict(options), chance, most=most, reset=False)
        self._hiding = np.array(sorted(space.variant.visibility.choices.sites), np.int32)
        self.earlier = np.full((size, space.table.steps), NONE, np.int32)  # actions of the choices under way
        self._read()

    def _begin(self, lanes: Any) -> None:
        """These lanes wait for a new choice."""
        self.earlier[lanes] = NONE
        self._read()

    # --- what may be done ---

    def _read(self) -> None:
        """List the actions of all choices, and find out which of them the actions so far leave possible."""
        batch = self.batch
        self.players, self.counts, self.sites = batch.players - 1, batch.counts, batch.sites
        self._firsts = batch.offsets[:-1]
        self._lanes = np.repeat(np.arange(self.size), self.counts)
        self._paths = self.space.table.paths(self.sites[self._lanes], batch.codes)
        for lane in np.flatnonzero(np.isin(self.sites, self._hiding)):
            self._rename(int(lane))
        wanted = self.earlier[self._lanes]
        self._left = ((wanted == NONE) | (wanted == self._paths)).all(axis=1)
        self._skip()

    def _rename(self, lane: int) -> None:
        """Whoever decides may not see all that there is to choose from."""
        choices = self.batch.choices(lane)
        places = np.array(self.batch.places(lane, choices), np.intp) + self._firsts[lane]
        for place, path in zip(places, self.space.actions.paths(choices), strict=True):
            self._paths[place] = NONE
            self._paths[place, : len(path)] = path

    def _skip(self) -> None:
        """Go on to the first step with several answers, in every lane."""
        ways = np.bincount(self._lanes[self._left], minlength=self.size)
        for level in range(self._paths.shape[1]):
            undecided = (ways > 1) & (self.earlier[:, level] == NONE)
            lanes, actions = self._lanes[self._left], self._paths[self._left, level]
            low, high = np.full(self.size, np.iinfo(np.int32).max), np.full(self.size, NONE)
            np.minimum.at(low, lanes, actions)
            np.maximum.at(high, lanes, actions)
            alike = undecided & (low == high)
            self.earlier[alike, level] = low[alike]
            ways[undecided & ~alike] = 0  # here is a step with several answers
        self._level = (self.earlier != NONE).sum(axis=1)

    def legal(self) -> tuple[Any, Any]:
        """The lanes and the numbers of all actions that are legal now, side by side."""
        lanes = self._lanes[self._left]
        return lanes, self._paths[self._left, self._level[lanes]]

    def mask(self) -> Any:
        """A byte for each lane and action, 1 where it is legal."""
        found = np.zeros((self.size, self.space.actions.count), np.int8)
        found[self.legal()] = 1
        return found

    # --- going on ---

    def act(self, actions: Any, others: Any) -> Any:
        """Take an action in each lane; where `others` is not WAIT the batch is told that instead.

        Gives for each lane whether its action was legal. One that was not changes nothing.
        """
        acting = others == Batch.WAIT
        fits = self._left & (
            self._paths[np.arange(len(self._paths)), self._level[self._lanes]] == actions[self._lanes]
        )
        ways = np.bincount(self._lanes[fits], minlength=self.size)
        picks = others.copy()
        settled = fits & acting[self._lanes] & (ways[self._lanes] == 1)
        lanes = self._lanes[settled]
        picks[lanes] = np.flatnonzero(settled) - self._firsts[lanes]
        going = np.flatnonzero(acting & (ways > 1))
        self.earlier[going, self._level[going]] = actions[going]
        self.batch.apply(picks)
        self._begin(picks != Batch.WAIT)
        return ~acting | (ways > 0)

    def let(self, picks: Any) -> None:
        """Tell the batch what to do in each lane: DRAWN, WAIT or NEXT."""
        self.batch.apply(picks)
        self._begin(picks != Batch.WAIT)

    # --- what is seen ---

    def tensors(self, viewers: Any) -> Any:
        """What a player of each lane may know."""
        deciders = np.maximum(self.players, NONE)  # nobody decides in a game that is over
        words = np.asarray(self._observed(viewers))
        found = self.space.tensors(words, viewers, deciders, self.sites)
        for lane in np.flatnonzero((self._level > 0) & (viewers == deciders)):
            self.space.answered(found[lane], self.earlier[lane, : self._level[lane]].tolist())
        return found

    def _observed(self, viewers: Any) -> Any:
        """The numbers of observations; those of one player for all lanes, where that is who looks."""
        if (viewers == viewers[0]).all():
            return self.batch.observations(self.space.players[viewers[0]])
        found = self.batch.observations()
        for player, name in enumerate(self.space.players):
            lanes = (viewers == player) & (self.players != player)
            if lanes.any():
                found[lanes] = self.batch.observations(name)[lanes]
        return found
