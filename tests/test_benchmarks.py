"""The benchmark runs and tells the truth about its targets; the speed itself is for `make bench`."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import boardgameio, growth, run, searching, vector_envs
from benchmarks.growing_games import GROWING
from benchmarks.timing import Contender, ratio

ROOT = Path(__file__).parent.parent


@pytest.fixture
def tidy() -> Iterator[None]:
    """Every turn of a benchmark begins by collecting garbage: not among all that other tests have left."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("tidy")
@pytest.mark.slow
def test_the_table_has_every_row(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def absent() -> None:
        raise boardgameio.Absent("not wanted in this test")

    monkeypatch.setattr(boardgameio, "install", absent)  # tests do not reach for the network
    monkeypatch.setattr(run, "QUICK", (1, 0.01))
    monkeypatch.setattr(run, "LENGTHS", 1)
    some = (
        ("GAMES", ("tic-tac-toe", "connect-four")),
        ("INSIDE", ("hearts",)),
        ("RULESETS", ("primordial-orbs",)),
    )
    for name, few in some:
        monkeypatch.setattr(run, name, {game: getattr(run, name)[game] for game in few})
    assert run.main(["--quick", "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert [(row["game"], row["what"]) for row in table["rows"]] == [
        *(
            (game, what)
            for game in run.GAMES
            for what in ("playout", "stepping", "copy", "batch", "native", "search")
        ),
        *((game, what) for game in run.INSIDE for what in ("native", "search")[: 1 + (game in run.SEARCH)]),
        *((game, what) for game in run.RULESETS for what in ("moves", "auto", "decisions")),
    ]
    assert all(row["ratio"] > 0 and row["holds"] in (True, False) for row in table["rows"])
    assert table["remarks"] == ["boardgame.io was not measured: not wanted in this test."]


def test_growth_is_measured_and_drawn(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(growth, "DECISIONS", {"python": 10, "native": 10})
    monkeypatch.setenv("RULEFORGE_CACHE", "")
    growth.main(["--sizes", "4", "--plot", str(tmp_path / "growth.svg")])
    shown = capsys.readouterr().out
    assert all(what in shown for what in GROWING)
    assert "<svg" in (tmp_path / "growth.svg").read_text("utf-8")


def test_searches_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert searching.main(["--game", "primordial-orbs", "--positions", "1", "--seconds", "0.02"]) == 0
    assert "primordial-orbs" in capsys.readouterr().out


def test_searches_are_compared_with_an_older_checkout(capsys: pytest.CaptureFixture[str]) -> None:
    few = ["--game", "primordial-orbs", "--positions", "2", "--seconds", "0.02"]
    assert searching.main([*few, "--before", str(ROOT)]) == 0
    header, row, _ = capsys.readouterr().out.splitlines()
    assert header.endswith("before   ratio") and len(row.split()) == 6


def test_a_ratio_is_the_median_over_turns() -> None:
    ours, peer = Contender("ours", float), Contender("peer", float)
    ours.rates, peer.rates = [10.0, 30.0, 8.0], [20.0, 10.0, 16.0]
    assert ratio(ours, peer) == 0.5


def test_a_missed_target_is_told() -> None:
    ours, peer = Contender("playout", float), Contender("OpenSpiel", float)
    ours.rates, peer.rates = [7.0], [10.0]
    assert run._row("hex", ours, peer, 0.8).holds is False
    assert run._row("hex", ours, peer, 0.6).holds is True


@pytest.mark.usefixtures("tidy")
def test_vector_environments_are_measured_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_envs, "GAMES", {"connect-four": 16})
    monkeypatch.setattr(vector_envs, "PEER_ENVS", 2)
    rows = list(vector_envs.measure("connect-four", 1, 0.01))
    assert [row.what for row in rows][:2] == [vector_envs.INSIDE, vector_envs.OUTSIDE]
    assert rows[0].share == 1 and all(row.rate > 0 for row in rows)
