"""Native code against the generated Python: choices and saved rows, word for word, in every ruleset there is."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ruleforge.support.resources import shipped_games
from tests.differential.test_backends import drawn_setup, in_step
from tests.shelf import game as shelved
from tests.thorough import most

TINY = Path(__file__).resolve().parent.parent / "rulesets"
RULESETS = [
    *(pytest.param(name, id=name) for name in sorted(shipped_games())),
    *(pytest.param(str(path), id=path.name) for path in sorted(TINY.iterdir()) if path.is_dir()),
]


@pytest.mark.parametrize("chance", ["sampled", "explicit"])
@pytest.mark.parametrize("rules", RULESETS)
def test_native_code_agrees_on_every_state(rules: str, chance: str) -> None:
    native, python = shelved(rules, backend="native"), shelved(rules)
    rng = random.Random(f"{Path(rules).name} {chance}")
    players, options = drawn_setup(native, rng)
    for seed in range(most(1, 3)):
        ours = native.start(players, seed, options, chance)  # type: ignore[arg-type]
        theirs = python.start(players, seed, options, chance)  # type: ignore[arg-type]
        in_step(ours, theirs, rng, limit=most(80, 120))


@pytest.mark.parametrize("rules", RULESETS)
def test_views_and_formulas_agree(rules: str) -> None:
    """What is asked of a state by calling functions of the rules."""
    native, python = shelved(rules, backend="native"), shelved(rules)
    rng = random.Random(7)
    ours, theirs = native.start(seed=3), python.start(seed=3)
    for _ in range(12):
        for player in ours.players:
            assert ours.view(player) == theirs.view(player)
        assert ours.violations() == theirs.violations()
        if ours.outcome is not None:
            break
        text = str(rng.choice(ours.choices))
        ours.apply(text)
        theirs.apply(text)
