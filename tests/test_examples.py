"""Every shipped game keeps the same promises: scenarios pass on both backends, clauses are covered.

Of the five rulesets the interpreter plays all scenarios in `test_mutated_rulesets.py`, under observation; the generated
Python plays a part of them here.
"""

from __future__ import annotations

import random

import pytest

from ruleforge.project.resolver import diagnostics_of
from ruleforge.support.diagnostics import Report
from ruleforge.support.resources import shipped_games
from ruleforge.tools.coverage.clauses import coverage_of
from ruleforge.tools.scenarios.runner import run_scenario
from ruleforge.tools.scenarios.scenario import read_scenario
from tests.mutate import RULESETS
from tests.plain_yaml import data_of
from tests.shelf import game as shelved
from tests.thorough import some_of

GAMES = shipped_games()
EXAMPLES = {
    "tic-tac-toe",
    "connect-four",
    "breakthrough",
    "hex",
    "nim",
    "kuhn-poker",
    "leduc-poker",
}


def test_the_examples_are_shipped() -> None:
    assert set(GAMES) >= EXAMPLES


BACKENDS = [(name, "python") for name in GAMES] + [
    (name, "reference") for name in GAMES if name not in RULESETS
]


@pytest.mark.parametrize(("name", "backend"), BACKENDS)
def test_scenarios_hold(name: str, backend: str) -> None:
    """All scenarios of a game in one go: compiling it takes longer than playing any of them."""
    report = Report()
    files = sorted((GAMES[name] / "scenarios").rglob("*.yaml"))
    assert files
    for file in some_of(files, 30, name):
        scenario = read_scenario(file, report)
        if scenario is not None:
            run_scenario(shelved(name, scenario.packs, backend), scenario, report)
    assert not [f"{d.span}: {d.message}" for d in report]


@pytest.mark.parametrize("name", GAMES)
def test_rules_have_no_diagnostic_and_no_code(name: str) -> None:
    folder = GAMES[name]
    assert not [f"{d.span}: {d.code} {d.message}" for d in diagnostics_of(folder)]
    assert shelved(name).id == folder.name
    others = [f for f in folder.rglob("*") if f.is_file() and f.suffix not in (".yaml", ".md", ".lock")]
    assert not others, "a game is data and words, nothing else"
    assert (folder / "README.md").is_file()


@pytest.mark.parametrize("name", GAMES)
def test_every_clause_has_a_rule_and_a_scenario(name: str) -> None:
    report = Report()
    coverage = coverage_of((GAMES[name],), report)
    assert coverage is not None and not list(report)
    assert coverage.missing == []
    assert coverage.unknown == []


@pytest.mark.parametrize("name", GAMES)
def test_every_ending_is_reached_by_a_scenario(name: str) -> None:
    files = [data_of(f) for f in GAMES[name].glob("*.yaml")]
    endings = {ending for file in files for ending in file.get("endings", {})}
    steps = [step for file in (GAMES[name] / "scenarios").rglob("*.yaml") for step in data_of(file)["steps"]]
    assert endings == {step["outcome"]["reason"] for step in steps if "outcome" in step}


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_scores_sum_to_zero(name: str) -> None:
    game = shelved(name)
    rng = random.Random(name)
    for seed in range(100):
        outcome = game.playout(game.start(seed=seed), rng)
        assert sum(outcome.scores.values()) == 0
        assert all(outcome.scores[player] > 0 for player in outcome.winners)
