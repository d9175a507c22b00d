"""The lints look at every typed tree, in whatever field it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from ruleforge.lang.checker.typed import Expr, Statement
from ruleforge.lang.checker.walk import nodes, parts
from ruleforge.project.resolver import diagnostics_of
from tests.unit.lang.checker.checking import checked_at, checked_game

ONLY_THERE = """\
game: {id: t, title: T, version: "1", text: T., players: 2}
kinds:
  player: {things: [ann, ben], facts: {age: 0..99}, has: {chips: 0..9 = 1}}
formulas:
  in_check: {takes: {p: player}, is: p.age >= 0, text: Used by a check only.}
  in_phase: {takes: {p: player, q: player}, is: p is q, text: Used by a phase only.}
  in_action: {takes: {p: player, q: player}, is: p is q, text: Used by an action only.}
  behind_let: {takes: {p: player}, is: p.age + 1, text: Used behind a let only.}
  next_age: {takes: {p: player}, let: {most: 98}, is: "min(most, behind_let(p))", sees: true}
checks:
  ages: {text: Nobody is too young., each: p in players, that: in_check(p)}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one, sees: "in_phase(viewer, me)"}
actions:
  spend: {during: turn, do: finish over, sees: "in_action(viewer, me)"}
endings:
  over: {text: Over.}
"""


def test_earlier_walks_change_nothing(tmp_path: Path):
    file = tmp_path / "t.yaml"
    file.write_text(ONLY_THERE, "utf-8")
    for formula in checked_at(file).formulas.values():
        parts(formula)
    assert diagnostics_of(file) == ()


def test_formulas_used_only_in_checks_in_sight_and_behind_a_let_are_used(tmp_path: Path):
    file = tmp_path / "t.yaml"
    file.write_text(ONLY_THERE, "utf-8")
    assert diagnostics_of(file) == ()


@pytest.mark.parametrize(
    "game", ["splicers", "soul-gems", "orbit-simulator", "nim", "gin-rummy", "lines-of-action"]
)
def test_every_typed_tree_is_walked(game: str):
    rules = checked_game(game)
    walked = {id(node) for node in nodes(rules)}
    missed = [tree for tree in _trees(rules) if id(tree) not in walked]
    assert missed == []


def _trees(root: object) -> list[object]:
    """All typed nodes that can be reached from the rules by whatever way."""
    seen: dict[int, object] = {}
    todo = [root]
    while todo:
        value = todo.pop()
        if isinstance(value, Mapping):
            todo += [*value.keys(), *value.values()]
        elif isinstance(value, list | tuple | set | frozenset):
            todo += value
        elif is_dataclass(value) and id(value) not in seen:
            seen[id(value)] = value
            todo += [getattr(value, f.name) for f in fields(value)]
    return [value for value in seen.values() if isinstance(value, Expr | Statement)]
