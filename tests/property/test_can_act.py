"""Whoever is asked in a phase or window can act there: `can_act` and what is offered never differ."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import ruleforge
from ruleforge.lang.checker.walk import phases_of
from ruleforge.project.resolver import analyse

ROOT = Path(__file__).resolve().parents[2]
GAMES = ["asking", "costs", "keywords", "turns", "planning", "hidden"]
SHIPPED = ["checkers", "clobber", "crazy-eights", "nine-mens-morris", "quoridor"]
DECISIONS = 30


@pytest.mark.parametrize(
    "folder", [f"tests/rulesets/{name}" for name in GAMES] + [f"examples/{name}" for name in SHIPPED]
)
def test_asked_and_offered(folder: str) -> None:
    game = ruleforge.load(ROOT / folder)
    rules = analyse(ROOT / folder).checked
    assert rules is not None
    windows = [phase.name for phase in phases_of(rules.flow) if phase.window]
    rng, asked = random.Random(folder), 0
    state = game.start(seed=1)
    for _ in range(DECISIONS):
        decision = state.decision
        if decision is None:
            break
        player, kind = decision.player, decision.kind
        if kind in windows:
            asked += 1
            taken = {_word(choice.action) for choice in state.choices if choice.action is not None}
            assert state.evaluate(f"can_act({player}, {kind})") is bool(taken)
            for word in {_word(name) for name, action in rules.actions.items() if action.during == (kind,)}:
                assert state.evaluate(f"can_act({player}, {word})") is (word in taken), word
        state.apply(rng.choice(state.choices))
    assert asked


def _word(action: str) -> str:
    return action.rpartition(".")[2]
