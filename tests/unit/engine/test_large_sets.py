"""Sets of more things than a word has bits are told whole; what is shown to all can be asked by all."""

from __future__ import annotations

import pytest

import ruleforge
from tests.unit.small_games import small_game

PAINT = """\
game:
  id: paint
  title: Paint
  version: "1.0"
  text: Paint cells.
  players: 2
kinds:
  player:
    things: [ann, ben]
    has: {coins: 0..9 = 3, purse: {type: 0..9 = 2, sees: viewer is self}, marked: set of cell}
  cell:
    grid: {shape: square, columns: 8, rows: 8}
    has: {disc: flag}
  card: {things: [CARDS]}
places:
  hand: {of: {holder: player}, holds: card, sees: viewer is holder}
formulas:
  painted: {is: "{c in cells where c.disc}"}
  wealth: {takes: {p: player}, is: p.coins + p.purse, sees: true}
  debt: {takes: {p: player}, is: 9 - p.purse}
events:
  paint: {takes: {p: player, what: set of cell, dark: flag}, do: p.marked = what}
  peek: {takes: {p: player, what: set of card}, do: "p.coins = min(9, count(c in what))"}
flow:
  - phase: turn
    each: me in players
    repeat: true
    window: one
actions:
  go:
    during: turn
    choose: {c: in cells where not c.disc}
    do: |
      c.disc = true
      paint(me, {d in cells where d.disc or d is h8}, true)
  spy: {during: turn, do: "peek(me, {c in me.hand})"}
  stop: {during: turn, do: finish over}
endings: {over: {text: Over.}}
"""


def game() -> ruleforge.State:
    cards = ", ".join(f"k{number}" for number in range(40))
    return small_game(PAINT.replace("CARDS", cards)).start(seed=1).patched({"ann.hand": ["k3", "k38"]})


def test_an_event_tells_a_large_set_by_the_names_of_its_things():
    events = [str(event) for event in game().apply("go b1")]
    assert "event paint p=ann what=[b1,h8] dark=true" in events
    assert "set player.marked of=ann old=[] new=[b1,h8]" in events


def test_what_follows_a_change_of_a_large_set_is_told_by_the_new_one():
    state = game()
    for player in (*state.players, None):
        told = [str(event) for event in state.copy().apply("go b1").seen_by(player)]
        assert "set player.marked of=ann old=[] new=[b1,h8]" in told


def test_a_set_of_hidden_things_is_told_to_those_who_see_all_of_them():
    told = {p: [str(e) for e in game().apply("spy").seen_by(p)] for p in ("ann", "ben", None)}
    assert "event peek p=ann what=[k3,k38]" in told["ann"]
    assert "event peek p=ann what=?" in told["ben"]
    assert "event peek p=ann what=?" in told[None]


def test_a_formula_that_gives_a_set_is_explained_by_its_value():
    state = game()
    state.apply("go b1")
    assert str(state.explain("painted()")) == "painted() is [b1]"
    with pytest.raises(ruleforge.PathError, match="paintd"):
        state.explain("paintd()")


def test_a_formula_shown_to_all_can_be_asked_by_all():
    state = game()
    assert state.evaluate("wealth(ann)", "ben") == 5
    with pytest.raises(ruleforge.PathError, match="depends on hidden information"):
        state.evaluate("debt(ann)", "ben")
