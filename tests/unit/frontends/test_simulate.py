"""Many games: the same counts whatever plays them and however they are shared out."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

import ruleforge
from ruleforge.frontends.simulate.run import Plan, simulate
from ruleforge.frontends.simulate.tally import Tally


def counts(plan: Plan, jobs: int = 1) -> dict[str, Any]:
    total = Tally()
    for part in simulate(plan, ruleforge.load(plan.rules, plan.packs, backend=plan.backend), jobs):
        total.add(part)
    return asdict(total) | {"seconds": 0.0}


@pytest.mark.parametrize("name", ["kuhn-poker", "connect-four"])
def test_counts_depend_on_the_seed_alone(name: str) -> None:
    plan = Plan(name, (), games=120, seed=5, limit=100, backend="python")
    expected = counts(plan)
    assert expected["games"] == 120
    assert counts(plan, jobs=2) == expected
    native = Plan(name, (), games=120, seed=5, limit=100, backend="native")
    assert counts(native) == expected
    assert counts(native, jobs=3) == expected
    assert counts(Plan(name, (), games=120, seed=6, limit=100, backend="native")) != expected


def test_games_are_cut_off() -> None:
    found = counts(Plan("connect-four", (), games=20, seed=1, limit=5, backend="native"))
    assert (found["cut_off"], found["decisions"]) == (20, 100)


def test_seats_with_agents_are_played_step_by_step() -> None:
    plan = Plan("nim", (), games=3, seed=1, limit=100, agents={"ann": "mcts:20"})
    assert counts(plan)["games"] == 3
    assert counts(plan) == counts(plan)
