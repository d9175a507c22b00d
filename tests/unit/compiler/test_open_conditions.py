"""An open formula that is a condition asks the rules that change it, wherever it is tested."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruleforge

GAME = """\
game: {{id: open, title: Open, version: "1", text: Conditions., players: 2}}
kinds:
  player: {{things: [ann, ben]}}
  card:
    has: {{up: flag}}
    things: [dull, sharp]
formulas:
  bites: {{takes: {{c: card}}, is: c.up, open: true}}
rules:
  sharp_bites: {{modify: bites(c), when: c is sharp, set: true}}
flow:
  - phase: only
    do: |
      {test}
      finish no_way
endings: {{so: {{text: It does.}}, no_way: {{text: It does not.}}}}
"""


@pytest.mark.parametrize(
    "test",
    [
        "if bites(sharp): finish so",
        "if count(c in cards where bites(c)) is 1: finish so",
        "for c in cards where c is sharp and bites(c): finish so",
    ],
)
def test_a_condition_counts_its_modifiers(test: str, tmp_path: Path) -> None:
    path = tmp_path / "open.yaml"
    path.write_text(GAME.format(test=test), "utf-8")
    outcome = ruleforge.load(path).start().outcome
    assert outcome is not None and outcome.reason == "so"
