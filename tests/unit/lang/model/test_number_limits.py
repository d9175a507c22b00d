"""Numbers and names that no rule file needs: a complaint, whatever form they come in."""

from __future__ import annotations

import pytest

from ruleforge.project.resolver import diagnostics_of
from tests.unit.small_games import rules_file

RULES = """
game:
  id: hostile
  title: Hostile
  version: "1.0"
  players: {players}
kinds:
  player: {{things: [ann, ben]}}
  town: {town}
flow:
  - {{phase: turn, do: finish over}}
endings: {{over: {{text: Over.}}}}
"""
DIGITS = "9" * 5000


@pytest.mark.parametrize(
    "players", [DIGITS, f"-{DIGITS}", f'"{DIGITS}"', f'"2..{DIGITS}"', '"2..٣"', f'"-{DIGITS}"']
)
def test_numbers_of_players(players):
    assert len(diagnostics_of(rules_file(RULES.format(players=players, town="{count: 2}")))) == 1


@pytest.mark.parametrize(
    ("town", "code"),
    [
        (f"{{count: {DIGITS}}}", "RF114"),
        (f'{{count: "{DIGITS}"}}', "RF114"),
        ("{things: [aber, bree], graph: {links: {aber: [zzz]}}}", "RF501"),
        ("{things: [aber, zzz], graph: {links: {aber: [bree]}}}", "RF501"),
        ('{graph: {links: {aber: "---"}}}', "RF202"),
        ("{graph: {links: {aber: 3}}}", "RF202"),
    ],
)
def test_kinds(town, code):
    found = [d.code for d in diagnostics_of(rules_file(RULES.format(players=2, town=town)))]
    assert found and found[0] == code
