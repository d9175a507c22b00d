"""`about` at the table: the game, things, actions, phases, words, cells and clauses, in a player's words."""

from __future__ import annotations

import pytest

from ruleforge.play.seats.rule_help import RuleHelp
from tests.shelf import game as shelved
from tests.unit.small_games import small_game

GARDEN = """\
game: {id: garden, title: Garden, version: "1.0", text: Plant and harvest., players: 2}
kinds:
  player: {things: [ann, ben], has: {grain: {title: Grain, type: 0..20, text: What is eaten., cites: [G-1]}}}
  card:
    facts: {worth: 1..9, spiny: flag}
    has: {tired: flag}
    things:
      old_rose: {title: Old Rose, text: Smells., worth: 3, spiny: true, keywords: [thorny]}
      weed: {copies: 2, worth: 1}
  cell: {grid: {shape: square, columns: 2, rows: 1}}
keywords:
  thorny: {text: Nobody picks it twice., kind: card}
formulas:
  beauty: {takes: {c: card}, is: c.worth, open: true, sees: true}
rules:
  dew: {modify: beauty(c), when: c is old_rose, add: 2}
places:
  hand: {of: {holder: player}, holds: card, sees: viewer is holder}
  spot: {of: {c: cell}, holds: card}
setup: |
  move old_rose to a1.spot
  move weed_1 to ben.hand
flow:
  - {phase: turn, title: The Turn, repeat: true, each: me in players, window: one, cites: [G-2]}
actions:
  pick: {title: Pick, text: Take a card from a cell., during: turn, choose: {c: in cells}, do: skip}
  stop: {during: turn, do: finish over}
endings: {over: {text: The garden is empty.}}
layout:
  kinds: {card: {face: [beauty, tired]}}
"""
CLAUSES = {"G-1": "Grain is counted in bushels.", "G-2": "In a turn one card is picked."}


@pytest.fixture(scope="module")
def say():
    state = small_game(GARDEN).start()

    def said(wanted: str, seat: str = "ann") -> list[str]:
        found = RuleHelp(state, seat, state.scene(seat), CLAUSES)
        return ["  " * line.indent + line.text for line in found.lines(wanted)]

    return said


def test_the_game_in_short(say):
    told = say("")
    assert told[0] == "Garden. Plant and harvest."
    assert "it ends: The garden is empty." in told
    assert "phases: The Turn" in told
    assert "actions: Pick" in told
    assert "keywords: thorny" in told


def test_a_thing_with_what_is_printed_on_it_where_it_lies_and_how_its_values_come_about(say):
    told = say("old rose")
    assert told[:4] == [
        "Old Rose (a card): Smells.",
        "  worth 3 · spiny",
        "  thorny: Nobody picks it twice.",
        "  now: Old Rose: beauty 5, on a1",
    ]
    assert any("2" in line and "dew" in line for line in told[4:])
    assert say("A1")[:2] == ["a1: Old Rose: beauty 5", "Old Rose (a card): Smells."]


def test_attributes_actions_phases_and_clauses(say):
    assert say("grain") == ["Grain (of a player): What is eaten.", "  G-1  Grain is counted in bushels."]
    assert say("PICK") == ["Pick (an action): Take a card from a cell."]
    assert say("the turn") == ["The Turn (a phase)", "  G-2  In a turn one card is picked."]
    assert say("g-1") == ["G-1: Grain is counted in bushels."]


def test_words_are_looked_for_where_nothing_is_called_so(say):
    assert say("bushels") == ["G-1  Grain is counted in bushels."]
    assert say("picked card") == ["G-2  In a turn one card is picked."]
    assert say("graim")[:2] == ["nearest to that: grain", "Grain (of a player): What is eaten."]
    assert "say nothing about quartz" in say("quartz")[0]


def test_where_something_lies_that_a_seat_does_not_see_is_not_told(say):
    assert any("now:" in line for line in say("weed", "ben"))
    assert not any("now:" in line for line in say("weed", "ann"))


def test_a_sort_of_piece_is_wherever_one_of_it_stands():
    """Where squares keep their piece as a value, one name stands for all pieces of a sort."""
    state = shelved("chess", (), "python").start(seed=1)
    state.apply("go e2 e4")
    lines = [line.text for line in RuleHelp(state, "white", state.scene("white"), {}).lines("white pawn")]
    assert "now: White Pawn, on a2, b2, c2, d2, f2, g2, h2, e4" in lines
