"""Secrecy asks every type of statement what of it others can see: a new one is never passed over in silence."""

from __future__ import annotations

from ruleforge.contracts.visible_effects import ASKING, DECIDING
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.typed import statements
from tests.unit.analysis.test_infoflow import nodes_of


def test_every_type_of_statement_has_a_row() -> None:
    assert {*DECIDING, *ASKING} == nodes_of(t.Statement, statements)
    assert not {*DECIDING} & {*ASKING}
