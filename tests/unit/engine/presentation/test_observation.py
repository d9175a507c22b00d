"""What a seat sees is one frozen description; views, text and the terminal are drawn from it."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

import ruleforge
from ruleforge.engine.presentation.observation import SeenThing
from tests.unit.small_games import FAIR, small_game


def drawn_tickets() -> ruleforge.State:
    state = small_game(FAIR).start()
    for _ in range(3):
        state.apply("draw")
    return state


def test_places_hold_things_and_hidden_ones_have_no_name():
    table = drawn_tickets().table("ann")
    hands = {place.of.owner: place.things for place in table.places if place.of.name == "hand"}
    assert hands["ann"] == (SeenThing("red"), SeenThing("green"))
    assert hands["ben"] == (SeenThing(None),)
    with pytest.raises(FrozenInstanceError):
        table.seat = "ben"  # type: ignore[misc]


def test_values_say_what_they_are_values_of():
    table = drawn_tickets().table("ann")
    tastes = next(value for value in table.values if value.of.path == "ben.tastes[pie]")
    of = tastes.of
    assert (of.kind, of.thing, of.name, of.index, of.tail) == (
        "player",
        "ben",
        "tastes",
        ("pie",),
        "tastes[pie]",
    )


def test_the_decision_lists_choices_for_the_one_who_decides():
    state = drawn_tickets()
    mine, theirs = state.table("ben").decision, state.table("ann").decision
    assert mine is not None and mine.choices == tuple(c.text for c in state.choices)
    assert theirs is not None and theirs.choices is None and theirs.prompt == mine.prompt


def test_boards_know_their_cells_and_neighbours():
    state = ruleforge.load("tic-tac-toe").start()
    state.apply("mark b2")
    (board,) = state.table(None).boards
    assert board.info.near["a1"] == ("b1", "a2", "b2")
    (centre,) = [cell for cell in board.cells if cell.name == "b2"]
    assert [value.value for value in centre.values] == ["cross"]


def test_a_position_prints_as_text():
    state = ruleforge.load("tic-tac-toe").start()
    state.apply("mark b2")
    assert str(state).splitlines() == [
        "3 · · ·    X Cross",
        "2 · X ·    O Nought",
        "1 · · ·",
        "  a b c",
        "",
        "Nought: turn",
    ]


def test_text_shows_everything():
    text = str(drawn_tickets())
    assert "Red, Green" in text and "Blue" in text and "hidden" not in text


def test_the_public_knows_what_all_players_know():
    state = drawn_tickets()
    view = state.view(None)
    assert view["player"] is None
    assert view["places"]["ann.hand"] == ["?", "?"] and view["places"]["deck"] == ["?"]
    assert view["attributes"]["ann.coins"] == 3
    assert "ann.secret" not in view["attributes"]
    assert "choices" not in view["decision"] and view["decision"]["player"] == "ben"


def test_the_public_learns_what_everybody_learns():
    state = small_game(FAIR).start()
    before = state.copy()
    events = state.apply("draw")
    assert str(events.seen_by(None)[1]) == "move ticket thing=? from=deck to=ann.hand"
    state.apply("draw")
    before = state.copy()
    (step,) = before.read("hang red")[:1]
    state.apply(step)
    assert before.tell(step, state, None) == "hang ?"
    assert before.tell(step, state, "ann") == "hang red"


RINGS = """
game:
  id: wheel
  title: Wheel
  version: "1"
  text: A wheel.
  players: 2
kinds:
  player: {things: [ann, ben]}
  track: {rings: [1, 4], has: {owner: player or none}}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions: {take: {during: turn, choose: {t: in tracks where t.owner is none}, do: t.owner = me}}
endings: {over: {text: Never.}}
"""


def test_rings_are_drawn_from_the_outside_in():
    state = small_game(RINGS).start()
    state.apply("take r2s0")
    state.apply("take r1s0")
    assert str(state).splitlines()[:2] == ["r2 ▏A · · ·▕", "r1 ▏B▕"]
