"""The scenarios of the five rulesets run their rules and would notice most mistakes; `make mutate` tries all changes."""

from __future__ import annotations

import pytest

from ruleforge.tools.mutation.run import Plan
from tests.mutate import LINES, RULESETS, figures
from tests.thorough import most

SAMPLE = most(2, 6)  # changes of each ruleset: of so few one may go unnoticed


@pytest.mark.slow
@pytest.mark.parametrize("name", RULESETS)
def test_scenarios_run_the_rules_and_notice_changes(name: str) -> None:
    found = figures(name, Plan(SAMPLE, seed=7))
    assert found.lines.percent >= LINES, found
    assert len(found.sifted.survivors) <= 1, (found, found.sifted.survivors)
    assert found.sifted.stale == ()
