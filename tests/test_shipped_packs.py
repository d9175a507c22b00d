"""Every pack that ships: it validates, its scenarios hold in the largest company there is, and the core stays as it is.

The scenarios of each pack alone and in every pair, and 1,000 random games with each pack and in random sets, are the
long form: `make packs`.
"""

from itertools import combinations
from pathlib import Path
from random import Random

import pytest

import ruleforge
from ruleforge.contracts.locks.fingerprint import Fingerprint, fingerprint
from ruleforge.project.locator import packs_of
from ruleforge.project.pipeline import Analysis
from ruleforge.support.diagnostics import Report
from ruleforge.tools.coverage.clauses import coverage_of
from tests.pack_sets import APART, CORES, SINGLES, failures, folder, largest, random_sets, table, together
from tests.shelf import rules

RULEBOOKS = {  # the packs that the five rulebooks accept
    "orbit-simulator": {"heat-sink", "outer-dark", "overdrive", "wells"},
    "primordial-orbs": {
        "automated-seats",
        "core-passives",
        "entropy",
        "rooted-life",
        "temporal-vortex",
        "worlds",
    },
    "primordial-soup": {"six-tribes", "starred-genes", "volcanic-winter"},
    "soul-gems": {"first-facet", "gem-siege", "public-works", "veiled-draft"},
    "splicers": {"open-cards", "symbiosis", "weathermakers"},
}
DECISIONS = 150


def test_every_accepted_pack_ships():
    assert {core: {pack for c, (pack,) in SINGLES if c == core} for core in CORES} == RULEBOOKS


def print_of(analysis: Analysis) -> Fingerprint:
    assert analysis.assembly is not None and analysis.parsed is not None
    return fingerprint(analysis.assembly.core, analysis.parsed)


@pytest.mark.parametrize(("core", "packs"), SINGLES, ids=str)
def test_a_pack_has_no_mistakes_and_leaves_its_core_alone(core, packs):
    beside, alone = ruleforge.analyse(folder(core, *packs), before=rules(core)), rules(core)
    assert [d.message for d in beside.diagnostics] == []
    assert beside.assembly is not None and alone.assembly is not None
    assert beside.assembly.core == alone.assembly.core
    assert print_of(beside) == print_of(alone)
    assert beside.checked is not None and alone.checked is not None
    assert beside.checked.digest != alone.checked.digest


@pytest.mark.parametrize(("core", "packs"), SINGLES, ids=str)
def test_a_pack_comes_with_scenarios_a_rulebook_and_a_readme(core, packs):
    home: Path = folder(core, *packs)
    assert (home / "README.md").is_file() and (home / "rulebook.yaml").is_file()
    assert [*(home / "scenarios").rglob("*.yaml")]


@pytest.mark.parametrize(("core", "packs"), SINGLES, ids=str)
def test_every_clause_of_a_pack_has_a_rule_and_a_scenario(core, packs):
    report = Report()
    coverage = coverage_of((folder(core, *packs),), report, (CORES[core],))
    assert coverage is not None and not list(report)
    assert coverage.missing == []
    assert coverage.unknown == []


@pytest.mark.parametrize(("core", "packs"), SINGLES, ids=str)
def test_the_scenarios_of_a_pack_hold_with_it_alone(core, packs):
    """By the interpreter, which has played so few before Python is generated; that plays them in company, below."""
    assert failures(core, packs, "reference") == []


@pytest.mark.parametrize("core", CORES)
def test_packs_go_together_or_say_that_they_do_not(core):
    """Two and two: what is wrong with them is that they keep each other away, or nothing."""
    for pair in combinations(packs_of(CORES[core]), 2):
        found = [
            d for d in ruleforge.analyse(core, pair, before=rules(core)).diagnostics if d.severity == "error"
        ]
        assert all(d.code in APART for d in found), [f"{d.span}: {d.message}" for d in found]
        assert together(core, pair) is (not found)


@pytest.mark.parametrize(("core", "packs"), largest(), ids=str)
def test_the_scenarios_of_packs_hold_in_the_largest_pack_set(core, packs):
    assert failures(core, packs) == []


@pytest.mark.parametrize(("core", "packs"), largest(), ids=str)
def test_the_order_of_packs_does_not_matter_and_the_core_stays(core, packs):
    mixed = Random(1).sample(packs, len(packs))
    other = ruleforge.analyse(core, mixed, before=rules(core))
    assert other.checked is not None and other.checked.digest == table(core, packs).digest
    assert other.ruleset == ruleforge.analyse(core, packs, before=rules(core)).ruleset
    assert print_of(other) == print_of(rules(core))


@pytest.mark.parametrize(("core", "packs"), largest(), ids=str)
def test_random_games_with_packs_break_nothing(core, packs):
    state, rng = table(core, packs).start(seed=1), Random(1)
    for _ in range(DECISIONS):
        if state.outcome is not None:
            break
        assert state.violations() == ()
        state.apply(rng.choice(state.choices))


def test_random_sets_are_the_same_for_the_same_seed():
    core = next(iter(CORES))
    assert random_sets(core, 5, 1) == random_sets(core, 5, 1)
    assert all(len(packs) > 1 for _, packs in random_sets(core, 5, 2))
