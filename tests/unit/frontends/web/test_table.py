"""A table in a browser: who may choose what, what is said, agents that move, and steps taken back."""

from __future__ import annotations

import random
import threading
import time

import pytest

import ruleforge
from ruleforge.frontends.web.table import NOT_YOURS, OTHERWISE, UNKEPT, WebTable
from tests.shelf import game as shelved
from tests.unit.engine.test_multi_step_texts import DUEL
from tests.unit.frontends.web.tables import room_of
from tests.unit.small_games import small_game


def mark(room: WebTable, seat: str | None) -> str:
    page = room.page(seat)
    assert page is not None
    return page.mark


def part(room: WebTable, seat: str | None, name: str) -> str:
    page = room.page(seat)
    assert page is not None
    return page.parts[name]


def choose(room: WebTable, seat: str | None, text: str) -> tuple[str, ...]:
    return room.choose(seat, text, mark(room, seat)).lines


@pytest.fixture
def board() -> WebTable:
    return room_of(shelved("tic-tac-toe", (), "python"))


def test_whoever_is_asked_chooses_and_all_see_it(board):
    assert choose(board, "cross", "mark b2") == ()
    for seat in board.seats:
        assert "Cross marks b2" in part(board, seat, "log")
    assert "data-number" in part(board, "nought", "asked")
    assert "data-number" not in part(board, "cross", "asked") + part(board, None, "asked")


def test_nobody_chooses_for_somebody_else(board):
    assert choose(board, "nought", "mark b2") == board.say("nought", "b2").lines == ("Cross decides now",)
    assert choose(board, None, "mark b2") == (NOT_YOURS,)
    assert board.say(None, "mark b2").lines == (NOT_YOURS,)
    assert "data-number" in part(board, "cross", "asked")


def test_a_page_of_yesterday_chooses_nothing(board):
    """A second click on a button that ends something must not end the next thing, too."""
    old = mark(board, "cross")
    assert choose(board, "cross", "mark b2") == () and choose(board, "nought", "mark a1") == ()
    assert board.choose("cross", "mark a2", old).lines == (OTHERWISE,)


def test_a_choice_can_be_said_in_words_and_what_fits_is_counted(board):
    assert board.say("cross", "mark").fits == tuple(range(9))
    assert board.say("cross", "b2").lines == ()
    assert "Cross marks b2" in part(board, None, "log")


def test_what_cannot_be_is_refused_with_its_reason(board):
    board.say("cross", "b2")
    assert board.say("nought", "b2").lines and "Nought marks" not in part(board, None, "log")
    assert board.say("nought", "why not b2").lines == board.say("nought", "b2").lines
    assert board.say("nought", "why not a1").lines == ("mark a1 is possible",)


def test_the_rules_can_be_asked(board):
    assert any("Tic-tac-toe" in line for line in board.say(None, "about").lines)
    assert board.say("cross", "about b2").lines == ("b2: empty",)


def test_what_is_not_possible_is_listed_with_its_reason():
    room = room_of(shelved("soul-gems", (), "python"), {"ben": "random"}, seed=3)
    for text in ("white", "a1"):
        while room._move():  # Ben, where he is asked
            pass
        room.say("ann", text)
    while room._move():
        pass
    assert any(line.startswith("Repair") and "broken" in line for line in room.greyed("ann").lines)
    assert room.greyed(None).lines == room.greyed("ben").lines == ("you have no decision now",)


def test_a_step_of_ones_own_is_taken_back_at_once():
    room = room_of(shelved("nim", (), "python"), {"ben": "random"})
    before = part(room, "ann", "table")
    choose(room, "ann", str(shelved("nim", (), "python").start(seed=1).choices[0]))
    assert room.undo("ann").lines == ()
    assert part(room, "ann", "table") == before
    assert room.undo("ann").lines == ("there is nothing to take back",)
    assert room.undo(None).lines == room.undo("ben").lines == (NOT_YOURS,)


def test_a_step_that_another_person_has_answered_is_taken_back_if_both_agree(board):
    choose(board, "cross", "mark b2")
    choose(board, "nought", "mark a1")
    assert board.undo("cross").lines == ()
    assert 'data-do="agree"' in part(board, "nought", "asked")
    assert 'data-do="agree"' not in part(board, "cross", "asked") + part(board, None, "asked")
    assert board.agree(None, True).lines == (OTHERWISE,)
    board.agree("nought", False)
    assert "wants to undo" not in part(board, "cross", "asked")
    assert "Nought declined to undo." in part(board, "cross", "asked")
    board.undo("cross")
    assert "would rather" not in part(board, "cross", "asked")
    board.agree("nought", True)
    assert part(board, "cross", "log") == "" and "data-number" in part(board, "cross", "asked")


def test_a_choice_is_an_answer_to_an_undo_request(board):
    choose(board, "cross", "mark b2")
    choose(board, "nought", "mark a1")
    board.undo("nought")  # nobody has answered: it is taken back
    choose(board, "nought", "mark a2")
    board.undo("cross")
    choose(board, "cross", "mark c3")
    assert "wants to undo" not in part(board, "nought", "asked")


def test_what_has_come_to_light_is_taken_back_only_if_one_insists():
    room = room_of(shelved("pig", (), "python"), {"ben": "random"})
    assert room.say("ann", "roll").lines == ()
    room.undo("ann")
    assert "was revealed" in part(room, "ann", "asked") and "wants" not in part(room, "ann", "asked")
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
            silent = not turn.text_for(seat) and not turn.events.seen_by(seat)
            if silent and session.state.view(seat) == views[seat]:
                assert mark(room, seat) == marks[seat], (seat, turn.choice.text)
                assert room.page(seat, marks[seat], 0.001) is None
                secret += part(room, seat, "log") != ""
    assert secret, "nothing was done in secret after something had been told"


