"""What lies in any of several sets: gathered by walking each of them once, the same things on every backend."""

from __future__ import annotations

import pytest

import ruleforge
from tests.unit.small_games import rules_file

BOARD = """
game: {id: rays, title: Rays, version: "1.0", players: 2}
kinds:
  player: {things: [ann, ben], has: {ways: set of direction}}
  cell: {grid: {shape: square, columns: 6, rows: 6}, has: {stone: flag}}
  token: {pool: 4, has: {at: cell}}
formulas:
  run: {takes: {c: cell, d: direction}, is: "{x in ray(c, d) until x.stone}"}
  seen: {takes: {c: cell}, is: "{run(c, d) for d in ann.ways where d is not west}"}
  asked:
    takes: {c: cell}
    is: "{x in cells where any(d in ann.ways where d is not west and x in run(c, d) and number(x) > 0)}"
  round_about: {takes: {c: cell}, is: "{step(c, d) for d in directions}"}
setup: ann.ways = [north, east, southwest, west]
flow:
  - {phase: turn, repeat: true, each: me in players, window: one, stuck: finish over}
actions:
  put: {during: turn, choose: {c: in cells where not c.stone}, do: "c.stone = true; let t = new token(at = c)"}
  look: {during: turn, choose: {c: "in {t.at for t in tokens}", x: in seen(c)}, do: finish over}
endings: {over: {text: Over.}}
"""


@pytest.mark.parametrize("backend", ["reference", "python", "native"])
def test_gathered_and_asked_for_one_by_one_are_the_same(backend):
    state = ruleforge.load(rules_file(BOARD), backend=backend).start(seed=1)
    for stone in ("b2", "d4", "c3", "e1"):
        for cell in ("a1", "c3", "f6", "d4"):
            assert state.evaluate(f"seen({cell})") == state.evaluate(f"asked({cell})")
        assert state.evaluate("round_about(a1)") == ["b1", "a2", "b2"]
        looks = [c.text for c in state.choices if c.action == "look"]
        assert bool(looks) is (stone != "b2")
        state.apply(f"put {stone}")
    assert [c.text for c in state.choices if c.action == "look"] == [
        "look e1", "look b2", "look c3", "look d4",
    ]  # fmt: skip


def test_a_set_is_walked_once_and_not_asked_of_every_thing():
    state = ruleforge.load(rules_file(BOARD), backend="reference").start(seed=1)
    functions = state._variant.program.functions
    names = [name for name in functions if name.startswith("choices of turn")]
    assert names and all("gathered" in repr(functions[name].body) for name in names)
