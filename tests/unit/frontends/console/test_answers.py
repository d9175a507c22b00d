"""Answers at the table: letters, words, ids, values, several steps; from a file, without a terminal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ruleforge.engine.presentation.observation import Table
from ruleforge.engine.presentation.scene import Offer, Scene
from ruleforge.engine.presentation.styled_text import text_of
from ruleforge.engine.state import State
from ruleforge.frontends.console.page import group_lines
from ruleforge.play.seats.choice_matcher import in_ids, supposed, understood
from ruleforge.play.seats.offer_groups import grouped, levels, singly
from tests.unit.frontends.commands import Command

TEXTS = {
    "go d4 f3": ("move", ("Otter d4", "f3")),
    "go d4 b3": ("move", ("Otter d4", "b3")),
    "go b2 b3": ("move", ("Stag b2", "b3")),
    "pay 10": ("pay", ("10",)),
    "pay 1": ("pay", ("1",)),
    "done": ("done", ()),
}
OFFERS = tuple(
    Offer(n, text, head, parts, tuple(text.split()[1:]))
    for n, (text, (head, parts)) in enumerate(TEXTS.items())
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("go d4 f3", ["go d4 f3"]),
        ("OTTER F3", ["go d4 f3"]),
        ("otter -> b3", ["go d4 b3"]),
        ("stag", ["go b2 b3"]),
        ("stga b3", ["go b2 b3"]),  # letters swapped
        ("mov otter", ["go d4 f3", "go d4 b3"]),
        ("b3", ["go d4 b3", "go b2 b3"]),
        ("10", ["pay 10"]),  # a number is a value
        ("1", ["pay 1"]),
        ("2", []),
        ("zebra", []),
        ("don", ["done"]),
    ],
)
def test_words_and_ids_are_understood(typed, meant):
    assert [offer.text for offer in understood(typed, OFFERS)] == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("otter c9", ["go d4 c9"]),
        ("stag Far End", ["go b2 far_end"]),
        ("pay 5", ["pay 5"]),
        ("zebra c9", []),
    ],
)
def test_what_is_not_possible_may_be_meant_like_something_that_is(typed, meant):
    assert list(supposed(typed, OFFERS, {"far end": "far_end"})) == meant


def test_names_cut_short_are_known_if_only_one_begins_so():
    ids = {"drift otter": "drift_otter", "old oak": "old_oak", "old rose": "old_rose", "move": "go"}
    assert in_ids("move otter", ids) == "go drift_otter"
    assert in_ids("Move DRIFT OTTER a1", ids) == "go drift_otter a1"
    assert in_ids("old", ids) == "old"  # two begin so
    assert in_ids("oa", ids) == "oa"  # too short


def test_many_choices_stand_in_pairs_and_long_lists_are_cut():
    offers = tuple(Offer(n, f"go x{n}", "go", (f"Milestone {n}", "there"), ()) for n in range(12))
    alike = next(iter(levels(offers)))
    lines = [text_of(line) for line in group_lines(alike, 79)]
    assert len(lines) == 6 and lines[0].count(" → ") == 2
    board = tuple(Offer(n, f"go {n}", "go", (f"c{n}",), ()) for n in range(50))
    assert next(iter(levels(board)))[0].words == "go c0 c1 c2 c3 c4 c5 … 50 in all"
    assert grouped(board, lambda groups: True)[0].words.endswith("c48 c49")
    *_, coarse, brief = levels(offers)
    assert "Milestone 11" in coarse[0].words
    assert brief[0].words == "go " + ", ".join(f"Milestone {n}" for n in range(6)) + " … 12 in all → there"


def test_choices_that_differ_in_what_they_cost_are_told_apart():
    near, far = (("1", " coin"), ("2", " coins"))
    cells = {"a1": near, "b1": near, "c1": far, "d1": far}
    offers = tuple(Offer(n, f"go {c}", "go", (c,), (c,), hint) for n, (c, hint) in enumerate(cells.items()))
    many = (*offers, *(replace(offer, number=4 + offer.number, head="run") for offer in offers), offers[0])
    fine = next(iter(levels(many)))
    assert [(g.words, g.beside) for g in fine][:2] == [("go a1 b1", "1 coin"), ("go c1 d1", "2 coins")]
    each_its_own = tuple(replace(o, number=n, hint=(str(n),)) for n, o in enumerate((*many, *many)))
    assert [g.beside for g in next(iter(levels(each_its_own)))] == ["0–17", "4–16"]


def test_choices_are_grouped_as_finely_as_there_is_room():
    few = grouped(OFFERS, lambda groups: True)
    assert [(g.letter, g.words) for g in few][:2] == [
        ("a", "move Otter d4 → f3"),
        ("b", "move Otter d4 → b3"),
    ]
    fewer = grouped(OFFERS, lambda groups: len(groups) <= 4)
    assert [g.words for g in fewer] == ["move Otter d4 → f3 b3", "move Stag b2 → b3", "pay 10 1", "done"]
    least = grouped(OFFERS, lambda groups: len(groups) <= 3)
    assert [g.words for g in least][1:] == ["pay 10 1", "done"]
    assert [g.words for g in singly(fewer[0].offers, 12)] == ["move Otter d4 → f3", "move Otter d4 → b3"]


def test_a_letter_is_never_the_name_of_a_thing():
    columns = tuple(Offer(n, f"drop {name}", "drop", (name,), (name,)) for n, name in enumerate("bcd"))
    assert [group.letter for group in grouped(columns, lambda groups: True)] == ["aa", "ab", "ac"]


def test_a_file_of_answers_plays_and_comments_do_not(ruleforge_command: Command):
    ruleforge_command.typed = "# the middle first\nB2\n\na1\nlog all\nwhy\nlook\nundo\nundo\nquit\n"
    done = ruleforge_command("play", "tic-tac-toe", "--seed", "2")
    assert done.code == 0 and "Bye." in done.out
    assert "Cross ▸ B2" in done.out and "Cross marks b2." in done.out and "(TTT-4, TTT-5, TTT-6)" in done.out
    assert "Seed 2" in done.out


def test_a_bad_answer_of_a_file_is_told_with_its_line(ruleforge_command: Command):
    ruleforge_command.typed = "b2\nb2\n"
    done = ruleforge_command("play", "tic-tac-toe", "--seed", "2")
    assert done.code == 2 and "line 2 of the answers" in done.err and "b2" in done.err


def test_answers_play_a_game_to_its_end(ruleforge_command: Command):
    ruleforge_command.typed = "take seven 7\ntake five 5\ntake three 3\ntake one 1\n"
    done = ruleforge_command(
        "play", "nim", "--seed", "1", "--seat", "ann=human", "--seat", "ben=human", "--ascii"
    )
    assert done.code == 0 and "Ben won (last match)." in done.out
    assert done.out.isascii()


def test_what_is_forced_is_made_and_told_unless_all_is_asked(ruleforge_command: Command):
    answers = "take seven 7\ntake five 5\ntake three 3\n"
    ruleforge_command.typed = answers
    seats = ("--seat", "ann=human", "--seat", "ben=human")
    done = ruleforge_command("play", "nim", "--seed", "1", *seats)
    assert "Ben takes 1 from the heap One (nothing else was possible)." in done.out and "Ben won" in done.out
    ruleforge_command.typed = answers
    assert "Ben won" not in ruleforge_command("play", "nim", "--seed", "1", "--ask-all", *seats).out


def test_a_game_is_saved_and_loaded_at_the_table(ruleforge_command: Command, tmp_path):
    file = tmp_path / "game.txt"
    ruleforge_command.typed = f"take seven 7\nsave {file}\nquit\n"
    ruleforge_command("play", "nim", "--seed", "1")
    ruleforge_command.typed = f"load {file}\nlook\nload {tmp_path / 'nothing'}\nquit\n"
    done = ruleforge_command("play", "nim", "--seed", "3")
    assert done.code == 0 and "left 0" in done.out and "nothing" in done.out


def test_the_table_is_arranged_twice_for_a_question_however_often_somebody_looks(
    ruleforge_command: Command, monkeypatch: pytest.MonkeyPatch
):
    """Before the question, and with nothing left that is new."""
    arranged: list[str | None] = []
    scene = State.scene

    def counted(state: State, player: str | None, since: Table | None = None) -> Scene:
        arranged.append(player)
        return scene(state, player, since)

    monkeypatch.setattr(State, "scene", counted)
    ruleforge_command.typed = "help\nlog\nchoices\nwhy\n"
    done = ruleforge_command("play", "nim", "--seed", "1", "--seat", "ann=human", "--seat", "ben=human")
    assert done.code == 0
    assert len(arranged) == 2


FOLLOW = """\
game: {id: follow, title: Follow, version: "1.0", text: Cards., players: 2}
kinds:
  player: {things: [ann, ben]}
  card: {facts: {suit: 1..2}, things: {ace: {suit: 1}, king: {suit: 1}, jack: {suit: 1}, ten: {suit: 2}, two: {suit: 2}}}
  game: {has: {led: 0..2}}
places:
  hand: {of: {holder: player}, holds: card, sees: viewer is holder}
  table: {holds: card}
setup: |
  move ace to ann.hand
  move king to ann.hand
  move two to ann.hand
  move jack to ben.hand
  move ten to ben.hand
flow:
  - {phase: turn, repeat: true, each: me in players, window: one, stuck: finish over}
actions:
  play:
    during: turn
    choose: {c: in me.hand where game.led is 0 or c.suit is game.led}
    do: game.led = 0 if game.led > 0 else c.suit; move c to table
endings: {over: {text: Over.}}
"""


def test_others_are_not_told_that_nothing_else_was_possible_where_hands_are_hidden(
    tmp_path, ruleforge_command
):
    path = tmp_path / "follow.yaml"
    path.write_text(FOLLOW, "utf-8")
    ruleforge_command.typed = "play ace\n\nlog\nquit\n"
    done = ruleforge_command("play", path, "--seed", "1", "--seat", "ben=human")
    assert "Jack: Ben's hand → the table" in done.out
    assert "nothing else was possible" not in done.out
