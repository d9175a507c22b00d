"""A table in a browser: who may choose what, what is said, agents that move, and steps taken back."""

from __future__ import annotations

import random
import threading
import time

import pytest

import ruleforge
from ruleforge.frontends.web.room import NOT_YOURS, OTHERWISE, Room
from tests.shelf import game as shelved
from tests.unit.frontends.web.rooms import room_of


def mark(room: Room, seat: str | None) -> str:
    page = room.page(seat)
    assert page is not None
    return page.mark


def part(room: Room, seat: str | None, name: str) -> str:
    page = room.page(seat)
    assert page is not None
    return page.parts[name]


def choose(room: Room, seat: str | None, text: str) -> tuple[str, ...]:
    return room.choose(seat, text, mark(room, seat)).said


@pytest.fixture
def board() -> Room:
    return room_of(shelved("tic-tac-toe", (), "python"))


def test_whoever_is_asked_chooses_and_all_see_it(board):
    assert choose(board, "cross", "mark b2") == ()
    for seat in board.seats:
        assert "Cross marks b2" in part(board, seat, "log")
    assert "data-number" in part(board, "nought", "asked")
    assert "data-number" not in part(board, "cross", "asked") + part(board, None, "asked")


def test_nobody_chooses_for_somebody_else(board):
    assert choose(board, "nought", "mark b2") == board.say("nought", "b2").said == ("Cross decides now",)
    assert choose(board, None, "mark b2") == (NOT_YOURS,)
    assert board.say(None, "mark b2").said == (NOT_YOURS,)
    assert "data-number" in part(board, "cross", "asked")


def test_a_page_of_yesterday_chooses_nothing(board):
    """A second click on a button that ends something must not end the next thing, too."""
    old = mark(board, "cross")
    assert choose(board, "cross", "mark b2") == () and choose(board, "nought", "mark a1") == ()
    assert board.choose("cross", "mark a2", old).said == (OTHERWISE,)


def test_a_choice_can_be_said_in_words_and_what_fits_is_counted(board):
    assert board.say("cross", "mark").fits == tuple(range(9))
    assert board.say("cross", "b2").said == ()
    assert "Cross marks b2" in part(board, None, "log")


def test_what_cannot_be_is_refused_with_its_reason(board):
    board.say("cross", "b2")
    assert board.say("nought", "b2").said and "Nought marks" not in part(board, None, "log")
    assert board.say("nought", "why not b2").said == board.say("nought", "b2").said
    assert board.say("nought", "why not a1").said == ("mark a1 is possible",)


def test_the_rules_can_be_asked(board):
    assert any("Tic-tac-toe" in line for line in board.say(None, "about").said)
    assert board.say("cross", "about b2").said == ("b2: nothing is there",)


def test_what_is_not_possible_is_listed_with_its_reason():
    room = room_of(shelved("soul-gems", (), "python"), {"ben": "random"}, seed=3)
    for text in ("white", "a1"):
        while room._move():  # Ben, where he is asked
            pass
        room.say("ann", text)
    while room._move():
        pass
    assert any(line.startswith("Repair") and "broken" in line for line in room.greyed("ann").said)
    assert room.greyed(None).said == room.greyed("ben").said == ("nothing is asked of you now",)


def test_a_step_of_ones_own_is_taken_back_at_once():
    room = room_of(shelved("nim", (), "python"), {"ben": "random"})
    before = part(room, "ann", "table")
    choose(room, "ann", str(shelved("nim", (), "python").start(seed=1).choices[0]))
    assert room.undo("ann").said == ()
    assert part(room, "ann", "table") == before
    assert room.undo("ann").said == ("there is nothing to take back",)
    assert room.undo(None).said == room.undo("ben").said == (NOT_YOURS,)


