"""Outlines of boards: which cells a condition leaves out, and conditions that say nothing of cells."""

from __future__ import annotations

import pytest

import ruleforge
from ruleforge.project.resolver import diagnostics_of
from tests.unit.small_games import rules_file

BOARD = """
game: {id: board, title: Board, version: "1.0", players: 2}
numbers: {half: 1, width: half + 1}
kinds:
  player: {things: [ann, ben], has: {left: half..width}}
  cell: {grid: {shape: hex, columns: 3, rows: 3, without: OUTSIDE}, has: {stone: flag}}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one, stuck: finish over}
actions:
  put: {during: turn, choose: {c: in cells where not c.stone}, do: c.stone = true}
endings: {over: {text: Over.}}
"""


@pytest.mark.parametrize(
    ("outside", "cells"),
    [
        ("column + row > 4", "a1 b1 c1 a2 b2 a3"),
        ("column + row < 3 or column + row > 5", "b1 c1 a2 b2 c2 a3 b3"),
        ("not 1 <= column <= 2 and row is not 2", "a1 b1 a2 b2 c2 a3 b3"),
        ("column % 2 is 0 and row // 2 is 1", "a1 b1 c1 a2 c2 a3 c3"),
        ("column * 2 is row + -1", "a1 b1 c1 a2 b2 c2 b3 c3"),
        ("column > width or row > width", "a1 b1 a2 b2"),
        ("[a1, c3]", "b1 c1 a2 b2 c2 a3 b3"),
        ("b2", "a1 b1 c1 a2 c2 a3 b3 c3"),
    ],
)
def test_what_is_left_of_a_board(outside, cells):
    state = ruleforge.load(rules_file(BOARD.replace("OUTSIDE", outside))).start()
    assert [c.text.removeprefix("put ") for c in state.choices] == cells.split()


@pytest.mark.parametrize(
    ("outside", "code"),
    [
        ("column + line > 4", "RF501"),
        ("column", "RF509"),
        ("cell in cells", "RF509"),
        ("column // 0 > 1", "RF508"),
        ("count(c in cells) > column", "RF509"),
        ("column > 0", "RF508"),
        ("column >", "RF407"),
        ("[a1, z9]", "RF501"),
    ],
)
def test_outlines_that_say_nothing_are_refused_once(outside, code):
    found = diagnostics_of(rules_file(BOARD.replace("OUTSIDE", outside)))
    assert [d.code for d in found] == [code]
