"""Views and events show a player what they may know."""

from __future__ import annotations

import json

import pytest

import ruleforge
from tests.unit.small_games import asked, small_game


@pytest.fixture
def state() -> ruleforge.State:
    state = small_game().start(seed=2)
    state.apply("draw")
    return state


def test_hidden_attributes_are_absent(state):
    assert state.view("ann")["attributes"]["ann.secret"] == 4
    assert "ben.secret" not in state.view("ann")["attributes"]


def test_hidden_things_are_anonymous_and_counted(state):
    places = state.view("ben")["places"]
    assert places["ann.hand"] == ["?"]
    assert places["deck"] == ["?", "?", "?"]
    assert state.view("ann")["places"]["ann.hand"] == ["red"]


def test_choices_are_shown_to_the_one_who_decides(state):
    assert asked(state).player == "ben"
    assert "choices" in state.view("ben")["decision"]
    assert "choices" not in state.view("ann")["decision"]


def test_chance_does_not_show_its_choices():
    state = small_game().start(chance="explicit")
    state.apply("bet")
    assert asked(state).is_chance
    assert "choices" not in state.view("ann")["decision"]


def test_a_view_is_plain_data(state):
    assert json.loads(json.dumps(state.view("ann"))) == state.view("ann")


def test_an_unknown_viewer_is_refused(state):
    with pytest.raises(ruleforge.PathError):
        state.view("zoe")


def test_events_of_a_hidden_move_leave_the_thing_out():
    state = small_game().start()
    events = state.apply("draw")
    assert [str(e) for e in events] == ["action draw me=ann", "move ticket thing=red from=deck to=ann.hand"]
    assert str(events.seen_by("ann")[1]) == "move ticket thing=red from=deck to=ann.hand"
    assert str(events.seen_by("ben")[1]) == "move ticket thing=? from=deck to=ann.hand"


def test_events_of_a_thing_that_becomes_public_are_seen_by_all(state):
    state.apply("draw")
    events = state.apply("hang red tea")
    moves = [str(e) for e in events.seen_by("ben") if e.name.startswith("move")]
    assert moves == ["move ticket thing=red from=ann.hand to=tea.prize"]


def test_changes_of_a_hidden_attribute_are_secret():
    state = small_game().start(chance="explicit")
    state.apply("bet")
    events = state.apply("6")
    assert "set player.secret of=ann old=4 new=6" in [str(e) for e in events.seen_by("ann")]
    assert [str(e) for e in events.seen_by("ben")] == []  # the die would tell the value


def test_events_carry_the_place_and_clauses_of_their_rule():
    event = small_game().start().apply("draw")[0]
    assert event.span.file.endswith("game.yaml")
    assert event.clauses == ("F-3",)
    assert event["me"] == "ann"


def test_a_choice_is_told_without_what_is_hidden(state):
    state.apply("draw")
    before = state.copy()
    state.apply("hang red")
    assert before.tell(before.read("hang red")[0], state, "ann") == "hang red"
    assert before.tell(before.read("hang red")[0], state, "ben") == "hang ?"
