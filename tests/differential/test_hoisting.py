"""A loop that asks once what is the same in all laps plays the same game as one that asks in every lap."""

from __future__ import annotations

import random

import pytest

import ruleforge
from ruleforge.compiler import ir
from ruleforge.compiler.lower.flow import ruleset

ASKING = (
    "backgammon",
    "euchre",
    "hearts",
    "primordial-orbs",
    "primordial-soup",
    "quoridor",
    "soul-gems",
    "splicers",
)


def games(monkeypatch: pytest.MonkeyPatch, rules: str) -> tuple[ruleforge.Game, ruleforge.Game]:
    """The same rules with and without."""
    monkeypatch.setenv("RULEFORGE_CACHE", "")
    plain, hoisting = ruleforge.load(rules), ruleforge.load(rules)
    with monkeypatch.context() as patched:
        patched.setattr(ruleset, "hoisted", lambda lowered: lowered)
        plain.start()
    return plain, hoisting


def asks_once(game: ruleforge.Game) -> bool:
    functions = game.variant(game.compiled.setup()).program.functions.values()
    return any("known#" in repr(f.body) for f in functions)


@pytest.mark.parametrize("rules", ASKING)
def test_the_same_game(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, hoisting = games(monkeypatch, rules)
    assert asks_once(hoisting) and not asks_once(plain)
    rng = random.Random(rules)
    for seed in range(2):
        ours, theirs = hoisting.start(seed=seed), plain.start(seed=seed)
        for _ in range(60):
            assert list(map(str, ours.choices)) == list(map(str, theirs.choices))
            if ours.outcome is not None:
                break
            text = str(rng.choice(ours.choices))
            ours.apply(text)
            theirs.apply(text)
            assert ours.save() == theirs.save()


def test_what_is_lifted_is_asked_before_its_first_use() -> None:
    """Whoever must follow suit is asked for it once for all cards, and not at all who leads."""
    game = ruleforge.load("hearts")
    functions = game.variant(game.compiled.setup()).program.functions
    listed = functions["choices of turn_1"].body
    assert [s.name for s in listed if isinstance(s, ir.Set)] == ["known#1", "known#2", "known#3"]