PLANS = """\
game: {id: plans, title: Plans, version: "1.0", text: Everybody plans in secret., players: 2}
kinds:
  player: {things: [ann, ben], has: {plan: {type: 0..9, sees: viewer is self}, open: 0..9}}
flow:
  - phase: turn
    repeat: true
    each: me in players
    window: many
    sees: viewer is me
actions:
  think: {during: turn, needs: me is ann or me.plan is 0, do: me.plan = me.plan + 1 if me.plan < 9 else 0}
  tell: {during: turn, sees: "true", do: "me.open = min(me.open + 1, 9)"}
  stop: {during: turn, do: finish over}
endings: {over: {text: Over.}}
"""


@pytest.fixture
def plans() -> WebTable:
    """Ann has told something and is done; Ben, who may plan in secret, is asked."""
    room = room_of(small_game(PLANS))
    for text in ("tell", "done"):
        assert choose(room, "ann", text) == ()
    return room


def test_taking_back_does_not_tell_whether_somebody_chose_in_secret(plans):
    """Others are asked either way, and see the same wish."""
    secret = room_of(small_game(PLANS))
    for text in ("tell", "done"):
        choose(secret, "ann", text)
    choose(secret, "ben", "think")
    assert mark(secret, "ann") == mark(plans, "ann")
    for room in (plans, secret):
        assert room.undo("ann").lines == ()
        assert "wants to undo" in part(room, "ann", "asked")
    assert mark(secret, "ann") == mark(plans, "ann")


def test_a_choice_in_secret_leaves_the_request_of_another_as_it_is(plans):
    choose(plans, "ben", "tell")
    plans.undo("ann")
    before = mark(plans, "ann"), mark(plans, None)
    choose(plans, "ben", "think")
    assert (mark(plans, "ann"), mark(plans, None)) == before
    plans.agree("ben", True)
    assert "mine" in part(plans, "ann", "asked") and "mine" not in part(plans, "ben", "asked")


def test_what_is_taken_back_in_secret_leaves_the_pages_of_others_as_they_are(plans):
    """Also what they see marked as new since they last chose."""
    choose(plans, "ben", "tell")
    before = mark(plans, "ann"), mark(plans, None)
    choose(plans, "ben", "think")
    assert plans.undo("ben").lines == ()
    assert "plan" not in part(plans, "ben", "log")
    assert (mark(plans, "ann"), mark(plans, None)) == before


def test_whoever_has_one_choice_is_asked_where_others_could_tell():
    """At once, without being asked: so there was nothing to choose."""
    only = small_game(
        PLANS.replace("needs: me is ann or me.plan is 0, ", "needs: me.plan > 9, ")
        .replace('tell: {during: turn, sees: "true",', 'tell: {during: turn, sees: "true", needs: me is ann,')
        .replace("stop: {during: turn,", "stop: {during: turn, needs: me is ann,")
    )
    room, alone = room_of(only), room_of(only, {"ann": "random"})
    choose(room, "ann", "done")
    assert room._move() is False and "done" in part(room, "ben", "asked")
    alone._session.apply("done")
    assert alone._move() is True  # nobody else is there


def test_a_second_click_takes_nothing_more_back(board):
    for seat, text in (("cross", "mark b2"), ("nought", "mark a1")):
        choose(board, seat, text)
    old = mark(board, "nought")
    assert board.undo("nought", old).lines == ()
    assert board.undo("nought", old).lines == (OTHERWISE,)
    assert board.say("nought", "a2", old).lines == (OTHERWISE,)
    assert board.agree("nought", True, old).lines == (OTHERWISE,)
    assert board.say("nought", "a2", mark(board, "nought")).lines == ()


class Full:
    """A disk on which there is no room after so many calls."""

    def __init__(self, calls: int) -> None:
        self.calls = calls

    def follow(self, _session: object) -> None:
        self.calls -= 1
        if self.calls < 0:
            raise OSError(28, "No space left on device", "a.record")


def test_what_cannot_be_kept_is_not_done(board, capsys):
    board._saved_game = Full(1)
    assert choose(board, "cross", "mark b2") == ()
    before = mark(board, "nought")
    assert choose(board, "nought", "mark a1") == (UNKEPT,)
    assert mark(board, "nought") == before and "a.record: no space left" in capsys.readouterr().out
    board._saved_game = Full(9)
    assert choose(board, "nought", "mark a1") == ()


def test_agents_wait_where_nothing_can_be_kept(capsys):
    room = room_of(shelved("nim", (), "python"), {"ann": "random"})
    room._saved_game = Full(0)  # type: ignore[assignment]
    assert room._move() is False and not room._session.turns
    assert "cannot be saved" in part(room, None, "asked") and "a.record" not in part(room, None, "asked")


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


def test_a_text_that_fails_half_way_says_what_is_done_and_what_is_not():
    room = room_of(small_game(DUEL))
    assert room.say("ann", "give ben 9").lines == (
        "Done: give ben. Refused: 9.",
        "9 is not a number from 1 to 3.",
    )
    assert "data-number" in part(room, "ann", "asked")
    assert room.undo("ann").lines == () and part(room, "ann", "log") == ""
    assert room.say("ann", "give ben 2").lines == ()
    assert "data-number" in part(room, "ben", "asked")
