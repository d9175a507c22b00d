"""Many games: the same counts whatever plays them and however they are shared out."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from ruleforge.tools.experiments.game_runner import play_one, variant_of
from ruleforge.tools.experiments.plan import Plan, Rules, Table
from ruleforge.tools.experiments.report.page import page
from ruleforge.tools.experiments.rows import GameRow
from ruleforge.tools.experiments.run import Force, loaded, simulate
from ruleforge.tools.experiments.summary import summary, timing
from ruleforge.tools.experiments.tally import Tally
from ruleforge.tools.experiments.usage_marks import Marks
from ruleforge.tools.experiments.workers import TRIES, CannotPlay, spread


def total(plan: Plan, jobs: int = 1) -> Tally:
    found = Tally()
    for part in simulate(plan, loaded(plan.rules), Force(jobs)):
        found.add(part)
    return found


def counts(plan: Plan, jobs: int = 1) -> dict[str, Any]:
    return summary(total(plan, jobs), plan, variant_of(plan, loaded(plan.rules)))


@pytest.mark.parametrize("name", ["kuhn-poker", "connect-four"])
def test_counts_depend_on_the_seed_alone(name: str) -> None:
    plan = Plan(Rules(name, backend="python"), games=120, seed=5, limit=100)
    expected = counts(plan)
    assert expected["games"] == 120
    assert counts(plan, jobs=2) == expected
    native = replace(plan, rules=Rules(name, backend="native"))
    assert counts(native) == expected
    assert counts(native, jobs=3) == expected
    assert counts(replace(native, seed=6)) != expected


def bare(row: GameRow) -> GameRow:
    return replace(row, choices=None, lead_changes=None, drama=None)


@pytest.mark.parametrize(
    ("name", "packs"),
    [
        ("phantom-tic-tac-toe", ()),  # choices among hidden things lie in another order for people
        ("leduc-poker", ()),
        ("pig", ()),
        ("primordial-orbs", ("entropy",)),
        ("splicers", ()),
        ("orbit-simulator", ()),
        ("primordial-soup", ()),
        ("soul-gems", ()),
    ],
)
def test_games_that_are_looked_into_are_the_games_that_are_counted(name: str, packs: tuple[str, ...]) -> None:
    plan = Plan(Rules(name, packs, backend="native"), games=4, seed=3, limit=150, rows=True)
    counted = total(plan)
    closely = replace(plan, rules=Rules(name, packs), measure=True)
    measured = total(closely)
    assert measured.measures.games == 4
    assert list(map(bare, measured.rows)) == counted.rows
    assert measured.stopped[:1] == counted.stopped
    data = summary(measured, closely, variant_of(closely, loaded(closely.rules)))
    drawn = page(name, "", {**data, "timing": timing(measured, 1.0)}, measured)
    assert drawn.count("<svg") >= 4


def test_a_part_of_the_games_is_part_of_the_games() -> None:
    plan = Plan(Rules("leduc-poker"), games=9, seed=4, measure=True, rows=True)
    assert total(replace(plan, first=5, games=3)).rows == total(plan).rows[5:8]


def test_games_are_cut_off_and_one_of_them_is_looked_into() -> None:
    found = counts(Plan(Rules("connect-four", backend="native"), games=20, seed=1, limit=5))
    assert (found["cut_off"], found["decisions"]) == (20, 100)
    (stop,) = found["stopped"]
    assert (stop["game"], stop["by"], stop["player"]) == (0, "limit", "yellow")
    assert stop["lately"] == {"drop": 5}


def test_agents_move_on_by_a_seat_in_each_game_of_a_deal() -> None:
    seats = ("north", "east", "south")
    table = Table(agents={"north": "mcts:20", "east": "greedy"})
    assert [table.deal(number, 3) for number in (0, 1, 2, 3)] == [(0, 0), (0, 1), (0, 2), (1, 0)]
    assert [tuple(table.seating(seats, number).values()) for number in range(4)] == [
        ("mcts:20", "greedy", "random"),
        ("greedy", "random", "mcts:20"),
        ("random", "mcts:20", "greedy"),
        ("mcts:20", "greedy", "random"),
    ]
    fixed = replace(table, swap=False)
    assert {tuple(fixed.seating(seats, number).values()) for number in range(4)} == {
        ("mcts:20", "greedy", "random")
    }


def test_games_of_one_deal_have_the_same_deal() -> None:
    plan = Plan(Rules("hearts"), games=9, seed=1, limit=1, table=Table(agents={"north": "greedy"}))
    variant = variant_of(plan, loaded(plan.rules))
    deals = [
        play_one(replace(plan, decisions=True), loaded(plan.rules), Marks(variant), n) for n in (0, 3, 4)
    ]
    hands = [deal.notes.offered for deal in deals]
    assert hands[0] == hands[1] != hands[2]


def test_agents_give_the_same_result_whoever_plays_them() -> None:
    plan = Plan(Rules("nim"), games=7, seed=1, limit=100, table=Table(agents={"ann": "mcts:20"}))
    expected = counts(plan)
    assert expected["agents"]["mcts:20"]["seats"] == 7
    for jobs in (2, 3):
        assert json.dumps(counts(plan, jobs)) == json.dumps(expected)


@dataclass(frozen=True)
class Dies:
    """A task whose process is ended by force the first times."""

    note: Path
    times: int

    def __call__(self) -> str:
        with self.note.open("a") as file:
            file.write("x")
        if len(self.note.read_text()) <= self.times:
            os.kill(os.getpid(), signal.SIGKILL)
        return "done"


def test_a_process_that_dies_costs_nothing_but_time(tmp_path: Path) -> None:
    tasks = [Dies(tmp_path / "one", 1), Dies(tmp_path / "two", 0), Dies(tmp_path / "three", 2)]
    assert sorted(spread(tasks, 2)) == [(0, "done"), (1, "done"), (2, "done")]


def test_a_task_that_ends_every_process_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(CannotPlay, match="without a result"):
        list(spread([Dies(tmp_path / "one", TRIES)], 2))


def test_what_goes_wrong_in_a_process_is_told() -> None:
    with pytest.raises(ZeroDivisionError):
        list(spread([Divides()], 2))


@dataclass(frozen=True)
class Divides:
    def __call__(self) -> float:
        return 1 / 0


def test_leaving_early_ends_the_processes(tmp_path: Path) -> None:
    import multiprocessing

    before = set(multiprocessing.active_children())
    results = spread([Dies(tmp_path / str(n), 0) for n in range(6)], 3)
    next(results)
    results.close()
    assert set(multiprocessing.active_children()) <= before
