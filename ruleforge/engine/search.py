"""`searched` finds a choice by tree search in machine code, from the information set of the deciding player."""

from __future__ import annotations

import random
import time
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ruleforge.backends.api import words
from ruleforge.backends.faults import CompilerBug
from ruleforge.engine.choice import Choice
from ruleforge.engine.visibility.choices import HiddenChoice

if TYPE_CHECKING:
    from ruleforge.engine.state import State

WORLD = 128  # simulations at most in one deal of what is hidden
DEALS = 100  # to be had before a deal is used more than once
USE = 8  # where a clock says when to stop, a deal serves for so many times the work of dealing,
LEAST = 32  # but not so long that there are fewer deals than this
CUT_OFF = 500  # decisions beyond the tree; then it counts how the players stand
SHORT = 40  # the same where the rules say how well a player stands


def cut_off(state: State) -> int:
    """Decisions that a random game beyond the tree may take."""
    return SHORT if state._variant.program.heuristic else CUT_OFF


def can_search(state: State) -> bool:
    """Whether the extra is installed, and every choice has its own code in any deal."""
    if any(isinstance(choice, HiddenChoice) for choice in state.choices):
        return False
    return state._variant.special.searching is not None


class _Share:
    """The number of simulations that one deal serves.

    A fixed number of simulations is split evenly over the deals, so that the same seed gives the same search.
    Against the clock, an expensive deal serves longer, so that most time goes into the search.
    """

    def __init__(self, simulations: int, seconds: float) -> None:
        self._fixed = max(1, min(WORLD, simulations // DEALS))
        self._seconds = seconds
        self._dealt = self._simulated = 0.0  # seconds of work
        self._deals = self.made = 0

    def many(self) -> int:
        if self._seconds == float("inf") or not self.made:
            return self._fixed
        a_deal, a_simulation = self._dealt / self._deals, self._simulated / self.made
        serving = min(USE * a_deal, self._seconds / LEAST - a_deal)
        return max(self._fixed, int(serving / a_simulation))

    @contextmanager
    def dealing(self) -> Iterator[None]:
        began = time.process_time()
        yield
        self._dealt += time.process_time() - began
        self._deals += 1

    @contextmanager
    def simulating(self) -> Iterator[None]:
        began = time.process_time()
        yield
        self._simulated += time.process_time() - began


def searched(
    state: State, rng: random.Random, simulations: int, until: float = float("inf")
) -> tuple[Choice, int]:
    """The choice tried most, and the number of simulations; until `time.monotonic()` is past a moment at most.

    A simulation follows the tree, then plays at random. Dice fall anew in each; what is hidden from the player who
    decides is dealt anew for every few of them.
    """
    searching, decision = state._variant.special.searching, state.decision
    assert searching is not None
    assert decision is not None
    tree = searching.search()
    tree.seed((rng.randrange(-(2**31), 2**31), rng.randrange(1, 2**31)))
    hidden = state._variant.hides_something and not decision.is_chance
    worlds = state.worlds(decision.player) if hidden else None
    share = _Share(simulations, until - time.monotonic())
    done = 0
    while done < simulations:
        with share.dealing():
            world = worlds.draw(rng) if worlds is not None else state
        row = array("i", words(world._row, state._variant.program))
        some = min(share.many() if hidden else simulations, simulations - done)
        try:
            with share.simulating():
                made = tree.simulate(row, some, cut_off(state), until)
        except CompilerBug:
            if not hidden:
                raise
            state._variant.special.drop_search()  # see `sample_world`: no game leads to this deal
            break
        done += made
        share.made += made
        if made < some or time.monotonic() > until:
            break
    visits = tree.visits()
    return max(state.choices, key=lambda choice: visits.get(choice._code, 0)), done
