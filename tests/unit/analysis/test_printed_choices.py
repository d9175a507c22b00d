"""RF717: a choice by what is printed on things is reported wherever the player may not see which of them are offered."""

from __future__ import annotations

import pytest

import ruleforge
from tests.unit.small_games import rules_file

RULES = """\
game:
  id: guests
  title: Guests
  version: "1.0"
  text: Guests.
  players: 2
kinds:
  player: {{things: [ann, ben]}}
  card: {{facts: {{guest: flag}}, things: {{cook: {{guest: true}}, poet: {{guest: true}}, rope: {{}}, vial: {{}}}}}}
places:
  hand: {{of: {{holder: player}}, holds: card, sees: viewer is holder}}
  deck: {{holds: card, ordered: true, sees: false}}
  row: {{holds: card, starts: cards}}
flow:
  - {{phase: turn, repeat: true, each: me in players, window: one}}
actions:
  accuse: {{during: turn, choose: {{c: "in {action}"}}, do: finish over}}
  search: {{during: turn, do: "me may choose c in {effect}: skip"}}
  look: {{during: turn, do: {more}}}
endings: {{over: {{text: It is over.}}}}
"""
OPEN = "row where c.guest"
TELLING = (
    "cards where c.guest",
    "hand where c.guest",
    "opponent.hand where c.guest",
    "me.hand | opponent.hand where c.guest",
    "deck where c.guest",
    "{x in hand where x.guest}",
)
SILENT = (
    OPEN,
    "hand",
    "me.hand where c.guest",
    "cards where c in row and c.guest",
    "hand where c.guest and c.holder is me",
)


def reported(**texts: str) -> list[str]:
    rules = RULES.format(**{"action": OPEN, "effect": OPEN, "more": "skip"} | texts)
    analysis = ruleforge.analyse(rules_file(rules))
    assert analysis.complete
    return [d.code for d in analysis.diagnostics if d.code == "RF717"]


@pytest.mark.parametrize("source", TELLING)
def test_it_is_reported_in_actions_and_effects(source: str) -> None:
    assert reported(action=source) == reported(effect=source) == ["RF717"]
    assert reported(effect=source, more="show row to me") == ["RF717"]


@pytest.mark.parametrize("source", SILENT)
def test_open_choices_are_not(source: str) -> None:
    assert reported(action=source) == reported(effect=source) == []


def test_one_place_may_be_searched_once_it_is_shown() -> None:
    assert reported(effect="deck where c.guest", more="show deck to me") == []
    assert reported(effect="hand where c.guest", more="show me.hand to opponent") == ["RF717"]
