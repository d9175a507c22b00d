"""Conditions that hold in every state: what is called so holds wherever it is tried, and plain cases are found."""

from __future__ import annotations

import itertools

import pytest

import ruleforge
from ruleforge.analysis.effects.truth import invariants_that_cannot_fail
from tests.unit.small_games import rules_file, small_game

RULES = """\
game:
  id: inv
  title: Inv
  version: "1.0"
  text: Invariants.
  players: 2
kinds:
  player: {{things: [ann, ben], has: {{cubes: 0..3, hat: 0..3 = 1}}}}
  card: {{facts: {{rank: 1..3}}, things: {{one: {{rank: 1}}, two: {{rank: 3}}}}}}
places:
  hand: {{of: {{holder: player}}, holds: card, starts: "{{c in cards where holder is ann}}"}}
formulas:
  worth: {{takes: {{p: player}}, is: p.cubes + p.hat}}
  grown: {{takes: {{p: player}}, open: true, is: p.cubes}}
rules:
  grows: {{modify: grown(p), add: 5}}
invariants:
{invariants}
flow:
  - {{phase: turn, repeat: true, each: me in players, window: one}}
actions:
  stop: {{during: turn, do: finish over}}
endings: {{over: {{text: Over.}}}}
"""
ALWAYS = (
    "all(p.cubes >= 0 for p in players)",
    "sum(p.cubes for p in players) <= 6",
    "not any(p in players where p.cubes > 3)",
    "ann.cubes <= 3 and ben.cubes <= 3",
    "all(count(c in p.hand) <= 2 for p in players)",
    "ann.cubes + ben.cubes >= 0 or ann.hat is 2",
    "ann.cubes is ann.cubes",
    "all(worth(p) <= 6 for p in players)",
    "all(c.rank >= 1 for c in cards)",
    "max(p.cubes for p in players) <= 3",
)
OPERATORS = ("<", "<=", ">", ">=", "is", "is not")
SIDES = (
    "ann.cubes",
    "ann.cubes - ben.hat",
    "sum(p.hat for p in players)",
    "worth(ben)",
    "grown(ann)",
    "3",
    "0",
)
COMPARED = tuple(f"{a} {op} {b}" for a, op, b in itertools.product(SIDES[:5], OPERATORS, SIDES))
SHAPES = (
    "{}",
    "not ({})",
    "ann.hat is 1 or {}",
    "all({} for q in players)",
    "not any(q in players where {})",
)


def text_of(tests: tuple[str, ...]) -> str:
    lines = (f'  i{n}: {{text: i., that: "{test}"}}' for n, test in enumerate(tests))
    return RULES.format(invariants="\n".join(lines))


def never_failing(tests: tuple[str, ...]) -> list[str]:
    checked = ruleforge.analyse(rules_file(text_of(tests))).checked
    assert checked is not None
    return [tests[int(i.name[1:])] for i in invariants_that_cannot_fail(checked)]


def test_plain_cases_are_found():
    assert never_failing(ALWAYS) == list(ALWAYS)


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_said_to_hold_always_holds_wherever_it_is_tried(shape):
    tests = tuple(shape.format(test) for test in COMPARED)
    found = never_failing(tests)
    assert found
    state = small_game(text_of(("ann.cubes > 3",))).start()
    for values in itertools.product((0, 3), repeat=4):
        paths = ("ann.cubes", "ben.cubes", "ann.hat", "ben.hat")
        position = state.patched(dict(zip(paths, values, strict=True)))
        assert [test for test in found if not position.evaluate(test)] == []
