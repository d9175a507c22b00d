"""A refusal while an action asks for its next part has the reason that it would have had at once."""

from __future__ import annotations

from tests.unit.small_games import small_game

GAME = """\
game: {id: yard, title: Yard, version: "1.0", text: Carts., players: 2}
kinds:
  player: {things: [ann, ben], has: {coins: 0..9 = 4}}
  card: {facts: {worth: 1..9}, things: {ace: {worth: 1}, king: {worth: 9}, ten: {worth: 7}}}
  yard: {facts: {toll: 0..9}, things: {north: {toll: 2}, south: {toll: 6}, east: {}}, has: {shut: flag}}
places:
  hand: {of: {holder: player}, holds: card, sees: viewer is holder}
windows:
  haul: {takes: {q: yard}, window: one}
setup: |
  east.shut = true
  move ace to ben.hand
  move king to ben.hand
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  cart:
    during: turn
    choose:
      c: in [ten]
      q: in yards where not q.shut
    needs: q.toll < c.worth
    cost: me.coins -= q.toll
    do: offer haul(q) to me
  steal:
    during: turn
    choose:
      c: in opponent.hand
      q: in yards where q.toll < 3 and not q.shut
    do: skip
  unload: {during: haul, choose: {goal: "in [q]", much: in 1..me.coins}, do: skip}
  bribe: {during: turn, choose: {p: in players, much: in 1..me.coins}, do: skip}
endings: {over: {text: Over.}}
"""


def test_the_condition_that_fails_is_told() -> None:
    state = small_game(GAME).start(seed=1)
    state.apply("cart ten")
    assert state.why_not("north") == ()
    assert [reason.plain for reason in state.why_not("east")] == [
        "cart Ten → East: it needs: not East's shut"
    ]
    assert [reason.plain for reason in state.why_not("south")] == [
        "cart Ten → South: it costs 6, you have 4 coins"
    ]


def test_what_there_is_instead_is_told() -> None:
    state = small_game(GAME).start(seed=1)
    assert state.why_not("bribe ben 5")[0].plain == "bribe 5: 5 is more than 4"
    state.apply("cart ten north")
    assert state.why_not("unload south 1")[0].plain == "unload South 1: only North can be chosen"
    assert state.why_not("unload north 3")[0].plain == "unload 3: 3 is more than 2"


def test_what_was_chosen_blindly_is_not_named() -> None:
    state = small_game(GAME).start(seed=1)
    state.apply("steal ben.hand[1]")
    (reason,) = state.why_not("south")
    assert "Ace" not in reason.words and "King" not in reason.words
    assert "ace" not in str(reason) and "king" not in str(reason)
