"""`tells` and `layout` are checked with the rules, and what is wrong in them is shown where it stands."""

from __future__ import annotations

import pytest

from ruleforge.play.narration import Narrator
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
def test_a_telling_says_what_its_reader_may_know(tells, ann, ben):
    assert told(tells, "ann") == [ann]
    assert told(tells, "ben") == [ben]


def test_an_empty_telling_says_nothing_and_bare_changes_are_told_by_default():
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
