"""A game that waits inside an effect can be restored, whatever its locals hold."""

from __future__ import annotations

import pytest

from tests.unit.small_games import small_game

HEAD = """
game:
  id: waiting
  title: Waiting
  version: "1.0"
  text: Waiting.
  players: 2
flow: [{phase: turn, repeat: true, each: me in players, window: one}]
endings: {over: {text: Over.}}
"""
# What an event is handed comes from a formula that stands behind it, and from a sum in that formula.
SUMS = """
kinds:
  player: {things: [ann, ben], has: {coins: 0..90 = 40}}
formulas:
  wealth: {is: double(1)}
  double: {takes: {k: 0..9}, is: k * together()}
  together: {is: sum(p.coins for p in players)}
events:
  gain:
    takes: {p: player, k: 0..180}
    do: |
      p chooses q in players:
        q.coins = min(90, k)
actions:
  take: {during: turn, do: "gain(me, wealth())"}
"""
# The index of the second attribute is a product, so that its base becomes that of another attribute.
PRODUCTS = """
kinds:
  player: {things: [ann, ben], has: {gift: flag, stock: 0..90 per good = 40}}
  good: {things: [corn, wine]}
actions:
  take:
    during: turn
    do: |
      let k = me.stock[corn]
      me chooses q in players:
        q.stock[wine] = min(90, k + 1)
"""


@pytest.mark.parametrize("rules", [SUMS, PRODUCTS], ids=["sums", "products"])
def test_what_waits_in_an_effect_is_restored(rules: str) -> None:
    game = small_game(HEAD + rules)
    state = game.start(seed=1)
    state.apply("take")
    assert state.decision is not None and len(state.choices) == 2
    assert game.restore(state.save()) == state
