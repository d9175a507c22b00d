"""Saved games read back, and nothing else does."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ruleforge
from tests.unit.small_games import COIN, small_game


def test_a_state_in_mid_action_is_saved_and_restored():
    game = small_game()
    state = game.start(players=3, seed=8, options={"mood": "grim"})
    state.apply("give cat")
    again = game.restore(state.save())
    assert again == state and again.choices == state.choices
    again.apply("2")
    state.apply("2")
    assert again == state


def test_saving_is_stable_and_plain():
    data = json.loads(small_game().start(seed=1).save())
    assert data["game"] == "fair"
    assert data["options"] == {"rich": False, "rounds": 3, "mood": "merry"}
    assert all(type(word) is int for word in data["row"])


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"ruleforge": 2}, "RF820"),
        ({"game": "other"}, "RF821"),
        ({"version": "0.9"}, "RF822"),
        ({"rules": "00"}, "RF822"),
        ({"players": 9}, "RF823"),
        ({"players": "2"}, "RF823"),
        ({"players": True}, "RF823"),
        ({"options": {"rounds": 77}}, "RF823"),
        ({"options": None}, "RF823"),
        ({"chance": "never"}, "RF823"),
        ({"row": []}, "RF824"),
        ({"row": "abc"}, "RF824"),
        ({"row": None}, "RF824"),
        ({"digest": ""}, "RF824"),
    ],
)
def test_what_does_not_fit_has_its_own_diagnostic(change, code):
    data = json.loads(small_game().start().save())
    with pytest.raises(ruleforge.RestoreError) as refused:
        small_game().restore(json.dumps({**data, **change}))
    assert refused.value.code == code


@pytest.mark.parametrize("text", ["", "{", "null", "3", "[]", "{}", '{"a": 1}', "[" * 100_000, "\x00", "NaN"])
def test_garbage_is_refused(text):
    with pytest.raises(ruleforge.RestoreError) as refused:
        small_game().restore(text)
    assert refused.value.code == "RF820"


def test_another_games_save_is_refused():
    with pytest.raises(ruleforge.RestoreError) as refused:
        small_game().restore(small_game(COIN).start().save())
    assert refused.value.code == "RF821"


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_a_changed_word_is_noticed(data):
    """Whatever is done to the row: a RestoreError, never another exception and never another state."""
    saved = json.loads(small_game().start().save())
    place = data.draw(st.integers(0, len(saved["row"]) - 1))
    word = data.draw(st.one_of(st.integers(-(2**33), 2**33), st.floats(), st.text(max_size=3), st.none()))
    if word == saved["row"][place] and type(word) is int:
        return
    saved["row"][place] = word
    with pytest.raises(ruleforge.RestoreError) as refused:
        small_game().restore(json.dumps(saved))
    assert refused.value.code == "RF824"
