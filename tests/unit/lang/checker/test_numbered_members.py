"""One thing of a set by its number: sure where a board says how many there are, and nowhere else."""

from __future__ import annotations

import pytest

import ruleforge

GAME = """\
game: {id: nth, title: Nth, version: "1.0", text: Numbers., players: 2}
kinds:
  player: {things: [ann, ben]}
  cell: {grid: {shape: square, columns: 3, rows: 2}, lines: {trio: 3}, has: {disc: player or none}}
  wall: {edges: cell}
  fence: {edges: {of: cell, rim: true}}
  post: {corners: cell}
  team: {facts: {towns: set of cell}, things: {red: {towns: [a1, c2]}, blue: {towns: [b1]}}}
formulas:
  asked: {takes: {w: wall, f: fence, p: post, l: trio, t: team, c: cell, k: 1..2}, is: "QUESTION is none"}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  stop: {during: turn, do: finish over}
endings: {over: {text: It is over.}}
"""
SURE = ["w.cells[1]", "w.cells[2]", "w.cells[k]", "f.cells[1]", "p.cells[1]", "l.cells[3]", "w.posts[2]"]
UNSURE = ["w.cells[3]", "w.cells[k + 1]", "f.cells[2]", "t.towns[1]", "c.trios[1]", "p.fences[3]"]


def sayings(question: str, tmp_path) -> str:
    """What is said of a question whether that is none."""
    (tmp_path / "nth.yaml").write_text(GAME.replace("QUESTION", question), "utf-8")
    try:
        ruleforge.load(tmp_path / "nth.yaml")
    except ruleforge.RulesetError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("question", SURE)
def test_what_every_edge_corner_or_line_touches_is_there(question, tmp_path):
    assert "which is never none" in sayings(question, tmp_path)


@pytest.mark.parametrize("question", UNSURE)
def test_what_may_be_fewer_or_is_printed_may_be_none(question, tmp_path):
    """Also where all things print enough: one of a pack may print less."""
    assert sayings(question, tmp_path) == ""
