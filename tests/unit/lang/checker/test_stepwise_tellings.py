"""An action that asks one thing after the other is told once, with all that was chosen, as each reader may know it."""

from __future__ import annotations

from ruleforge.play.narration import Narrator
from ruleforge.play.session import Session
from tests.unit.small_games import small_game

GAME = """\
game: {id: gifts, title: Gifts, version: "1.0", text: Give., players: 2}
kinds:
  player: {things: [ann, ben], has: {points: 0..9}}
  good: {things: {ink: {title: Ink}, salt: {title: Salt}, wax: {title: Wax}}}
places:
  hand: {of: {holder: player}, holds: good, sees: viewer is holder}
  table: {holds: good}
setup: "for g in goods: move g to ann.hand"
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  give:
    TELLS
    during: turn
    choose: {g: in me.hand, friend: in players, much: in 1..2}
    do: friend.points = much
  reveal: {during: turn, choose: {some: any number in me.hand}, do: "for g in some: move g to table"}
  stop: {during: turn, do: finish over}
endings: {over: {text: Over.}}
"""


def told(tells: str, seat: str | None, *choices: str) -> list[str]:
    session = Session(small_game(GAME.replace("TELLS", tells)).start(seed=1))
    for choice in choices:
        session.apply(choice)
    narrator = Narrator(session.state.game.info)
    return [
        str(sentence)
        for turn in session.turns
        for sentence in narrator.step(turn.player, turn.said_to(seat), turn.events.seen_by(seat))
    ]


def test_the_authors_words_name_all_that_was_chosen():
    words = 'tells: "{me} gives {friend} [{g}, ]{much} times."'
    assert told(words, "ann", "give ink", "ben", "2")[0] == "Ann gives Ben Ink, 2 times."
    assert told(words, "ben", "give ink", "ben", "2")[0] == "Ann gives Ben 2 times."
    assert told(words, "ann", "give ink", "ben") == []


def test_without_words_it_is_named_with_its_choices():
    assert told("", "ann", "give ink", "ben", "2")[0] == "Ann: give Ink Ben 2."
    assert told("", "ben", "give ink", "ben", "2")[0] == "Ann: give Ben 2."


def test_a_set_that_is_taken_one_by_one_is_told_whole():
    assert told("", "ann", "reveal", "ink", "wax", "done")[0] == "Ann: reveal Ink, Wax."
    assert told("", "ben", "reveal", "ink", "wax", "done")[:2] == [
        "Ann: reveal.",
        "  Ink and Wax: Ann's hand → the table.",
    ]
