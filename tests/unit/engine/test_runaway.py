"""A chain of effects without end is told by its links, not by the phase it began in."""

from __future__ import annotations

import pytest

import ruleforge
from tests.unit.check.test_recursion import PLAIN, ring
from tests.unit.small_games import rules_file

ENDLESS = """\
events:
  strike: {takes: {p: player}, do: p.hits = 1}
  echo: {takes: {p: player}, do: p.hits = 2}
formulas:
  power: {takes: {p: player}, is: 1}
rules:
  first_echo: {after: strike(p), do: echo(p)}
  second_echo: {after: echo(p), do: strike(p)}
"""


def test_a_chain_without_end_names_its_links_not_the_phase():
    state = ruleforge.load(rules_file(ring("endless", ENDLESS))).start()
    before = state.digest
    with pytest.raises(ruleforge.IllegalChoice) as refused:
        state.apply("hit")
    assert refused.value.code == "RF812"
    assert "first_echo" in str(refused.value) and "second_echo" in str(refused.value)
    assert state.digest == before


STANDING = PLAIN + "rules:\n  swing: {always: p in players where p.hits > 0, do: p.hits = 3 - p.hits}\n"


def test_a_standing_rule_without_end_is_named():
    state = ruleforge.load(rules_file(ring("standing", STANDING))).start()
    with pytest.raises(ruleforge.IllegalChoice) as refused:
        state.apply("hit")
    assert refused.value.code == "RF812"
    assert "within 20000 steps" in str(refused.value)
    assert "swing" in str(refused.value)
