"""A cluster on this machine: the same result as one core, also when a worker is ended by force in mid-run."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask
import distributed
import pytest

from ruleforge.tools.experiments.game_runner import variant_of
from ruleforge.tools.experiments.plan import Plan, Rules, Table, bundle_of
from ruleforge.tools.experiments.run import Force, loaded, simulate
from ruleforge.tools.experiments.summary import summary
from ruleforge.tools.experiments.tally import Tally
from tests.unit.frontends.commands import Command

QUICK = {"distributed.comm.timeouts.connect": "2s"}  # who is gone is not waited for


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    wanted = {"n_workers": 3, "threads_per_worker": 1, "processes": True, "host": "127.0.0.1"}
    with dask.config.set(QUICK), distributed.LocalCluster(**wanted, dashboard_address=None) as found:
        yield found


@pytest.mark.slow
def test_a_worker_that_is_killed_changes_nothing(cluster: Any, ruleforge_command: Command) -> None:
    plan = Plan(Rules("nim"), games=60, seed=2, table=Table(agents={"ann": "mcts:30"}))
    game = loaded(plan.rules)
    variant = variant_of(plan, game)
    expected = Tally()
    for part in simulate(plan, game):
        expected.add(part)

    found, killed = Tally(), False
    for part in simulate(plan, game, Force(3, cluster.scheduler_address)):
        found.add(part)
        if not killed:
            with distributed.Client(cluster, set_as_default=False) as client:
                pids = client.run(os.getpid)
            os.kill(min(pids.values()), signal.SIGKILL)
            killed = True
    assert killed and found.games == 60
    assert json.dumps(summary(found, plan, variant)) == json.dumps(summary(expected, plan, variant))

    command = ("simulate", "nim", "--games", 40, "--seed", 3, "--json")
    here = json.loads(ruleforge_command(*command).out)
    there = json.loads(ruleforge_command(*command, "--cluster", cluster.scheduler_address).out)
    assert {**here, "timing": {}} == {**there, "timing": {}}


def test_nobody_at_an_address(ruleforge_command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruleforge.tools.experiments.workers.PATIENCE", "0.5s")
    done = ruleforge_command("simulate", "nim", "--games", 2, "--cluster", "tcp://127.0.0.1:9")
    assert done.code == 2
    assert done.err.startswith("error: no Dask scheduler answers at `tcp://127.0.0.1:9`")
    assert ruleforge_command("simulate", "nim", "--cluster", "tcp://127.0.0.1:9", "--jobs", 2).code == 2
    assert "`no:::where`" in ruleforge_command("simulate", "nim", "--cluster", "no:::where").err


@pytest.mark.parametrize(
    ("what", "packs"),
    [("nim", ()), ("primordial-orbs", ("entropy",)), ("primordial-orbs/expansions/entropy", ())],
)
def test_rules_are_read_elsewhere_as_they_are_here(what: str, packs: tuple[str, ...]) -> None:
    game = loaded(Rules(what, packs))
    again = Rules(what, packs, bundle=bundle_of(game, what, packs)).load()
    assert (again.digest, again.compiled.gate) == (game.digest, game.compiled.gate)
    assert [pack.id for pack in again.info.packs] == [pack.id for pack in game.info.packs]


def test_a_single_file_is_sent_too(tmp_path: Path) -> None:
    text = (Path(__file__).resolve().parents[4] / "examples" / "nim" / "game.yaml").read_text("utf-8")
    path = tmp_path / "heaps.yml"
    path.write_text(text, encoding="utf-8")
    game = loaded(Rules(str(path)))
    bundle = bundle_of(game, str(path), ())
    path.unlink()
    assert bundle.load("auto", False).digest == game.digest
