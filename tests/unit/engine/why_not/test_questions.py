"""Every question, inside effects, actions and windows, gives the reason why something is no answer to it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import ruleforge
from tests.fuzz.trial import at_most
from tests.property.test_refusal_reasons import BARE, not_offered
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
            state.sample_world(seat, rng)
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
    assert state.why_not("coins 7")[0].message == "`coins 7` cannot be chosen: 0 to 3 can come from it"


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


# A refusal while an action asks for its next part has the reason that it would have had at once.

STEPWISE_GAME = """\
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
    state = small_game(STEPWISE_GAME).start(seed=1)
    state.apply("cart ten")
    assert state.why_not("north") == ()
    assert [reason.plain for reason in state.why_not("east")] == [
        "cart Ten → East: it needs: not East's shut"
    ]
    assert [reason.plain for reason in state.why_not("south")] == [
        "cart Ten → South: it costs 6, you have 4 coins"
    ]


def test_what_there_is_instead_is_told() -> None:
    state = small_game(STEPWISE_GAME).start(seed=1)
    assert state.why_not("bribe ben 5")[0].plain == "bribe 5: 5 is more than 4"
    state.apply("cart ten north")
    assert state.why_not("unload south 1")[0].plain == "unload South 1: only North can be chosen"
    assert state.why_not("unload north 3")[0].plain == "unload 3: 3 is more than 2"


def test_what_was_chosen_unseen_is_not_named() -> None:
    state = small_game(STEPWISE_GAME).start(seed=1)
    state.apply("steal ben.hand[1]")
    (reason,) = state.why_not("south")
    assert "Ace" not in reason.words and "King" not in reason.words
    assert "ace" not in str(reason) and "king" not in str(reason)


# A refusal inside a window with values of its own still gets an answer.

WINDOW_GAME = """\
game: {id: occasion, title: Occasion, version: "1", text: Windows., players: 2}
kinds:
  player: {things: [ann, ben]}
  card: {facts: {rank: 1..9}, things: {ace: {rank: 1}, king: {rank: 9}}}
  bell: {count: 5}
windows:
  beating: {takes: {rung: bell, than: card}, window: one}
actions:
  beat: {during: beating, choose: {c: in cards where c.rank > than.rank}, do: finish over}
flow:
  - {phase: only, do: "offer beating(bell_5, ace) to ann"}
endings: {over: {text: It is over.}}
"""


def test_what_a_window_refuses_has_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "occasion.yaml"
    path.write_text(WINDOW_GAME, "utf-8")
    state = ruleforge.load(path).start()
    assert [str(c) for c in state.choices] == ["beat king"]
    (reason,) = state.why_not("beat ace")
    assert reason.code == "RF801"
