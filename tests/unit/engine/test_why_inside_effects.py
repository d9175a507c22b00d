"""Every question that effects put knows why something is no answer to it: menus, payments, sets, seals, windows."""

from __future__ import annotations

import random

import pytest

import ruleforge
from tests.fuzz.trial import at_most
from tests.property.test_why_not_names_the_cause import BARE, not_offered
from tests.unit.small_games import small_game

GAME = """\
game: {id: fair, title: Fair, version: "1.0", text: Questions., players: 2}
kinds:
  player:
    things: [ann, ben]
    has: {coins: 0..9 = 3, wood: 0..9 = 2, clay: 0..9 = 2, secret: {type: 0..9 = 4, sees: viewer is self}}
  box:
    plural: boxes
    facts: {size: 1..9}
    things: {small: {size: 1}, middling: {size: 5}, large: {size: 9}}
    has: {open: flag, gold: {type: flag, sees: "false"}}
  card: {count: 6}
places:
  deck: {holds: card, ordered: true, sees: "false"}
  hand: {of: {holder: player}, holds: card, sees: viewer is holder}
events:
  set_coins: {takes: {p: player, k: 0..9}, do: p.coins = k}
formulas:
  rich: {takes: {p: player}, is: p.coins > 2 and p.secret > 3}
windows:
  answer: {takes: {asker: player, much: 0..9, k: card}, window: maybe}
setup: |
  for c in cards: move c to deck
  shuffle deck
  for p in players:
    repeat 2:
      let c = first(x in deck)
      if c is not none: move c to p.hand
  middling.open = true
  middling.gold = true
flow: [{phase: turn, repeat: true, each: me in players, window: one}]
endings: {over: {text: Over.}}
actions:
  rest: {during: turn, do: skip}
"""
MENU = """\
  go:
    during: turn
    do: |
      me picks:
        left if me.coins > 5: me.coins -= 1
        right if middling.gold and small.open: skip
        stay: skip
"""
PAY = """\
  buy: {during: turn, needs: me.coins >= 3, cost: pay 4 from me.coins or me.wood or me.clay, do: skip}
"""
SETS = """\
  drop: {during: turn, choose: {x: any number in boxes where x.open or x.gold such that count(k in x) > 0}, do: skip}
  keep: {during: turn, choose: {x: exactly 2 in boxes such that sum(k.size for k in x) > 6}, do: skip}
  show: {during: turn, choose: {x: up to 2 in me.hand, z: in boxes where z.size > count(k in x)}, do: skip}
"""
SEALED = """\
  bid: {during: turn, do: "each p in players secretly chooses much in 1..p.coins: p.wood = much"}
"""
WINDOW = """\
  call: {during: turn, choose: {k: in me.hand}, do: "offer answer(me, me.secret, k) to opponent"}
  hit:
    during: answer
    choose: {x: in boxes where x.size > much, z: in boxes where z is not x and z.open}
    needs: [number(k) > 2, much < 9]
    do: skip
"""
NESTED = """\
  go:
    during: turn
    do: |
      let much = opponent.secret
      me chooses x in boxes where x.size > much and x.open:
        opponent chooses z in boxes where z.size < much and z is not x: z.open = true
      else: skip
      me may choose c in opponent.hand: move c to deck
      else: skip
"""
TRIED = """\
  spend: {during: turn, choose: {much: in 1..me.coins}, holds: rich(me), do: me.coins -= much}
  hope: {during: turn, choose: {much: in 1..5}, needs: "would(set_coins(me, much): rich(opponent))", do: skip}
"""
ALL = {
    "menu": MENU, "pay": PAY, "sets": SETS, "sealed": SEALED, "window": WINDOW, "nested": NESTED, "tried": TRIED,
}  # fmt: skip


@pytest.mark.parametrize("actions", ALL.values(), ids=ALL)
def test_no_answer_is_refused_without_a_cause(actions: str) -> None:
    rng = random.Random(1)
    state = small_game(GAME + actions).start(seed=1)
    asked = set()
    for _ in range(40):
        assert state.decision is not None
        asked.add(state.decision.prompt)
        for text in not_offered(state, rng):
            reasons = state.why_not(text)
            if not reasons:  # a set named in another order
                assert state.read(text)
                continue
            assert not any(word in reasons[0].message for word in BARE), (text, reasons)
        for seat in (*state.players, None):
            state.reimagined(seat, rng)
        state.apply(rng.choice(state.choices))
    assert len(asked) > 1 or actions is TRIED


def after(actions: str, *texts: str) -> ruleforge.State:
    state = small_game(GAME + actions).start(seed=1)
    for text in texts:
        state.apply(text)
    return state


def test_an_option_of_a_menu_has_its_condition_and_values() -> None:
    (reason,) = after(MENU, "go").why_not("left")
    assert reason.plain == "left: it needs: your coins is more than 5 (your coins is 3)"


def test_a_payment_says_how_much_is_possible() -> None:
    state = after(PAY, "buy")
    assert (
        state.why_not("coins 7")[0].message == "`coins 7` cannot be chosen: 0 to 3 of it can come from there"
    )


def test_a_set_says_what_is_missing_and_what_is_chosen_already() -> None:
    assert "count(k in x) > 0" in after(SETS, "drop").why_not("done")[0].message
    state = after(SETS, "show")
    first = state.choices[0].text
    state.apply(first)
    assert state.why_not(first)[0].plain.endswith("it is chosen already")


def test_what_is_not_possible_with_the_others_or_afterwards_is_a_cause() -> None:
    assert after(SETS).why_not("keep small small")[0].message == "`keep small` is chosen already"
    assert "sum(k.size for k in x) > 6" in after(SETS).why_not("keep small middling")[0].message
    state = after(SETS, "show", "done")
    assert state.why_not("small") == ()


ANY_NUMBER = """\
game: {id: numbers, title: Numbers, version: "1.0", text: Numbers., players: 2}
kinds: {player: {things: [ann, ben]}}
flow: [{phase: turn, repeat: true, each: me in players, window: one}]
actions:
  act:
    during: turn
    do: |
      let last = 1
      repeat 3:
        me chooses x in [last, last + 1]: last = x
  stop: {during: turn, do: finish over}
endings: {over: {text: Over.}}
"""


def test_what_is_no_number_is_not_searched_for_among_all_numbers() -> None:
    """It took most of a minute where the rules do not say between which ends the numbers lie."""
    state = small_game(ANY_NUMBER).start(seed=1)
    state.apply("act")
    with at_most(5):
        (reason,) = state.why_not("wait")
    assert reason.code == "RF805"
