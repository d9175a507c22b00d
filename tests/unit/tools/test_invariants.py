"""Invariants are looked after in scenarios and simulations."""

from __future__ import annotations

import json

from ruleforge.support.diagnostics import Report
from ruleforge.tools.scenarios.runner import run_scenario
from ruleforge.tools.scenarios.scenario import read_scenario
from tests.unit.engine.visibility.test_secrets import SPIES
from tests.unit.small_games import rules_file, small_game


def diagnostics(tmp_path, text: str) -> list[str]:
    file = tmp_path / "scenario.yaml"
    file.write_text(text, "utf-8")
    report = Report()
    scenario = read_scenario(file, report)
    assert scenario is not None, report.diagnostics
    run_scenario(small_game(SPIES), scenario, report)
    return [f"{d.code} {d.span.line} {d.message} {d.help}" for d in report]


def test_a_broken_invariant_fails_the_scenario(tmp_path):
    (found,) = diagnostics(tmp_path, "scenario: poor\nsteps:\n  - ann: think 1\n  - ann: spend\n")
    assert found.startswith(
        "RF855 4 after `spend` the invariant `some_coins` does not hold: Nobody is ever poor."
    )
    assert "[S-1]" in found


def test_what_the_given_values_break_is_excused(tmp_path):
    text = "scenario: poor\nstart: {ann.coins: 0}\nsteps:\n  - ann: think 1\n"
    assert diagnostics(tmp_path, text) == []


def test_formulas_are_expected_and_seen(tmp_path):
    text = (
        'scenario: formulas\nsteps:\n  - expect: {"plus(2)": 3, ann.wealth: 4, "richer(ann, ben)": false}\n'
        '  - sees: {player: ann, "worth(ace, ann)": 5, "jack.worth[ann]": hidden, ben.hand: hidden}\n'
    )
    assert diagnostics(tmp_path, text) == []
    (found,) = diagnostics(tmp_path, 'scenario: wrong\nsteps:\n  - expect: {"plus(2)": 4}\n')
    assert "`plus(2)` is 3, not 4" in found


def test_a_simulation_counts_games_with_broken_invariants(ruleforge_command):
    result = ruleforge_command("simulate", str(rules_file(SPIES)), "--games", "20", "--limit", "60", "--json")
    assert result.code == 1
    assert json.loads(result.out)["violations"]["some_coins"] > 0
