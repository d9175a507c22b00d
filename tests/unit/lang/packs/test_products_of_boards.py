"""A product made of the things that a board draws: one tile for each cell, space or sector."""

from __future__ import annotations

import pytest

from ruleforge.project.resolver import analyse
from tests.unit.small_games import rules_file

GAME = """\
game: {{id: tiles, title: Tiles, version: "1.0", text: Tiles., players: 2}}
kinds:
  player: {{things: [ann, ben]}}
  cell: {{{board}}}
  tile: {{product: {{cell: cells}}}}
flow:
  - {{phase: turn, do: finish over}}
endings: {{over: {{text: It is over.}}}}
"""


@pytest.mark.parametrize(
    "board",
    [
        "grid: {shape: square, columns: 3, rows: 2}",
        "grid: {shape: hex, columns: 3, rows: 3, without: [a1, c3]}",
        "grid: {shape: square, columns: 2, rows: 2, levels: 2}",
        "rings: [2, 3]",
        "track: {yard: 3, shed: {length: 2, from: yard_3}}",
        "graph: {links: {aber: [bree, cold]}}",
    ],
)
def test_there_is_one_for_each_thing_of_the_board(board):
    analysis = analyse(rules_file(GAME.format(board=board)))
    assert analysis.checked is not None and not analysis.diagnostics
    kinds = analysis.checked.kinds
    assert kinds["tile"].things == kinds["cell"].things != ()


@pytest.mark.parametrize(
    "board",
    [
        "grid: {shape: hex, columns: 3, rows: 3, without: column + row > 4}",
        "grid: {shape: square, columns: 999, rows: 999}",
    ],
)
def test_what_is_not_said_outright_or_is_too_much_is_refused(board):
    found = analyse(rules_file(GAME.format(board=board))).diagnostics
    assert "RF307" in [problem.code for problem in found]
