"""Every pack that ships: it validates, its scenarios hold alone and with the others, and the core is untouched by it."""

from itertools import combinations
from pathlib import Path
from random import Random

import pytest

import ruleforge
from ruleforge.diagnostics import Report
from ruleforge.finding import packs_of
from ruleforge.frontends.scenarios.find import find_suite
from ruleforge.frontends.scenarios.run import run_scenario
from ruleforge.frontends.scenarios.scenario import read_scenario
from ruleforge.frontends.scenarios.tables import Tables
from ruleforge.locks.fingerprint import fingerprint
from ruleforge.resources import shipped_games

CORES = {name: path for name, path in shipped_games().items() if packs_of(path)}
PACKS = [(core, pack) for core, path in CORES.items() for pack in packs_of(path)]
PAIRS = [(core, pair) for core, path in CORES.items() for pair in combinations(packs_of(path), 2)]
DECISIONS = 150


def test_there_are_packs():
    assert PACKS


def failures(core: str, pack: str, others: tuple[str, ...] = ()) -> list[str]:
    """What goes wrong in the scenarios of a pack, played with other packs too."""
    report = Report()
    suite = find_suite(str(CORES[core] / "expansions" / pack), report)
    assert suite is not None, [d.message for d in report]
    tables = Tables(suite, others)
    for file in suite.files:
        scenario = read_scenario(file, report)
        if scenario is not None:
            run_scenario(tables.game(scenario, file), scenario, report)
    return [f"{d.span}: {d.message}" for d in report]


def excluded(core: str, packs: tuple[str, ...]) -> bool:
    """Whether the packs say themselves that they do not go together."""
    codes = {d.code for d in ruleforge.analyse(core, packs).diagnostics}
    return bool(codes & {"RF335", "RF336", "RF337"})


@pytest.mark.parametrize(("core", "pack"), PACKS)
def test_a_pack_has_no_mistakes(core, pack):
    assert [d.message for d in ruleforge.analyse(CORES[core] / "expansions" / pack).diagnostics] == []


@pytest.mark.parametrize(("core", "pack"), PACKS)
def test_a_pack_has_scenarios_and_they_hold(core, pack):
    assert failures(core, pack) == []


@pytest.mark.parametrize(("core", "pair"), PAIRS)
def test_the_scenarios_of_a_pack_hold_beside_another(core, pair):
    if not excluded(core, pair):
        assert failures(core, pair[0], pair[1:]) == []
        assert failures(core, pair[1], pair[:1]) == []


@pytest.mark.parametrize(("core", "pack"), PACKS)
@pytest.mark.parametrize("seed", range(3))
def test_random_games_with_a_pack_break_nothing(core, pack, seed):
    state = ruleforge.load(core, [pack]).start(seed=seed)
    rng = Random(seed)
    for _ in range(DECISIONS):
        if state.outcome is not None:
            break
        assert state.violations() == ()
        state.apply(rng.choice(state.choices))


@pytest.mark.parametrize("core", CORES)
def test_the_order_of_packs_does_not_matter(core):
    packs = list(packs_of(CORES[core]))[:3]
    if excluded(core, tuple(packs)):
        packs = packs[:1]
    one, other = ruleforge.load(core, packs), ruleforge.load(core, packs[::-1])
    assert one.digest == other.digest
    assert one.start(seed=1).digest == other.start(seed=1).digest


@pytest.mark.parametrize(("core", "pack"), PACKS)
def test_a_core_is_the_same_with_its_packs_taken_away(core, pack):
    alone, beside = ruleforge.analyse(core), ruleforge.analyse(core, [pack])
    assert alone.assembly is not None and alone.parsed is not None
    assert beside.assembly is not None and beside.parsed is not None
    assert beside.assembly.core == alone.assembly.core
    assert fingerprint(beside.assembly.core, beside.parsed) == fingerprint(alone.assembly.core, alone.parsed)
    assert beside.checked is not None and alone.checked is not None
    assert beside.checked.digest != alone.checked.digest


MARSH = """
game: {id: marsh, title: Marsh, version: "1.2", players: 2}
options: {size: {values: [small, large], default: small}}
kinds:
  player: {things: [ann, ben]}
  card: {things: [newt, frog], facts: {cost: 0..9 = 1}}
formulas:
  price: {takes: {c: card}, is: c.cost, open: true}
flow:
  - {phase: turn, each: me in players, window: one}
  - {phase: last, do: finish over}
actions:
  wait: {during: turn, do: skip}
endings: {over: {text: It is over.}}
"""
RUST = """
pack: {id: rust, title: Rust Weather, version: "1.0", for: {core: marsh, versions: "1.x"}}
chooses: {size: large}
kinds: {card: {things: {toad: {cost: 4}}}}
rules: {wet: {modify: price(c), add: 2}}
"""


@pytest.fixture
def marsh(tmp_path: Path) -> Path:
    core = tmp_path / "marsh"
    (core / "expansions" / "rust").mkdir(parents=True)
    (core / "game.yaml").write_text(MARSH)
    (core / "expansions" / "rust" / "pack.yaml").write_text(RUST)
    return core


def test_an_explanation_names_the_pack(marsh):
    state = ruleforge.load(marsh, ["rust"]).start()
    assert state["price(newt)"] == 3
    assert state["price(toad)"] == 6
    assert "(Rust Weather)" in str(state.explain("price(newt)"))


def test_a_pack_by_itself_stands_for_its_game_with_it(marsh):
    game = ruleforge.load(marsh / "expansions" / "rust")
    assert (game.id, [pack.id for pack in game.info.packs]) == ("marsh", ["rust"])


def test_a_settled_option_cannot_be_chosen_otherwise(marsh):
    game = ruleforge.load(marsh, ["rust"])
    assert game.start().options["size"] == "large"
    with pytest.raises(ruleforge.StartError, match="with the pack `rust`"):
        game.start(options={"size": "small"})


def test_a_saved_game_belongs_to_its_packs(marsh):
    plain, rusty = ruleforge.load(marsh), ruleforge.load(marsh, ["rust"])
    saved = rusty.start(seed=3).save()
    assert rusty.restore(saved) == rusty.start(seed=3)
    with pytest.raises(ruleforge.RestoreError, match=r"played with rust 1\.0"):
        plain.restore(saved)
    with pytest.raises(ruleforge.RestoreError, match=r"these rules have rust 1\.0"):
        rusty.restore(plain.start().save())


def test_a_broken_pack_does_not_break_the_core(marsh):
    (marsh / "expansions" / "rust" / "pack.yaml").write_text("pack: [\n")
    assert ruleforge.analyse(marsh).complete
    assert not ruleforge.analyse(marsh, ["rust"]).complete
    with pytest.raises(ruleforge.RulesetError):
        ruleforge.load(marsh, ["rust"])
