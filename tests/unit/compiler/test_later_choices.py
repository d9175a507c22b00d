"""Choices asked after the first are offered only if the action can then be paid for."""

from __future__ import annotations

import pytest

import ruleforge

GAME = """\
game: {id: shop, title: Shop, version: "1.0", text: Buying., players: 2}
kinds:
  player:
    things: [ann, ben]
    has: {gold: 0..20 = 5}
  ware:
    facts: {price: 0..9}
    things: {rope: {price: 2}, lamp: {price: 4}, boat: {price: 9}}
events:
  spend:
    takes: {p: player, amount: 0..99}
    needs: p.gold >= amount
    do: p.gold -= amount
flow:
  - {phase: turn, repeat: true, each: me in players, window: one, stuck: finish poor}
actions:
  buy:
    during: turn
    choose: {w: in wares, much: in 1..3}
    cost: COST
    do: skip
endings: {poor: {text: Nobody can buy.}}
"""


@pytest.mark.parametrize("cost", ["pay w.price * much from me.gold", "spend(me, w.price * much)"])
@pytest.mark.parametrize("backend", ["python", "reference"])
def test_what_cannot_be_paid_is_not_offered_later(tmp_path, cost, backend):
    (tmp_path / "game.yaml").write_text(GAME.replace("COST", cost), encoding="utf-8")
    state = ruleforge.load(tmp_path, backend=backend).start(seed=1)
    assert [c.text for c in state.choices] == ["buy rope", "buy lamp"]
    state.apply("buy rope")
    assert [c.text for c in state.choices] == ["1", "2"]
    state.apply("2")
    assert state["ann.gold"] == 1
