"""The scenarios of the five rulesets run their rules and would notice most mistakes; `make mutate` tries all changes."""

from __future__ import annotations

import pytest

from ruleforge.mutation.run import Plan
from tests.mutate import CHANGES, LINES, RULESETS, figures

SAMPLE = 12  # changes of each ruleset; of so few one more may go unnoticed
SOME = CHANGES - 10


@pytest.mark.slow
@pytest.mark.parametrize("name", RULESETS)
def test_scenarios_run_the_rules_and_notice_changes(name: str) -> None:
    found = figures(name, Plan(SAMPLE, seed=7))
    assert found.lines.percent >= LINES, found
    assert found.changes.percent >= SOME, (found, found.sifted.survivors)
    assert found.sifted.stale == ()
