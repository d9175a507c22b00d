"""What is wanted and what is there is said in the author's words."""

from __future__ import annotations

import pytest

import ruleforge
from tests.unit.small_games import rules_file

RULES = """\
game: {{id: wanted, title: Wanted, version: "1.0", text: Wants., players: 2}}
kinds:
  player: {{things: [ann, ben], has: {{hits: 0..9}}}}
formulas:
  odd: {{is: "{formula}"}}
flow:
  - {{phase: turn, each: me in players, window: one}}
  - {{phase: last, do: finish over}}
actions:
  hit: {{during: turn, needs: "{needs}", do: me.hits = 1}}
endings: {{over: {{text: Over.}}}}
"""


@pytest.mark.parametrize(
    ("formula", "needs", "message"),
    [
        ("[]", "true", "`odd` is `[]`, which does not show its type"),
        ("none", "true", "`odd` is `none`, which does not show its type"),
        ("1", "[ann] < 2", "`<` needs a number, but this is a set of `player`"),
        ("1", "-[ann] > 2", "`-` needs a number, but this is a set of `player`"),
    ],
)
def test_the_words_of_a_type(formula, needs, message):
    analysis = ruleforge.analyse(rules_file(RULES.format(formula=formula, needs=needs)))
    assert [d.message for d in analysis.diagnostics if d.code == "RF502"] == [message]
