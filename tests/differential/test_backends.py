"""The generated Python against the reference interpreter: choices, events and saved rows, word for word."""

from __future__ import annotations

import random

import pytest

import ruleforge
from ruleforge.resources import shipped_games

GAMES = 6
LIMIT = 150  # decisions a game; the reference interpreter is slow on purpose


@pytest.mark.parametrize("chance", ["sampled", "explicit"])
@pytest.mark.parametrize("name", sorted(shipped_games()))
def test_backends_agree_on_every_state(name: str, chance: str) -> None:
    fast, plain = ruleforge.load(name), ruleforge.load(name, backend="reference")
    rng = random.Random(f"{name} {chance}")
    for number in range(GAMES):
        options = _options(fast, rng)
        ours = fast.start(seed=number, options=options, chance=chance)  # type: ignore[arg-type]
        theirs = plain.start(seed=number, options=options, chance=chance)  # type: ignore[arg-type]
        _in_step(ours, theirs, rng)


def _in_step(ours: ruleforge.State, theirs: ruleforge.State, rng: random.Random) -> None:
    for _ in range(LIMIT):
        assert ours.save() == theirs.save()
        assert ours.digest == theirs.digest
        texts = [str(choice) for choice in ours.choices]
        assert texts == [str(choice) for choice in theirs.choices]
        assert ours.outcome == theirs.outcome
        if ours.outcome is not None:
            return
        text = rng.choice(texts)
        mine, other = ours.apply(text), theirs.apply(text)
        if rng.random() < 0.1:  # records are made by running the step again, which takes its time
            assert [str(event) for event in mine] == [str(event) for event in other]


def _options(game: ruleforge.Game, rng: random.Random) -> dict[str, int | str | bool]:
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
    """The same number given to `playout` leads to the same end in both."""
    fast, plain = ruleforge.load(name), ruleforge.load(name, backend="reference")
    for seed in range(3):
        ours, theirs = fast.start(seed=seed), plain.start(seed=seed)
        assert fast.playout(ours, seed) == plain.playout(theirs, seed)
        assert ours.save() == theirs.save()
