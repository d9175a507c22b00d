"""The kinds `game` and `player` mean something to the engine, and can be said in few ways."""

from __future__ import annotations

import pytest

import ruleforge
from tests.unit.small_games import rules_file

TEXT = """\
game: {id: forms, title: Forms, version: "1.0", text: Forms., players: 2}
kinds:
  player: {things: [ann, ben]}
  cell: {grid: {shape: square, columns: 2, rows: 2}}
  game: {has: {clock: 0..9}}
flow:
  - {phase: turn, do: finish over}
endings: {over: {text: Over.}}
"""
FORMS = (
    "things: [a, b]", "pool: 3", "grid: {shape: square, columns: 2, rows: 2}", "track: {ring: {length: 4}}",
    "rings: [4, 4]", "edges: cell", "corners: cell", "count: 3",
)  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", ["game", "player"])
def test_a_form_is_refused_or_starts(kind, form):
    line = next(line for line in TEXT.split("\n") if line.startswith(f"  {kind}:"))
    try:
        game = ruleforge.load(rules_file(TEXT.replace(line, f"  {kind}: {{{form}}}")))
    except ruleforge.RulesetError as refusal:
        assert "RF304" in {d.code for d in refusal.diagnostics}
        return
    assert kind == "player" and form.startswith(("things", "count"))
    assert str(game.start(seed=1))
