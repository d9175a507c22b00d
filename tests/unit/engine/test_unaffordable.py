"""What is not possible now is shown with its price or the nearest reason, and `why not` speaks to players."""

from __future__ import annotations

import pytest

from ruleforge.engine.presentation.titles import Names
from ruleforge.play.seats.choice_matcher import in_ids
from tests.unit.small_games import small_game

GAME = """\
game: {id: market, title: Market, version: "1.0", text: Buy., players: 2}
kinds:
  player:
    things: [ann, ben]
    has:
      coins: {title: Coins, type: 0..99 = 3}
      rested: flag
  stall:
    facts: {price: 0..9}
    has: {shut: flag}
    things:
      corner: {title: Corner Shop, price: 2}
      gate: {title: City Gate, price: 5}
      mill: {title: Old Mill, price: 9}
  secret: {things: [plan]}
places:
  pocket: {of: {holder: player}, holds: secret, sees: viewer is holder}
setup: |
  mill.shut = true
  move plan to ben.pocket
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
formulas:
  is_rested: {text: "You have slept.", takes: {p: player}, is: p.rested}
actions:
  buy: {title: Visit, during: turn, choose: {s: in stalls where not s.shut}, cost: pay s.price from me.coins, do: skip}
  repair: {during: turn, choose: {s: in stalls}, needs: s.shut, cost: pay 9 from me.coins, do: s.shut = false}
  dance: {during: turn, needs: is_rested(me), do: skip}
  cheat: {during: turn, choose: {x: in secrets where x.holder is me}, do: skip}
  rest: {during: turn, limit: once per game, do: me.rested = true}
  stop: {during: turn, do: finish over}
endings: {over: {text: Over.}}
"""


def greyed(state: object, seat: str = "ann") -> dict[str, str]:
    found = state.declined(seat)  # type: ignore[attr-defined]
    return {o.text: "".join(p if isinstance(p, str) else str(p.value) for p in o.hint) for o in found}


def test_what_cannot_be_paid_stands_with_its_price_and_what_there_is():
    found = greyed(small_game(GAME).start(seed=1))
    assert found["buy gate"] == "5 Coins; you have 3 Coins"
    assert "buy corner" not in found and "buy mill" not in found


def test_each_thing_that_could_be_meant_stands_with_its_own_reason():
    found = greyed(small_game(GAME).start(seed=1))
    assert found["repair corner"] == "it needs: Corner Shop's shut"
    assert found["repair gate"] == "it needs: City Gate's shut"
    assert found["repair mill"] == "9 Coins; you have 3 Coins"


def test_an_action_that_is_out_of_reach_stands_with_the_nearest_reason():
    state = small_game(GAME).start(seed=1)
    assert greyed(state)["dance"] == "the rule: You have slept"
    assert greyed(state)["cheat"] == "nothing fits now"
    for choice in ("rest", "buy corner"):
        state.apply(choice)
    assert greyed(state)["rest"].startswith("it reached its limit")
    assert greyed(state, "ben") == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Visit City Gate", "Visit City Gate: it costs 5, you have 3 Coins."),
        ("visit Old Mill", "Visit Old Mill: it needs: not Old Mill's shut."),
        ("dance", "Dance: the rule: You have slept."),
        ("cheat plan", "Plan cannot be chosen by name: you cannot see its place."),
    ],
)
def test_a_refusal_speaks_to_players_with_names(text, words):
    state = small_game(GAME).start(seed=1)
    reasons = state.why_not(in_ids(text, Names(state.game.info).ids))
    assert words in [reason.words for reason in reasons]
