"""What `would` gives if the rules stop what is tried: not true, no thing, a number no attribute has by accident."""

from __future__ import annotations

import pytest

import ruleforge
from tests.unit.small_games import small_game

RULES = """\
game: {id: tried, title: Tried, version: "1.0", text: Trials., players: 2}
kinds:
  player: {things: [ann, ben], has: {gold: 0..9 = 3, hp: 0..9 = 5}}
flow: [{phase: turn, repeat: true, each: me in players, window: one}]
endings: {over: {text: Over.}}
events:
  hurt: {takes: {p: player}, do: p.hp -= 1}
actions:
  rest: {during: turn, do: skip}
  dare: {during: turn, needs: "would(hurt(me): me.gold > 0)", do: hurt(me)}
  dread: {during: turn, needs: "not would(hurt(me): me.gold > 0)", do: skip}
  learn: {during: turn, do: "me.gold = would(hurt(me): me.hp)"}
  help:
    during: turn
    do: |
      let other = would(hurt(me): next(me))
      if other is not none:
        other.gold = 9
"""
BACKENDS = ("python", "reference", "native")


def start(backend: str, hp: int) -> ruleforge.State:
    return small_game(RULES, backend=backend).start(seed=1).patched({"ann.hp": hp})


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_comes_about_has_its_value(backend: str) -> None:
    state = start(backend, 5)
    assert {c.text for c in state.choices} == {"rest", "dare", "learn", "help"}
    assert (_after(state, "learn"), _after(state, "help")) == ((4, 3), (3, 9))


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_is_stopped_is_not_true_and_no_thing(backend: str) -> None:
    state = start(backend, 0)
    assert {c.text for c in state.choices} == {"rest", "dread", "learn", "help"}
    assert _after(state, "help") == (3, 3)
    with pytest.raises(ruleforge.IllegalChoice, match=r"`player\.gold` would leave its range"):
        state.copy().apply("learn")


def test_a_thing_that_may_not_come_about_may_be_none() -> None:
    rules = RULES.replace("      if other is not none:\n        other", "      other")
    with pytest.raises(ruleforge.RulesetError, match="`other` may be none"):
        small_game(rules)


def _after(state: ruleforge.State, text: str) -> tuple[object, object]:
    after = state.copy()
    after.apply(text)
    return after["ann.gold"], after["ben.gold"]
