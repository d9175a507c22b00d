"""A name that things of two kinds share is understood where the other side tells the kind."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruleforge

GAME = """\
game: {{id: shared, title: Shared, version: "1", text: Names., players: 2}}
kinds:
  player: {{things: [ann, ben]}}
  gene: {{things: [plant, bug]}}
  trait: {{things: [plant, animal]}}
  card:
    facts: {{genes: set of gene, types: set of trait}}
    things:
      reed: {{genes: [plant], types: [animal]}}
      hare: {{genes: [bug], types: [plant]}}
places:
  table: {{holds: card, starts: cards}}
formulas:
  types_of: {{takes: {{c: card}}, is: c.types}}
flow:
  - phase: only
    do: |
      if count(c in table where {test}) is {wanted}: finish so
      finish not_so
endings: {{so: {{text: It is.}}, not_so: {{text: It is not.}}}}
"""


@pytest.mark.parametrize("test", ["plant in types_of(c)", "plant in c.genes", "plant not in types_of(c)"])
def test_membership_tells_the_kind(test: str, tmp_path: Path) -> None:
    path = tmp_path / "shared.yaml"
    path.write_text(GAME.format(test=test, wanted=1), "utf-8")
    outcome = ruleforge.load(path).start().outcome
    assert outcome is not None and outcome.reason == "so"
