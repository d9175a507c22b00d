"""A union of rays: each cell once, whether or not the compiler can tell that the rays never meet."""

from __future__ import annotations

import pytest

import ruleforge

GAME = """\
game: {id: rays, title: Rays, version: "1.0", text: Looking., players: 2}
kinds:
  player:
    things: [ann, ben]
  cell:
    grid: {shape: square, columns: 8, rows: 8, leaps: {diag: [1, 1], hop: [2, 2]}}
formulas:
  look: {takes: {c: cell, way: direction}, is: "{x in ray(c, way)}"}
  cross: {takes: {c: cell, wide: flag}, is: "look(c, north) | (look(c, east) if wide else [])"}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  apart: {during: turn, choose: {x: "in cross(a1, true)"}, do: finish over}
  joined: {during: turn, choose: {x: "in look(a1, northeast) | look(a1, diag)"}, do: finish over}
  partly: {during: turn, choose: {x: "in look(a1, diag) | look(a1, hop)"}, do: finish over}
  elsewhere: {during: turn, choose: {x: "in look(a1, north) | look(h4, west)"}, do: finish over}
endings: {over: {text: It is over.}}
"""


@pytest.mark.parametrize("backend", ["python", "reference"])
def test_no_cell_is_offered_twice(tmp_path, backend):
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    state = ruleforge.load(tmp_path, backend=backend).start(seed=1)
    texts = [choice.text for choice in state.choices]
    assert len(set(texts)) == len(texts)
    counts = {word: sum(text.startswith(word) for text in texts) for word in ("apart", "joined", "partly")}
    assert counts == {"apart": 14, "joined": 7, "partly": 7}
    assert sum(text.startswith("elsewhere") for text in texts) == 7 + 7 - 1
