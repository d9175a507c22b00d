"""What is stored lies in its range, whatever was handed on: to events, formulas and replacements, or kept in locals."""

from __future__ import annotations

import pytest

import ruleforge
from tests.unit.small_games import small_game

RULES = """
game: {id: kept, title: Kept, version: "1.0", text: Kept., players: 2}
options: {size: {type: 1..5, default: 1}}
kinds:
  player:
    things: [ann, ben]
    has: {burns: 0..9, x: 0..9}
formulas:
  same: {takes: {k: 0..4}, is: k}
events:
  singe: {takes: {p: player, k: 0..4}, do: p.burns += k}
  scorch: {takes: {p: player, k: 0..4}, do: "let more = k; p.burns = more"}
  burn: {takes: {p: player, k: 0..4}, do: p.burns += k}
rules:
  colder: {instead of: "burn(p, k)", do: proceed with k = k - 9}
flow: [{phase: turn, repeat: true, each: me in players, window: one}]
actions:
  event: {during: turn, do: "singe(me, me.x - 5)"}
  kept: {during: turn, do: "scorch(me, me.x - 5)"}
  replaced: {during: turn, do: "burn(me, 4)"}
  formula: {during: turn, do: "me.burns = same(me.x - 5)"}
  die: {during: turn, do: "let d = roll 3..option.size; me.x = d"}
  wide: {during: turn, do: "singe(me, 9 - me.x)"}
  stop: {during: turn, do: finish over}
endings: {over: {text: Over.}}
"""


@pytest.mark.parametrize("backend", ["python", "reference", "native"])
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("event", "RF810"),
        ("kept", "RF810"),
        ("replaced", "RF810"),
        ("formula", "RF810"),
        ("die", "RF828"),
    ],
)
def test_a_step_that_would_leave_a_range_is_taken_back(text: str, code: str, backend: str) -> None:
    game = small_game(RULES, backend)
    state = game.start(seed=1)
    with pytest.raises(ruleforge.IllegalChoice) as refused:
        state.apply(text)
    assert code in str(refused.value)
    assert state == game.start(seed=1) == game.restore(state.save())


@pytest.mark.parametrize("backend", ["python", "reference", "native"])
def test_what_is_given_may_lie_outside_of_what_a_parameter_says(backend: str) -> None:
    state = small_game(RULES, backend).start(seed=1)
    state.apply("wide")
    assert state["ann.burns"] == 9
