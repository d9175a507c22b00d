"""Files of results: one row a game, one a decision, the same in both forms."""

from __future__ import annotations

import csv
from pathlib import Path

import pyarrow.parquet as parquet

from tests.unit.frontends.commands import Command


def written(ruleforge_command: Command, folder: Path, suffix: str, *more: object) -> tuple[Path, Path]:
    games, decisions = folder / f"games{suffix}", folder / f"decisions{suffix}"
    command = ("simulate", "leduc-poker", "--games", 6, "--seed", 1, "--out", games, "--decisions", decisions)
    assert ruleforge_command(*command, *more).code == 0
    return games, decisions


def test_csv_and_parquet_say_the_same(ruleforge_command: Command, tmp_path: Path) -> None:
    texts = [list(csv.DictReader(path.open())) for path in written(ruleforge_command, tmp_path, ".csv")]
    tables = [parquet.read_table(path) for path in written(ruleforge_command, tmp_path, ".parquet")]
    assert tables[0].schema.metadata[b"game"] == b"leduc-poker"
    for rows, table in zip(texts, tables, strict=True):
        assert list(rows[0]) == table.column_names
        assert len(rows) == table.num_rows
        for row, same in zip(rows, table.to_pylist(), strict=True):
            row.pop("seconds", None), same.pop("seconds", None)
            assert row == {name: cell(value) for name, value in same.items()}
    games, decisions = texts
    assert [row["game"] for row in games] == [str(n) for n in range(6)]
    assert len(decisions) == sum(int(row["decisions"]) for row in games)
    seats = [name.removeprefix("won_") for name in games[0] if name.startswith("won_")]
    assert len(seats) == 2 and {row[f"won_{seat}"] for row in games for seat in seats} <= {"true", "false"}
    assert [name for name in decisions[0] if name.startswith("standing_")] == [f"standing_{s}" for s in seats]


def cell(value: object) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def test_files_do_not_depend_on_who_plays(ruleforge_command: Command, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    one = written(ruleforge_command, tmp_path / "one", ".csv")
    two = written(ruleforge_command, tmp_path / "two", ".csv", "--jobs", 2)
    assert one[0].read_text() == two[0].read_text()
    without_time = [[line.rpartition(",")[0] for line in path.open()] for path in (one[1], two[1])]
    assert without_time[0] == without_time[1]


def test_counted_games_have_rows_too(ruleforge_command: Command, tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    assert ruleforge_command("simulate", "nim", "--games", 5, "--out", path).code == 0
    rows = list(csv.DictReader(path.open()))
    assert len(rows) == 5
    assert rows[0]["choices"] == rows[0]["drama"] == ""
