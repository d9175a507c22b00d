"""The table as lines: what players have for each of a few things stands in columns."""

from __future__ import annotations

import ruleforge
from ruleforge.engine.presentation.styled_text import text_of
from ruleforge.engine.presentation.text_renderer import Paper, drawn
from tests.unit.small_games import small_game

SHELVES = """
game: {id: shelves, title: Shelves, version: "1", text: Put jars on shelves., players: 2}
kinds:
  player:
    things: [ann, ben]
    has: {labels: 0..9 per shelf}
  shelf:
    plural: shelves
    things: [top, middle, low]
  jar:
    things: [jam, honey]
places:
  board:
    of: {owner: player, spot: shelf}
    holds: jar
    max: 1
flow:
  - phase: turn
    repeat: true
    each: me in players
    window: one
    stuck: finish full
actions:
  put:
    during: turn
    joined: true
    choose:
      j: in jars where j.owner is none
      s: in shelves where me.board[s] is none
    do: |
      move j to me.board[s]
      me.labels[s] += 2
endings:
  full: {text: No jar is left.}
"""


def shown(*choices: str) -> list[list[str]]:
    state = small_game(SHELVES).start()
    for choice in choices:
        state.apply(choice)
    return [line.split() for line in lines(state, "ann")]


def lines(state: ruleforge.State, seat: str | None) -> list[str]:
    found = [text_of(line) for line in drawn(state.scene(seat), Paper(100))]
    return [line for line in found if line]


def test_rows_for_players_and_columns_for_things():
    assert shown() == []
    assert shown("put honey middle") == [
        ["Top", "Middle", "Low"],
        ["Ann", "board", "·", "Honey", "·"],
        ["Ben", "board", "·", "·", "·"],
        ["Ann", "labels", "Middle", "2"],  # what is counted for one thing alone needs no column
    ]
    assert shown("put honey middle", "put jam low")[-1] == ["Ben", "board", "·", "·", "Jam"]


POND = """
game: {id: pond, title: Pond, version: "1", text: Fish in a pond., players: 2}
kinds:
  player: {things: [ann, ben]}
  cell: {grid: {shape: square, columns: 2, rows: 1}}
  fish: {things: {carp: {copies: 2}, eel: {}, xy: {copies: 2}}, plural: fishes}
places:
  water: {of: {spot: cell}, holds: fish}
setup: |
  for f in fishes:
    if number(f) < 4: move f to a1.water
    else: move f to b1.water
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions: {look: {during: turn, do: skip}}
endings: {over: {text: Never.}}
"""


def test_numbered_things_on_a_board_keep_their_number():
    state = small_game(POND).start()
    assert " ".join(lines(state, "ann")).split()[:5] == ["1", "c1", "c2", "ee", "xy"]


SIGNS = """
game: {id: signs, title: Signs, version: "1", text: Signs in cells., players: 2}
kinds:
  player: {things: [ann, ben]}
  sign: {things: [sun, moon]}
  cell:
    grid: {shape: square, columns: 3, rows: 1}
    has: {shown: sign or none, both: set of sign}
setup: |
  a1.shown = moon
  b1.both = [sun]
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions: {look: {during: turn, do: skip}}
endings: {over: {text: Never.}}
layout:
  kinds: {sign: {symbols: {sun: [☼, S], moon: [☾, M]}}}
"""


def test_a_cell_that_names_things_shows_their_symbols():
    state = small_game(SIGNS).start()
    assert " ".join(lines(state, "ann")).split()[:4] == ["1", "☾", "☼", "·"]


RACE = """
game: {id: race, title: Race, version: "1", text: Run., players: "1..2"}
numbers: {goal: 9}
kinds:
  player:
    things: [ann, ben]
    has: {steps: 0..9, breath: 0..5 = 3, most_breath: 0..5 = 5}
  cell:
    grid: {shape: square, columns: 3, rows: 3}
    has: {runner: player or none}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  run: {during: turn, choose: {pace: in 1..3}, do: me.steps += pace}
  stand: {during: turn, choose: {c: in cells}, do: c.runner = me}
layout:
  kinds:
    player:
      shows: [steps, breath]
      of: {steps: goal, breath: most_breath}
      symbols: {ann: [●, A], ben: [○, B]}
  values:
    pace: {1: at a walk, 3: headlong}
"""


def test_what_is_counted_up_to_something_says_so_and_players_show_their_signs():
    state = small_game(RACE).start(players=2)
    assert next(text for text in lines(state, "ann") if "Ann" in text).endswith(
        "● Ann  steps 0 of 9  breath 3 of 5"
    )
    plain = [text_of(line) for line in drawn(state.scene("ann"), Paper(100, plain=True))]
    assert any("B Ben" in text for text in plain)


def test_numbers_say_what_they_stand_for_where_they_are_chosen():
    state = small_game(RACE).start()
    asked = state.scene("ann").asked
    assert asked is not None and asked.offers is not None
    assert [o.words for o in asked.offers if o.head == "run"] == [
        "run 1 at a walk",
        "run 2",
        "run 3 headlong",
    ]
