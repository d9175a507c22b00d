"""What contracts say of how often events of the core happen in a turn is counted in random games of the core alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ruleforge.backends.playouts import Plan
from ruleforge.contracts.contract_reader import contract_of
from ruleforge.contracts.model import Contract
from ruleforge.engine.loader import best_for_many_games, opened
from ruleforge.project.resolver import analyse
from ruleforge.support.resources import shipped_games
from tests.pack_sets import ENDING

GAMES, MOST = 60, 1500
CONTRACTS = {name: contract_of(path) for name, path in shipped_games().items()}
RATED = {name: contract for name, contract in CONTRACTS.items() if contract is not None and contract.rates}


def counting(core: str, contract: Contract, folder: Path) -> Path:
    """A pack that counts events in a turn, and says of each count that it is no higher than the contract has it."""
    rules = analyse(core).checked
    assert rules is not None
    period = contract.bounded[0].per
    has, waits, holds = [], [], []
    for name, rate in (contract.rates or {}).items():
        event = rules.events.get(name)
        if event is None:
            continue  # an action: its windows say how often
        names = ", ".join(f"value_{i}" for i, _ in enumerate(event.parameters))
        has.append(f"      seen_{name}: {{type: 0..9999, resets: {period}}}")
        waits.append(f"  counts_{name}:\n    after: {name}({names})\n    do: game.seen_{name} += 1")
        holds.append(f"  rate_{name}: {{that: game.seen_{name} <= {rate}}}")
    text = ["kinds:", "  game:", "    has:", *has, "rules:", *waits, "invariants:", *holds]
    path = folder / "counting"
    path.mkdir()
    versions = f"{rules.version.split('.')[0]}.x"
    made_for = f'{{core: {core}, versions: "{versions}"}}'
    head = f'pack: {{id: counting, title: Counting, version: "1.0", text: Counts., for: {made_for}}}'
    (path / "pack.yaml").write_text("\n".join([head, *text]) + "\n")
    return path


def played(core: str, pack: Path, games: int) -> dict[str, int]:
    """In how many games a count was too high, by its name."""
    analysis = analyse(core, [pack])
    game = opened(analysis, analysis.path, best_for_many_games(), observe=True)
    broken: dict[str, int] = {}
    for part in game.simulated(Plan(1, 0, games, MOST, watch=True), None, ENDING.get(core, {})):
        broken.update({name: count for name, count in part.violations.items() if name.startswith("rate_")})
    return broken


@pytest.mark.parametrize("core", RATED)
def test_events_of_the_core_happen_no_more_often_than_declared(core: str, tmp_path: Path):
    assert played(core, counting(core, RATED[core], tmp_path), GAMES) == {}


def test_a_rate_that_is_too_low_is_seen(tmp_path: Path):
    """In a turn there are two Main Phases, and each refreshes the moves."""
    contract = replace(RATED["soul-gems"], rates={"refresh_moves": 1})
    assert played("soul-gems", counting("soul-gems", contract, tmp_path), 4).keys() == {"rate_refresh_moves"}
