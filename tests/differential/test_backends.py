"""The generated Python against the reference interpreter: choices, events and saved rows, word for word."""

from __future__ import annotations

import random
from collections import deque

import pytest

import ruleforge
from ruleforge.backends.api import words
from ruleforge.support.resources import shipped_games
from tests.inside import variant_of, vector_of
from tests.shelf import game as shelved
from tests.thorough import most

# Games and decisions a game; the reference interpreter is slow on purpose, and large games ask much of it.
SMALL = (most(2, 6), 150)
LARGE = (most(1, 2), most(30, 60))
QUICK = {"breakthrough", "connect-four", "hex", "kuhn-poker", "leduc-poker", "nim", "tic-tac-toe"}
HEAVY = {  # every wall is tried, and two ways are looked for after each; every move, and who attacks the king; chains
    "quoridor": (1, 4),
    "chess": (1, 20),
    "go": (1, 20),
}
ENDLESS = {"soul-gems": {"max_turns": 5}}  # random play needs a limit there


@pytest.mark.parametrize("chance", ["sampled", "explicit"])
@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_backends_agree_on_every_state(name: str, chance: str) -> None:
    fast, plain = shelved(name), shelved(name, backend="reference")
    rng = random.Random(f"{name} {chance}")
    games, limit = SMALL if name in QUICK else HEAVY.get(name, LARGE)
    for number in range(games):
        players, options = drawn_setup(fast, rng)
        ours = fast.start(players, number, options, chance)  # type: ignore[arg-type]
        theirs = plain.start(players, number, options, chance)  # type: ignore[arg-type]
        in_step(ours, theirs, rng, limit)


def in_step(ours: ruleforge.State, theirs: ruleforge.State, rng: random.Random, limit: int) -> None:
    for _ in range(limit):
        assert ours.save() == theirs.save()
        assert ours.digest == theirs.digest
        texts = [str(choice) for choice in ours.choices]
        assert texts == [str(choice) for choice in theirs.choices]
        assert ours.outcome == theirs.outcome
        if ours.outcome is not None:
            return
        text = rng.choice(texts)
        mine, other = _applied(ours, text), _applied(theirs, text)
        if isinstance(mine, str) or isinstance(other, str):
            assert mine == other
            return
        if rng.random() < 0.1:  # records are made by running the step again, which takes its time
            assert [str(event) for event in mine] == [str(event) for event in other]


def _applied(state: ruleforge.State, text: str) -> ruleforge.Events | str:
    """What happened, or why the choice was taken back."""
    try:
        return state.apply(text)
    except ruleforge.IllegalChoice as refused:
        return str(refused)


def drawn_setup(game: ruleforge.Game, rng: random.Random) -> tuple[int, dict[str, int | str | bool]]:
    """Players and options, drawn first of all: with one seed all backends are tried in one setup, compiled once."""
    return rng.randint(*game.info.players), drawn_options(game, rng)


def drawn_options(game: ruleforge.Game, rng: random.Random) -> dict[str, int | str | bool]:
    """Options drawn at random, so that all variants of a game are compared."""
    drawn: dict[str, int | str | bool] = {}
    for option in game.info.options:
        if option.values:
            drawn[option.name] = rng.choice(option.values)
        elif option.low is None or option.high is None:
            drawn[option.name] = rng.random() < 0.5
        else:
            drawn[option.name] = rng.randint(option.low, option.high)
    return drawn


@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_playouts_agree(name: str) -> None:
    """The same number given to `playout` leads to the same end in both, from a position not far from it."""
    fast, plain = shelved(name), shelved(name, backend="reference")
    for seed in range(most(1, 3)):
        ours = _late(fast.start(seed=seed, options=ENDLESS.get(name, {})), random.Random(seed))
        theirs = plain.restore(ours.save())
        if name in HEAVY:  # the interpreter would play on for minutes
            assert fast.playouts(ours, 2, seed, 6) == plain.playouts(theirs, 2, seed, 6)
            continue
        assert fast.playout(ours, seed) == plain.playout(theirs, seed)
        assert _played_out(ours, seed) == _played_out(theirs, seed)


def _played_out(state: ruleforge.State, seed: int) -> list[int]:
    runtime, program = variant_of(state).runtime, variant_of(state).program
    return words(runtime.playout(runtime.copy(vector_of(state)), random.Random(seed)), program)


def _late(state: ruleforge.State, rng: random.Random) -> ruleforge.State:
    """A position of a random game some decisions before its end."""
    last: deque[ruleforge.State] = deque(maxlen=25)
    while state.outcome is None:
        last.append(state.copy())
        state.apply(rng.choice(state.choices))
    return last[0]
