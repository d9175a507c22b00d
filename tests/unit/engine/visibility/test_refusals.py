"""A refusal tells what follows from what its reader sees, and from its being no choice: nothing more."""

from __future__ import annotations

import ruleforge
from tests.unit.small_games import small_game

GAME = """\
game: {id: veil, title: Veil, version: "1.0", text: Boxes., players: 2}
kinds:
  player: {things: [ann, ben], has: {coins: 0..9 = 1, trust: {type: 0..9 = 3, sees: viewer is self}}}
  box:
    facts: {size: 1..9}
    things: {small: {size: 1}, large: {size: 9}, middling: {size: 5}}
    has:
      gold: {type: flag, sees: "false"}
      silver: {type: flag, sees: "false"}
      open: flag
  card: {facts: {worth: 1..9}, things: {ace: {worth: 1}, king: {worth: 9}}}
places:
  hand: {of: {holder: player}, holds: card, sees: viewer is holder}
windows:
  guess: {takes: {much: 0..9}, window: one}
setup: |
  middling.open = true
  middling.gold = true
  middling.silver = true
  move ace to ben.hand
  move king to ben.hand
formulas:
  rich: {takes: {x: box}, is: x.gold and x.silver}
events:
  lift: {takes: {x: box}, needs: [x.gold, x.open], do: skip}
flow: [{phase: turn, repeat: true, each: me in players, window: one}]
actions:
  take: {during: turn, choose: {x: in boxs where x.gold and x.open}, do: skip}
  grab: {during: turn, choose: {x: in boxs}, needs: [x.gold, x.open], do: skip}
  hoist: {during: turn, choose: {x: in boxs}, needs: can(lift(x)), do: skip}
  keep: {during: turn, choose: {x: in boxs}, needs: rich(x), do: skip}
  buy: {during: turn, choose: {x: in boxs where x.gold}, cost: me.coins -= 5, do: skip}
  pair: {during: turn, choose: {x: in boxs where x.gold, z: in boxs where z.open and z.size > x.size}, do: skip}
  trust: {during: turn, needs: me.trust > 5, do: skip}
  steal:
    during: turn
    do: |
      me chooses c in opponent.hand:
        me chooses x in boxs where x.size > c.worth and x.open: skip
  quiz: {during: turn, do: offer guess(opponent.trust) to me}
  name: {during: guess, choose: {x: in boxs}, needs: [x.size > much, x.open], do: skip}
  give_up: {during: guess, do: skip}
  rest: {during: turn, do: skip}
endings: {over: {text: Over.}}
"""


def why(state: ruleforge.State, text: str) -> str:
    return str([(reason.message, reason.plain, reason.values) for reason in state.why_not(text)])


def start(**hidden: object) -> ruleforge.State:
    return small_game(GAME).start(seed=1).patched({path.replace("__", "."): v for path, v in hidden.items()})


def test_which_condition_fails_is_no_way_to_look_at_hidden_values():
    """Closed boxes are never choices, so nothing says what is in them."""
    for action in ("take", "grab", "hoist"):
        said = [why(start(small__gold=gold), f"{action} small") for gold in (False, True)]
        assert said[0] == said[1]
        assert "x.open" in said[0] and "x.gold" not in said[0]


def test_of_two_hidden_conditions_is_not_told_which_fails():
    worlds = ((False, False), (False, True), (True, False))
    (one,) = {why(start(small__gold=gold, small__silver=silver), "keep small") for gold, silver in worlds}
    assert "not all of this holds: `x.gold` and `x.silver`" in one


def test_what_follows_from_its_being_no_choice_is_told():
    assert "x.gold" in why(start(small__open=True, middling__gold=False), "take small")
    assert "me.trust > 5" in why(start(), "trust") and "('me.trust', '3')" in why(start(), "trust")


def test_what_is_out_of_reach_is_not_listed_by_what_is_hidden():
    """Nobody can pay, so nobody learns which boxes could be bought."""
    worlds = [start(small__gold=gold, large__gold=not gold) for gold in (False, True)]
    lists = [[seen for seen in state.declined("ann") if seen.word == "buy"] for state in worlds]
    assert lists[0] == lists[1] != []


def test_what_could_be_chosen_next_is_no_way_either():
    """A small box has gold, perhaps; that there is a larger one that is open is known."""
    said = {why(start(small__gold=gold, middling__open=False), "pair small large") for gold in (False, True)}
    assert len(said) == 1


def test_a_thing_taken_unseen_is_not_told_by_conditions_about_it():
    said = set()
    for spot in ("ben.hand[1]", "ben.hand[2]"):
        state = start(large__open=True)
        state.apply(f"steal {spot}")
        said.add(why(state, "small"))
    assert len(said) == 1 and "x.open" in said.pop()


def test_a_hidden_value_of_a_window_is_not_told():
    said = set()
    for trust in (2, 3):
        state = start(ben__trust=trust, small__open=True)
        state.apply("quiz")
        said |= {why(state, f"name {box}") for box in ("large", "small")}
    assert len(said) == 2 and not any("much is" in words or "'much'" in words for words in said)
