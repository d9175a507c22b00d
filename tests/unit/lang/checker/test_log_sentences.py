"""`tells` and `layout` are checked with the rules; an action that asks step by step is told once."""

from __future__ import annotations

import pytest

from ruleforge.play.narration import Narrator
from ruleforge.play.session import Session
from ruleforge.project.resolver import diagnostics_of
from tests.unit.small_games import rules_file, small_game

GAME = """\
game: {id: duel, title: Duel, version: "1.0", text: Hit., players: 2}
kinds:
  player:
    things: [ann, ben]
    has: {hurt: 0..9, plan: {type: 0..9 = 3, sees: viewer is self}}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
events:
  strike:
    tells: "TELLS"
    takes: {p: player, much: 0..9}
    do: |
      p.hurt = min(9, p.hurt + much)
      if p.hurt is 9: finish over
actions:
  hit: {tells: "", during: turn, do: "strike(opponent, 2)"}
endings: {over: {text: Over.}}
layout:
  LAYOUT
"""


def game(tells: str = "{p}", layout: str = "small: [hurt]") -> str:
    return GAME.replace("TELLS", tells).replace("LAYOUT", layout)


@pytest.mark.parametrize(
    ("tells", "layout", "code", "words"),
    [
        ("{q} is hit", "small: [hurt]", "RF501", "`q`"),
        ("{p.hurts}", "small: [hurt]", "RF501", "`hurts`"),
        ("{much ? a : b}", "small: [hurt]", "RF502", ""),
        ("{p} is [hit", "small: [hurt]", "RF404", "bracket"),
        ("{p", "small: [hurt]", "RF404", "bracket"),
        ("{p}", "small: [hurts]", "RF501", "`hurts`"),
        ("{p}", "boxes: [players]", "RF501", "`players`"),
        ("{p}", "kinds: {player: {shows: [coins]}}", "RF501", "`coins`"),
        ("{p}", "kinds: {player: {symbols: {zoe: Z}}}", "RF501", "`zoe`"),
        ("{p}", "kinds: {player: {by: [side], symbols: {a: Z}}}", "RF501", "`side`"),
        ("{p}", "kinds: {pawns: {face: []}}", "RF501", "`pawns`"),
    ],
)
def test_what_is_wrong_is_told_at_its_place(tells, layout, code, words):
    found = diagnostics_of(rules_file(game(tells, layout)))
    assert [d.code for d in found] == [code]
    assert words in found[0].message
    assert found[0].span.line in (10, 19)


def told(tells: str, seat: str) -> list[str]:
    state = small_game(game(tells)).start(seed=1)
    events = state.apply("hit")
    return [str(s).strip() for s in Narrator(state.game.info).step("ann", "hit", events.seen_by(seat))]


@pytest.mark.parametrize(
    ("tells", "ann", "ben"),
    [
        ("{p} is hit for {much}", "Ben is hit for 2.", "Ben is hit for 2."),
        ("{p.hurt} before, {then p.hurt} after", "0 before, 2 after.", "0 before, 2 after."),
        ("{p.hurt > 5 ? dead : alive}", "Alive.", "Alive."),
        ("hit[, plan {p.plan}]", "Hit.", "Hit, plan 3."),  # a secret is said to its owner
        ("plan {p.plan}", "Plan something.", "Plan 3."),
    ],
)
def test_a_sentence_says_what_its_reader_may_know(tells, ann, ben):
    assert told(tells, "ann") == [ann]
    assert told(tells, "ben") == [ben]


def test_an_empty_sentence_says_nothing_and_bare_changes_are_told_by_default():
    assert told("", "ann") == []
    state = small_game(
        game().replace('    tells: "{p}"\n', "").replace("small: [hurt]", "small: [plan]")
    ).start()
    events = state.apply("hit")
    sentences = Narrator(state.game.info).step("ann", "hit", events.seen_by("ben"))
    assert [str(s).strip() for s in sentences] == ["Ben: hurt 0→2."]


def test_signs_of_parts_stand_one_after_the_other():
    symbols = '{cups: [♥, c], coins: [♦, o], "1": A, "2": "2", coins 2: [☼, S]}'
    colours = "{cups: red, coins 1: blue}"
    cards = f"kinds: {{card: {{by: [suit, rank], symbols: {symbols}, colours: {colours}}}}}"
    deck = "suit: {things: [cups, coins]}\n  card: {product: {suit: suits, rank: 1..2}}\n  player:"
    look = small_game(game(layout=cards).replace("player:", deck, 1)).info.look
    assert look.symbols["card.cups_1"] == ("♥A", "cA")
    assert look.symbols["card.coins_1"] == ("♦A", "oA")
    assert look.symbols["card.coins_2"] == ("☼", "S")
    assert (look.colours["card.cups_2"], look.colours["card.coins_1"]) == (("red",), ("blue",))
    assert "card.coins_2" not in look.colours


# An action that asks one thing after the other is told once, with all that was chosen, as each reader may know it.

STEPWISE_GAME = """\
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


def stepwise_log(tells: str, seat: str | None, *choices: str) -> list[str]:
    session = Session(small_game(STEPWISE_GAME.replace("TELLS", tells)).start(seed=1))
    for choice in choices:
        session.apply(choice)
    narrator = Narrator(session.state.game.info)
    return [
        str(sentence)
        for turn in session.turns
        for sentence in narrator.step(turn.player, turn.log_text_for(seat), turn.events.seen_by(seat))
    ]


def test_the_authors_words_name_all_that_was_chosen():
    words = 'tells: "{me} gives {friend} [{g}, ]{much} times."'
    assert stepwise_log(words, "ann", "give ink", "ben", "2")[0] == "Ann gives Ben Ink, 2 times."
    assert stepwise_log(words, "ben", "give ink", "ben", "2")[0] == "Ann gives Ben 2 times."
    assert stepwise_log(words, "ann", "give ink", "ben") == []


def test_without_words_it_is_named_with_its_choices():
    assert stepwise_log("", "ann", "give ink", "ben", "2")[0] == "Ann: give Ink Ben 2."
    assert stepwise_log("", "ben", "give ink", "ben", "2")[0] == "Ann: give Ben 2."


def test_a_set_that_is_taken_one_by_one_is_told_whole():
    assert stepwise_log("", "ann", "reveal", "ink", "wax", "done")[0] == "Ann: reveal Ink, Wax."
    assert stepwise_log("", "ben", "reveal", "ink", "wax", "done")[:2] == [
        "Ann: reveal.",
        "  Ink and Wax: Ann's hand → the table.",
    ]