def test_a_step_that_another_person_has_answered_is_taken_back_if_both_agree(board):
    choose(board, "cross", "mark b2")
    choose(board, "nought", "mark a1")
    assert board.undo("cross").said == ()
    assert 'data-do="agree"' in part(board, "nought", "asked")
    assert 'data-do="agree"' not in part(board, "cross", "asked") + part(board, None, "asked")
    assert board.agree(None, True).said == (OTHERWISE,)
    board.agree("nought", False)
    assert "wants to take back" not in part(board, "cross", "asked")
    board.undo("cross")
    board.agree("nought", True)
    assert part(board, "cross", "log") == "" and "data-number" in part(board, "cross", "asked")


def test_a_choice_is_an_answer_to_a_wish_to_take_back(board):
    choose(board, "cross", "mark b2")
    choose(board, "nought", "mark a1")
    board.undo("nought")  # nobody has answered: it is taken back
    choose(board, "nought", "mark a2")
    board.undo("cross")
    choose(board, "cross", "mark c3")
    assert "wants to take back" not in part(board, "nought", "asked")


def test_what_has_come_to_light_is_taken_back_only_if_one_insists():
    room = room_of(shelved("pig", (), "python"), {"ben": "random"})
    assert room.say("ann", "roll").said == ()
    room.undo("ann")
    assert "come to light" in part(room, "ann", "asked") and "wants" not in part(room, "ann", "asked")
    room.agree("ann", True)
    assert part(room, "ann", "log") == ""


def test_agents_move_by_themselves_and_people_without_a_choice_are_not_asked():
    room = room_of(shelved("tic-tac-toe", (), "python"), {"nought": "random"})
    thread = threading.Thread(target=room.run, daemon=True)
    thread.start()
    try:
        for text in ("b2", "a1", "c3", "a3", "a2", "c1", "b1", "b3", "c2"):
            if "over" in part(room, None, "asked"):
                break
            page = room.page("cross", "", 5)
            while "mine" not in part(room, "cross", "asked") and "over" not in part(room, None, "asked"):
                assert page is not None
                page = room.page("cross", mark(room, "cross"), 5) or page
            room.say("cross", f"mark {text}")
        deadline = time.monotonic() + 10
        while "over" not in part(room, None, "asked") and time.monotonic() < deadline:
            room.page(None, mark(room, None), 1)
        assert "question over" in part(room, None, "asked")
    finally:
        room.close()
        thread.join(10)
    assert not thread.is_alive()


@pytest.mark.parametrize("name", ["orbit-simulator", "tests/rulesets/planning"])
def test_a_step_in_secret_leaves_the_pages_of_others_as_they_are(name):
    """Neither what was planned nor how often somebody planned may be read off a page, or off its mark."""
    room, rng = room_of(shelved(name, (), "python")), random.Random(2)
    session, secret = room._session, 0
    for _ in range(60):
        decision = session.state.decision
        if decision is None:
            break
        marks = {seat: mark(room, seat) for seat in room.seats}
        views = {seat: session.state.view(seat) for seat in room.seats}
        choose(room, decision.player, str(rng.choice(session.state.choices)))
        for seat in room.seats:
            turn = session.turns[-1]
            silent = not turn.told_to(seat) and not turn.events.seen_by(seat)
            if silent and session.state.view(seat) == views[seat]:
                assert mark(room, seat) == marks[seat], (seat, turn.choice.text)
                assert room.page(seat, marks[seat], 0.001) is None
                secret += part(room, seat, "log") != ""
    assert secret, "nothing was done in secret after something had been told"


def test_rules_that_stop_a_game_end_it_with_a_sentence(capsys):
    room = room_of(
        ruleforge.load("tests/rulesets/endless") if False else shelved("nim", (), "python"), {"ann": "random"}
    )

    class Broken:
        def choose(self, state: ruleforge.State) -> ruleforge.Choice:
            raise ruleforge.PlayError("RF812", "a secret of the rules")

    room._agents._agents["ann"] = Broken()
    assert room._move() is False
    assert "RF812" in part(room, None, "asked") and "secret" not in part(room, None, "asked")
    assert "secret" in capsys.readouterr().out
