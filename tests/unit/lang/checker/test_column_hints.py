"""Hints for the table that name a fact where an attribute is wanted, or the other way round, say which it is."""

from __future__ import annotations

import pytest

from ruleforge.project.resolver import diagnostics_of

GAME = """
game: {id: hints, title: Hints, version: "1", text: Hints., players: 2}
kinds:
  player: {things: [ann, ben]}
  land: {facts: {town: flag}, has: {owner: player or none}, things: {moor: {town: true}, fen: {}}}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one}
actions:
  claim: {during: turn, choose: {l: in lands where l.town}, do: l.owner = me}
  stop: {during: turn, do: finish over}
endings: {over: {text: It is over.}}
layout:
  kinds: {land: HINT}
"""


@pytest.mark.parametrize(
    "hint, help",
    [
        ("{shows: [town]}", "it is a fact, which never changes; show it with `face`"),
        ("{by: [owner], symbols: {ann: A}}", "it is an attribute, which can change; signs depend on facts"),
        ("{shows: [ownr]}", "did you mean `owner`?"),
    ],
)
def test_the_help_says_which_it_is(tmp_path, hint: str, help: str) -> None:
    path = tmp_path / "hints.yaml"
    path.write_text(GAME.replace("HINT", hint))
    (found,) = diagnostics_of(path)
    assert (found.code, found.help) == ("RF501", help)
