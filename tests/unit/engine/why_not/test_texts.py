"""Refusals explain themselves."""

from __future__ import annotations

import pytest

import ruleforge
from tests.unit.small_games import small_game


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("", "RF802", "nothing was chosen"),
        ("biy tea", "RF802", "did you mean `buy`"),
        ("give bob", "RF805", "there is no player `bob`"),
        ("give tea", "RF805", "`tea` is a stall; a player is needed here"),
        ("give", "RF806", "still needs a player"),
        ("give ben 10", "RF805", "1 to 9"),
        ("draw two", "RF806", "`two` cannot follow"),
    ],
)
def test_the_first_obstacle_is_named(text, code, words):
    reason = small_game().start().why_not(text)[0]
    assert reason.code == code
    assert words in str(reason)


def test_what_is_possible_needs_no_reason():
    state = small_game().start()
    assert state.why_not("draw") == ()
    assert state.why_not("give ben 2") == ()
    assert state.why_not("draw", player="ann") == ()


def test_another_player_is_told_so():
    (reason,) = small_game().start().why_not("draw", player="ben")
    assert reason.code == "RF804"


def test_a_choice_that_would_break_a_limit_is_explained():
    state = small_game().start()
    state.apply("grow")
    assert state.why_not("grow")[0].code == "RF811"


def test_what_is_readable_but_not_possible_has_a_reason():
    state = small_game().start()
    state.apply("buy tea")
    reason = state.why_not("buy tea")[0]
    assert reason.code == "RF801"
    assert "tea" in str(reason)


def test_after_the_end_nothing_is_possible():
    state = small_game().start()
    state.apply("close")
    assert state.why_not("draw")[0].code == "RF803"
    with pytest.raises(ruleforge.IllegalChoice):
        state.apply("draw")


def test_an_action_of_another_moment():
    state = small_game().start()
    state.apply("give ben")
    assert state.why_not("draw")[0].code == "RF807"


HAGGLE = """\
game: {id: haggle, title: Haggling, version: "1.0", text: Buy low., players: 2}
kinds:
  player:
    things: [ann, ben]
    has:
      coins: 0..9 = 3
      floor: {type: 0..9 = 2, sees: viewer is self}
formulas:
  solvent: {text: A coin is always kept., cites: [H-2], takes: {p: player}, is: p.coins > 0}
flow:
  - phase: turn
    title: spend your coins
    each: me in players
    repeat: true
    window: one
    holds: solvent(me)
actions:
  spend: {text: Spend coins., during: turn, choose: {much: in 1..9}, needs: much <= me.coins, do: me.coins -= much}
  undercut: {text: Go below., during: turn, needs: opponent.floor < 1, do: finish sold}
  hold_out: {text: Hold out., during: turn, needs: me.floor > 5, do: finish sold}
endings: {sold: {text: Sold.}}
"""


def test_what_must_hold_afterwards_is_told_in_the_words_of_its_formula():
    state = small_game(HAGGLE).start()
    (reason,) = state.why_not("spend 3")
    assert "afterwards `solvent(me)` would not hold: A coin is always kept." in str(reason)
    assert "H-2" in reason.clauses
    assert state.why_not("spend 2") == ()
    (reason,) = state.why_not("spend 4")
    assert "`much <= me.coins` does not hold" in str(reason)
    assert reason.values == (("me.coins", "3"),)


def test_a_reason_shows_only_values_the_player_may_see():
    state = small_game(HAGGLE).start()
    assert state.why_not("hold_out")[0].values == (("me.floor", "2"),)
    assert state.why_not("undercut")[0].values == ()


def test_a_decision_speaks_with_the_title_of_its_phase():
    decision = small_game(HAGGLE).start().decision
    assert decision is not None and decision.prompt == "spend your coins"
