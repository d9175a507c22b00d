"""A seat's text is done step by step: what was done stays done, and the rest is refused with its reason."""

from __future__ import annotations

import pytest

import ruleforge
from ruleforge.play.session import Session, Submission
from tests.unit.engine.test_default_answers import STALL
from tests.unit.engine.test_multi_step_texts import DUEL
from tests.unit.small_games import small_game


def duel(seed: int = 1) -> Session:
    return Session(small_game(DUEL).start(seed=seed))


def stall(**values: object) -> Session:
    state = small_game(STALL).start(seed=1)
    return Session(state.patched({name.replace("__", "."): value for name, value in values.items()}))


def done(submission: Submission) -> list[str]:
    return [str(turn.choice) for turn in submission.done]


def refused(session: Session, text: str, player: str = "ann") -> ruleforge.IllegalChoice:
    """A text of which nothing is done."""
    before = session.state.digest
    with pytest.raises(ruleforge.IllegalChoice) as refusal:
        session.submit(text, player)
    assert session.state.digest == before and not session.turns
    return refusal.value


def test_all_steps_of_a_text_are_done() -> None:
    session = duel()
    submission = session.submit("give ben 2", "ann")
    assert done(submission) == ["give ben", "2"] and submission.refused == "" and submission.reasons == ()
    assert session.state["ben.hits"] == 2 and len(session.turns) == 2


def test_a_step_that_is_refused_leaves_those_before_it_done() -> None:
    session = duel()
    submission = session.submit("give ben 9", "ann")
    assert done(submission) == ["give ben"] and submission.refused == "9"
    assert "not a number from 1 to 3" in str(submission.reasons[0])
    assert session.state["decision.player"] == "ann" and [str(c) for c in session.state.choices] == [
        "1",
        "2",
        "3",
    ]


def test_a_text_goes_on_after_dice_for_its_first_step_is_done() -> None:
    for seed in range(8):
        session = duel(seed)
        submission = session.submit("attack 4", "ann")
        assert done(submission)[0] == "attack"
        (rolled,) = (event["result"] for event in submission.done[0].events if event.name == "roll")
        assert (submission.refused == "") == (isinstance(rolled, int) and rolled >= 4)


@pytest.mark.parametrize("steps", [["challenge", "one"], ["pledge", "1", "1"], ["end_it", "end_it"]])
def test_a_text_ends_where_another_player_decides_or_the_game_is_over(steps: list[str]) -> None:
    submission = duel().submit(" ".join(steps), "ann")
    assert [*done(submission), submission.refused] == steps
    assert submission.reasons[0].code == "RF806"


@pytest.mark.parametrize(
    "text", ["give bne 2", "give ben tow", "zzz", "", "attack zzz", "give ben 1 " + "1 " * 100]
)
def test_a_text_with_an_unknown_word_does_nothing(text: str) -> None:
    refused(duel(), text)


def test_a_text_of_another_seat_does_nothing() -> None:
    assert refused(duel(), "give ann 2", "ben").code == "RF804"


def test_a_seat_is_told_of_the_first_step_alone_before_it_is_done() -> None:
    state = duel().state
    assert state.why_not("attack", "ann") == ()
    answers = {state.why_not(f"attack {n}", "ann")[0].message.replace(str(n), "?") for n in range(9)}
    assert answers == {"`attack` is possible; whether `?` is, becomes known after it"}


def test_undo_takes_the_last_step_of_a_text_back() -> None:
    session = duel()
    session.submit("give ben 9", "ann")
    assert session.action_in_progress and session.undo_to("ann")
    assert not session.turns and session.state["decision.player"] == "ann"
    session.submit("give ben 2", "ann")
    assert session.undo_to("ann") and [turn.choice.text for turn in session.turns] == ["give ben"]


def test_back_leads_to_the_start_of_an_action_that_is_half_done() -> None:
    session = duel()
    session.submit("give ben 9", "ann")
    session.back()
    assert not session.turns and "give ben" in map(str, session.state.choices)


def test_nothing_is_added_behind_the_last_word() -> None:
    assert done(stall().submit("buy", "ann")) == ["buy"]
    assert done(stall().submit("give corn", "ann")) == ["give corn"]
    assert done(stall().submit("bundle corn apple", "ann")) == ["bundle apple corn ben"]
    assert done(stall().submit("gamble", "ann")) == ["gamble"]


def test_the_only_answer_may_be_said_and_no_other() -> None:
    values = {"ann__gold": 1, "ann__silver": 2}
    assert stall(**values).submit("buy gold 1", "ann").refused == ""
    submission = stall(**values).submit("buy gold 0", "ann")
    assert submission.refused == "gold 0" and "only `gold 1` is" in submission.reasons[0].message
