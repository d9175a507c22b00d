"""A text typed later is checked against finished rules."""

from __future__ import annotations

import pytest

from ruleforge.lang.checker.check_snippet import check_text
from ruleforge.lang.checker.types import FLAG, NumberT, ThingT
from tests.unit.lang.checker.checking import checked_game


def test_an_expression_has_its_type():
    rules = checked_game("splicers")
    assert isinstance(check_text(rules, "count(c in p1.hand)").tree.type, NumberT)  # type: ignore[union-attr]
    assert check_text(rules, "p1 is game.leader").tree.type == FLAG  # type: ignore[union-attr]
    found = check_text(rules, "me.actions + bioms_to_win", scope={"me": ThingT("player")})
    assert found.diagnostics == () and list(found.scope) == ["me"]


def test_a_block_is_checked_too():
    rules = checked_game("splicers")
    found = check_text(rules, "game.round += 1\nfor p in players: p.actions = 0", "block")
    assert found.tree is not None and found.diagnostics == ()


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("p1.hnad", "RF501", 4),
        ("p1 +", "RF407", 4),
        ("p1 is 3", "RF502", 1),
        ("me.actions", "RF501", 1),
        ("", "RF411", 1),
    ],
)
def test_a_mistake_has_its_place_in_the_text(text: str, code: str, column: int):
    found = check_text(checked_game("splicers"), text)
    assert found.tree is None
    assert [(d.code, d.span.line, d.span.column) for d in found.diagnostics] == [(code, 1, column)]


def test_checking_a_text_changes_nothing():
    rules = checked_game("splicers")
    before = len(rules.columns), len(rules.names.declared)
    check_text(rules, "show p1.hand to p2", "block")
    assert (len(rules.columns), len(rules.names.declared)) == before
