"""`ruleforge profile`: steps by definition and by line, the same for the same seed."""

from __future__ import annotations

import json
from typing import Any

import ruleforge
from ruleforge.engine.costs import Costs, costs


def found(name: str, decisions: int = 40, seed: int = 3) -> Costs:
    game = ruleforge.load(name)
    (*_, last) = costs(game.variant(game.compiled.setup()), decisions, seed, 60.0)
    return last


def test_all_steps_are_somebodys() -> None:
    cost = found("tic-tac-toe")
    assert cost.decisions == 40 and cost.games > 3
    assert cost.by_definition().total() == cost.by_line().total() == cost.total > 1000


def test_the_same_seed_costs_the_same() -> None:
    assert found("nim").by_line() == found("nim").by_line() != found("nim", seed=4).by_line()


def test_what_is_dear_is_told() -> None:
    """In Quoridor it is the walls, each of which may cut somebody off."""
    dearest, _ = found("quoridor", decisions=1).by_definition().most_common(1)[0]
    assert dearest == "formula can_arrive"


def test_the_command(ruleforge_command: Any) -> None:
    shown = ruleforge_command("profile", "nim", "--decisions", "20", "--lines", "2")
    assert shown.code == 0 and "steps in 20 random decisions" in shown.out and "game.yaml:" in shown.out
    data = json.loads(ruleforge_command("profile", "nim", "--decisions", "20", "--json").out)
    assert data["decisions"] == 20
    assert sum(line["steps"] for line in data["lines"]) == data["steps"]
    assert ruleforge_command("profile", "nosuch").code == 1
    assert ruleforge_command("profile", "nim", "--players", "7").code == 2
