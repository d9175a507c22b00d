"""Sessions remember, take back and replay."""

from __future__ import annotations

import pytest

import ruleforge
from ruleforge.play.replay import record, replay, session_from_record
from ruleforge.play.session import Session
from tests.unit.small_games import asked, small_game


@pytest.fixture
def session() -> Session:
    return Session(small_game().start(seed=3), analysis=True)


def test_each_step_is_a_turn(session):
    session.apply("give ben 2")
    session.apply("draw")
    assert [(t.player, str(t.choice)) for t in session.turns] == [
        ("ann", "give ben"),
        ("ann", "2"),
        ("ben", "draw"),
    ]


def test_undo_and_redo_walk_the_same_states(session):
    digests = [session.state.digest]
    for choice in ("give ben 2", "draw", "bet"):
        session.apply(choice)
        digests.append(session.state.digest)
    end = session.state.digest
    while session.undo():
        pass
    assert session.state.digest == digests[0]
    assert not session.undo()
    while session.redo():
        pass
    assert session.state.digest == end
    assert not session.redo()


def test_a_new_choice_forgets_what_was_undone(session):
    session.apply("draw")
    session.undo()
    session.apply("bet")
    assert not session.redo()


def test_a_refused_choice_leaves_the_session_alone(session):
    session.apply("draw")
    with pytest.raises(ruleforge.IllegalChoice):
        session.apply("give ann 99")
    assert len(session.turns) == 1
    assert asked(session.state).player == "ben"


def test_undo_to_a_player(session):
    session.apply("draw")
    session.apply("draw")
    assert session.undo_to("ann")
    assert session.state["deck"] == ["red", "blue", "green", "pie"]
    assert not session.undo_to("ann")


def test_back_to_the_start_of_an_action(session):
    start = session.state.digest
    session.apply("give ben")
    assert session.action_in_progress
    session.back()
    assert session.state.digest == start
    with pytest.raises(ruleforge.IllegalChoice) as refused:
        session.back()
    assert refused.value.code == "RF808"


def test_a_finished_action_cannot_be_stepped_back_from(session):
    session.apply("give ben 1")
    assert not session.action_in_progress
    with pytest.raises(ruleforge.IllegalChoice):
        session.back()


def test_the_past_is_not_changed_by_the_present(session):
    session.apply("draw")
    session.start.apply("bet")
    session.turns[0].before.apply("bet")
    assert session.undo()
    session.apply("draw")
    assert session.state["ann.hand"] == ["red"]


def test_a_record_replays_to_the_same_states(session):
    for choice in ("give ben 2", "draw", "bet", "buy tea"):
        session.apply(choice)
    text = record(session)
    states = list(replay(small_game(), text))
    assert states[0] == session.start
    assert states[-1] == session.state
    assert len(states) == len(session.turns) + 1
    again = session_from_record(small_game(), text)
    assert again.state == session.state
    assert record(again) == text


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda text: text.replace("record 2", "record 7"), "RF820"),
        (lambda text: text.replace("\nseed 3", ""), "RF820"),
        (lambda text: text.replace("seed 3", "seed three"), "RF820"),
        (lambda text: text.replace("players", "folks"), "RF820"),
        (lambda text: text.replace("game fair", "game unfair"), "RF821"),
        (lambda text: text.replace("do draw", "do fly"), "RF825"),
        (lambda text: text.replace("do draw", "do bet"), "RF825"),
        (lambda text: text.replace("do draw", "undo 4"), "RF825"),
        (lambda text: text.replace("do draw", "set ann.coins 3"), "RF825"),
        (lambda text: text.replace("seed 3", "seed 4"), "RF825"),
        (lambda text: text.replace("seed 3", "position {}"), "RF820"),
        (lambda text: "{", "RF820"),
        (lambda text: "", "RF820"),
    ],
)
def test_a_changed_record_is_refused(session, change, code):
    session.apply("draw")
    text = change(record(session, seed=3))
    with pytest.raises(ruleforge.RestoreError) as refused:
        list(replay(small_game(), text))
    assert refused.value.code == code


def test_a_record_without_a_seed_holds_the_first_position(session):
    session.apply("draw")
    again = Session(session.state, analysis=True)
    again.apply("bet")
    text = record(again)
    assert "position {" in text
    assert session_from_record(small_game(), text).state == again.state


def test_people_may_write_into_a_record(session):
    session.apply("draw")
    text = record(session, seed=3).replace("do draw", "# a good idea?\ndo draw  ") + "do bet   # why not\n"
    assert len(session_from_record(small_game(), text).turns) == 2


def test_a_record_says_which_definition_changed(session):
    session.apply("draw")
    definitions = {"actions.draw": "1", "actions.bet": "2"}
    text = record(session, 3, definitions).replace(f"rules {small_game().digest}", "rules 00")
    with pytest.raises(ruleforge.RestoreError) as refused:
        list(
            replay(small_game(), text.replace("do draw", "do bet"), {**definitions, "actions.draw": "other"})
        )
    assert "`actions.draw` changed" in refused.value.message
