"""What a text may leave unsaid: usual answers, answers nobody asked for, and the order of a set."""

from __future__ import annotations

import pytest

import ruleforge
from ruleforge.play.replay import record, replay
from ruleforge.play.session import Session
from tests.unit.small_games import small_game

STALL = """\
game:
  id: stall
  title: Stall
  version: "1.0"
  text: Everything that need not be said.
  players: 2
kinds:
  player: {things: [ann, ben], has: {gold: 0..9 = 3, silver: 0..9 = 3, paid: 0..99, seen: 0..9}}
  ware: {things: [apple, bread, corn], has: {owner: player or none}}
flow:
  - phase: turn
    repeat: true
    each: me in players
    window: one
actions:
  buy:
    during: turn
    cost: pay 3 from me.gold or me.silver
    do: me.paid += 3
  gamble:
    text: The dice fall before the price is known.
    during: turn
    do: |
      let die = roll 1..6
      pay min(die, me.gold + me.silver) from me.gold or me.silver
  give:
    during: turn
    choose:
      w: in wares where w.owner is none
      p: in players usually opponent
    do: w.owner = p
  bundle:
    during: turn
    joined: true
    choose:
      pair: exactly 2 in wares where pair.owner is none
      p: in players usually opponent
    do: |
      for w in pair: w.owner = p
  swap:
    during: turn
    do: |
      me chooses w in wares usually bread, p in players usually none: w.owner = p
  stop: {during: turn, do: finish over}
endings: {over: {text: Over.}}
"""


def start(**values: object) -> ruleforge.State:
    state = small_game(STALL).start(seed=1)
    return state.patched({name.replace("__", "."): value for name, value in values.items()})


def steps(state: ruleforge.State, text: str) -> list[str]:
    return [str(choice) for choice in state.read(text)]


def completed(state: ruleforge.State, text: str) -> list[str]:
    """The steps that a scenario makes of a text."""
    return [str(turn.choice) for turn in Session(state).apply_whole(text)]


def test_a_split_that_is_not_said_takes_little_of_the_first_pool():
    assert steps(start(), "buy") == ["buy"]
    assert completed(start(), "buy") == ["buy", "gold 0"]
    assert completed(start(ann__silver=1), "buy") == ["buy", "gold 2"]
    assert steps(start(), "buy gold 2") == completed(start(), "buy gold 2") == ["buy", "gold 2"]


def test_the_only_split_may_be_said_and_no_other():
    state = start(ann__gold=1, ann__silver=2)
    assert steps(state, "buy") == steps(state, "buy gold 1") == ["buy"]
    (reason,) = state.why_not("buy gold 0")
    assert reason.code == "RF807" and "only `gold 1` is" in reason.message


def test_what_is_due_after_a_roll_is_neither_guessed_nor_answered():
    assert steps(start(), "gamble") == completed(start(), "gamble") == ["gamble"]
    assert start().why_not("gamble gold 0")
    texts = {str(small_game(STALL).start(seed=seed).why_not("gamble gold 9")) for seed in range(20)}
    assert len(texts) == 1


def test_parameters_asked_one_by_one_and_together():
    assert steps(start(), "give corn") == ["give corn"]
    assert completed(start(), "give corn") == ["give corn", "ben"]
    assert steps(start(), "give corn ann") == ["give corn", "ann"]
    assert steps(start(), "bundle corn apple") == ["bundle apple corn ben"]
    assert steps(start(), "bundle corn apple ann") == ["bundle apple corn ann"]


def test_each_set_is_one_choice_in_the_order_of_the_kind():
    found = [str(c) for c in start().choices if c.action == "bundle" and c.arguments[-1] == "ben"]
    assert found == ["bundle apple bread ben", "bundle apple corn ben", "bundle bread corn ben"]
    assert "`corn` is named twice" in str(start().why_not("bundle corn corn"))
    assert "apple" in str(start(apple__owner="ann").why_not("bundle corn apple"))


def test_where_nothing_is_usual_the_player_is_asked():
    session = Session(start())
    for text in completed(start(), "swap"):
        session.apply(text)
    state = session.state
    assert state["decision.player"] == "ann" and [str(c) for c in state.choices] == ["ann", "ben"]


def test_a_choice_is_asked_in_full_and_replayed_so():
    session = Session(start())
    session.apply(next(c for c in session.state.choices if c.text == "buy"))
    assert len(session.state.choices) == 4
    session.apply("gold 2")
    assert [*replay(session.state.game, record(session))][-1] == session.state


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("in wares usually ben", "RF502"),
        ("in wares usually 3", "RF502"),
        ("in 1..3 usually none", "RF502"),
    ],
)
def test_a_usual_answer_has_the_type_of_the_choice(text, code):
    broken = STALL.replace("in wares where w.owner is none\n", f'"{text}"\n', 1)
    with pytest.raises(ruleforge.RulesetError) as refused:
        small_game(broken)
    assert code in {d.code for d in refused.value.diagnostics}


def test_only_the_last_can_be_left_out():
    broken = STALL.replace("w: in wares where w.owner is none", "w: in wares usually corn", 1)
    broken = broken.replace("p: in players usually opponent", "p: in players", 1)
    with pytest.raises(ruleforge.RulesetError) as refused:
        small_game(broken)
    assert [d.code for d in refused.value.diagnostics] == ["RF506"]
