"""The prompt on a real terminal: what a player types and what comes back."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.unit.engine.test_multi_step_texts import DUEL
from tests.unit.frontends.terminal import Terminal
from tests.unit.small_games import rules_file

# Ben cannot lie, which is for nobody to know.
LIARS = """\
game: {id: liars, title: Liars, version: "1.0", text: Some can lie., players: 2}
kinds:
  player:
    facts: {may_lie: flag}
    things: {ann: {may_lie: true}, ben: {}}
    has:
      lied: {type: 0..1, sees: viewer is self}
flow:
  - phase: asking
    repeat: true
    do: |
      each p in players secretly chooses lie in 0..1 where lie is 0 or p.may_lie "Do you lie?":
        p.lied = lie
"""


@pytest.fixture
def table():
    opened: list[Terminal] = []

    def sit_down(*arguments: object) -> Terminal:
        opened.append(Terminal("play", *arguments))
        return opened[-1]

    yield sit_down
    for terminal in opened:
        if terminal.process.poll() is None:
            terminal.process.kill()


def test_whoever_takes_the_screen_is_asked_even_if_only_one_choice_is_left(table):
    terminal = table(rules_file(LIARS), "--seat", "ann=human", "--seat", "ben=human")
    terminal.until("Ann ▸")
    terminal.say("1")
    terminal.until("Ben, take the screen and press Enter")
    terminal.say("")
    assert "Do you lie?" in terminal.until("Ben ▸")
    terminal.say("0")
    terminal.until("Ann, take the screen and press Enter")


def test_a_few_moves_with_everything_that_can_be_said(table, tmp_path: Path):
    terminal = table("tic-tac-toe", "--seed", "2", "--seat", "cross=human")
    assert "Tic-tac-toe" in terminal.until("Cross ▸")
    terminal.say("help")
    assert "save FILE" in terminal.until("Ctrl-D")
    terminal.until("Cross ▸")
    terminal.say("why mark z9")
    terminal.until("There is no cell z9")
    terminal.say("about mark")
    terminal.until("mark (an action):")
    terminal.say("77")
    terminal.until("77 is not a choice")
    terminal.say("undo")
    terminal.until("nothing to undo")
    terminal.say("B2")
    assert "Nought marks" in terminal.until("Cross: turn")
    terminal.until("Cross ▸")
    terminal.say(f"save {tmp_path / 'game.json'}")
    terminal.until("Saved to")
    terminal.say("undo")
    assert "Nought marks" not in terminal.until("Cross: turn")
    terminal.until("Cross ▸")
    terminal.say("quit")
    terminal.until("Bye")
    assert terminal.leave() == 0
    assert "game tic-tac-toe" in (tmp_path / "game.json").read_text("utf-8")


def test_seats_go_by_number_or_title_and_who_thinks_can_be_broken_off(table):
    terminal = table("tic-tac-toe", "--seed", "2", "--seat", "2=mcts:20s", "--seat", "CROSS=human")
    terminal.until("Cross ▸")
    terminal.say("b2")
    terminal.until("Nought is thinking (mcts:20s)")
    terminal.process.send_signal(signal.SIGINT)
    terminal.until("Broken off")
    assert terminal.leave() == 0


@pytest.mark.parametrize(
    ("seat", "says"), [("3=mcts", "there is no player `3`"), ("1=random", "names `cross` twice")]
)
def test_a_seat_that_nobody_has_or_that_two_take(ruleforge_command, seat, says):
    done = ruleforge_command("play", "tic-tac-toe", "--seat", "cross=random", "--seat", seat)
    assert done.code == 2 and says in " ".join(done.err.split())


def test_a_game_is_played_to_its_end(table):
    terminal = table("nim", "--seed", "1", "--seat", "ann=random", "--seat", "ben=random")
    assert "Nim" in terminal.until(" won (")
    assert terminal.leave() == 0


def test_end_of_input_leaves_and_an_interrupt_does_not(table):
    terminal = table("nim", "--seed", "1")
    terminal.until("Ann ▸")
    terminal.process.send_signal(signal.SIGINT)
    terminal.until("Ctrl-D leaves")
    terminal.until("Ann ▸")
    terminal.say("\x04", end="")
    terminal.until("Bye")
    assert terminal.leave() == 0


def test_a_killed_game_is_resumed(table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RULEFORGE_CACHE", str(tmp_path / "cache"))
    seats = ("--seat", "cross=human", "--seat", "nought=human")
    terminal = table("tic-tac-toe", "--seed", "2", *seats)
    for player, choice in (("Cross", "mark b2"), ("Nought", "mark a1"), ("Cross", "mark c3")):
        terminal.until(f"{player} ▸")
        terminal.say(choice)
    terminal.until("Nought ▸")
    terminal.say("mark a2", end="")  # the line being typed
    terminal.process.kill()
    again = table("tic-tac-toe", "--resume", *seats)
    shown = again.until("Nought ▸")
    assert "c1" in shown and "a2" in shown
    again.say("undo")
    again.until("Nought ▸")
    again.say("quit")
    again.until("Bye")


def test_a_text_that_fails_half_way_says_what_is_done_and_what_is_not(table):
    terminal = table(rules_file(DUEL), "--seat", "ann=human", "--seat", "ben=human")
    terminal.until("Ann ▸")
    terminal.say("give ben 9")
    terminal.until("Done: give ben. Refused: 9.")
    terminal.until("9 is not a number from 1 to 3.")
    terminal.say("undo")
    terminal.until("give Ben")
