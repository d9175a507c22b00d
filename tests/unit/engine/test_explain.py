"""Why is this 5? The base, every rule that has a part in it, the limits."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import ruleforge
from tests.unit.engine.visibility.test_secrets import SPIES
from tests.unit.small_games import small_game

MODIFIERS = Path(__file__).resolve().parents[2] / "rulesets" / "modifiers"


@cache
def kites() -> ruleforge.Game:
    return ruleforge.load(MODIFIERS)


def test_a_value_is_explained_rule_by_rule():
    state = kites().start().patched({"tail.host": "heavy", "game.rainy": True, "badge.host": "heavy"})
    found = state.explain("lift(heavy)")
    assert found.base == 7
    first = found.contributions[0]
    assert (first.op, first.amount, first.rule.rpartition(".")[2]) == ("set", 5, "fixed")
    assert {c.amount for c in found.contributions if c.op == "add"} == {-2, 2}
    assert (found.each_limits, found.sum_limits, found.limits) == ((-3, 3), (-4, 5), (0, 9))
    assert found.result == state["lift(heavy)"] == 5
    drenched = next(c for c in found.contributions if c.rule == "drenched")
    assert drenched.text == "Wet kites sink in the rain."
    assert drenched.span.file.endswith("game.yaml")
    assert "-2 drenched: Wet kites sink in the rain." in str(found)


def test_rules_that_contribute_nothing_are_left_out():
    found = kites().start().explain("lift(plain)")
    assert (found.base, found.contributions, found.result) == (2, (), 2)
    assert found.lines[0] == "lift(plain) is 2"


def test_only_formulas_are_explained():
    with pytest.raises(ruleforge.PathError, match="not computed by a formula; it is none"):
        kites().start().explain("tail.host")
    with pytest.raises(ruleforge.PathError, match="did you mean `lift`"):
        kites().start().explain("lyft(plain)")


def test_a_player_is_told_nothing_hidden():
    state = small_game(SPIES).start(seed=1)
    assert state.explain("top()").result == "imp"
    with pytest.raises(ruleforge.PathError, match="depends on hidden information"):
        state.explain("top()", "ann")
    with pytest.raises(ruleforge.PathError, match="depends on hidden information"):
        state.explain("worth(jack, ann)", "ann")
    assert state.explain("plus(3)", "ann").result == 4
    assert state.explain("worth(ace, ann)", "ann").result == 5
