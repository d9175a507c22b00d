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
        ("draw two", "RF806", "`two` is too much"),
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
    assert reason.code in ("RF801", "RF809")
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
