"""RuleForge driven through its Python API: playouts, single steps, copies."""

from __future__ import annotations

from array import array
from random import Random

from numpy.random import Generator

from ruleforge import Game, State
from ruleforge.backends.api import words
from ruleforge.engine.batch import Batch


def play_out(game: Game, start: State, times: int, rng: Random) -> None:
    """`game.playout`: random play to the end in one call, which returns the outcome."""
    for _ in range(times):
        game.playout(start, rng)


def play_natively(game: Game, start: State, times: int, rng: Random) -> None:
    """`game.playouts` in machine code: complete lists at every decision, counts of what came out."""
    game.playouts(start, games=times, seed=rng.getrandbits(31), most=100_000)


def search(start: State, simulations: int, rng: Random) -> None:
    """A tree search in machine code for one choice, every simulation played to its end, as by the peer."""
    searching = start._variant.special.searching
    assert searching is not None
    tree = searching.search()
    tree.seed((rng.getrandbits(31), rng.getrandbits(31) | 1))
    tree.simulate(array("i", words(start._row, start._variant.program)), simulations, 100_000)
    tree.visits()


def step_through(start: State, times: int, rng: Random) -> None:
    """What a researcher writes: look at the complete list, choose, apply."""
    draw = rng.random
    for _ in range(times):
        state = start.copy()
        choices = state.choices
        while choices:
            state.apply(choices[int(draw() * len(choices))])
            choices = state.choices
        state.outcome  # noqa: B018 (the result is read, as from the peer)


def step_batch(batch: Batch, steps: int, rng: Generator) -> None:
    """What a training loop writes: look who decides and from how much, choose for all, apply, look what ended."""
    for _ in range(steps):
        batch.players  # noqa: B018 (read, as from the peer)
        batch.apply((rng.random(batch.size) * batch.counts).astype("i4"))
        if batch.over.any():
            batch.scores  # noqa: B018


def length(start: State, times: int, rng: Random) -> float:
    """How many decisions a random game has on the average."""
    made = 0
    for _ in range(times):
        state = start.copy()
        while state.choices:
            state.apply(rng.choice(state.choices))
            made += 1
    return made / times


def middle_position(start: State, plies: int, rng: Random) -> State:
    state = start.copy()
    for _ in range(plies):
        state.apply(rng.choice(state.choices))
    return state


def copy(state: State, times: int) -> None:
    duplicate = state.copy
    for _ in range(times):
        duplicate()
