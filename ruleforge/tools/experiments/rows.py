"""Rows of games and decisions, and files of them as CSV or Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ruleforge.engine.presentation.observation import Value
from ruleforge.support.output_files import why_not_there, write_bytes, write_text
from ruleforge.support.records import dataclass

SUFFIXES = (".csv", ".parquet")


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game. Values that were not measured are None; so is the ending of a game cut off or stopped by a
    fault.

    `seats`, `agents`, `winners` and `scores` go by seat; several winners share a win.
    """

    game: int
    seats: tuple[str, ...]
    agents: tuple[str, ...]
    ending: str | None
    fault: str | None
    winners: tuple[str, ...]
    scores: tuple[int, ...]
    decisions: int
    violations: tuple[str, ...] = ()
    lost: bool = False  # by all
    choices: float | None = None  # in a decision, on the mean
    lead_changes: int | None = None
    drama: float | None = None
    counts: tuple[Value, ...] = ()  # what the backend was asked to count

    @property
    def cut_off(self) -> bool:
        return self.ending is None and self.fault is None

    def points(self, seat: int, can_be_lost: bool) -> float:
        """The points of a seat: one point a game for the winner, shared by several winners, or by all without
        a winner.

        In a game that all players can lose together, a joint result is not shared. It gives each seat one
        point if all win, none if the game is lost, and half a point otherwise.
        """
        name, takers = self.seats[seat], self.winners or self.seats
        if can_be_lost and len(takers) == len(self.seats):
            return 0.0 if self.lost else 1.0 if self.winners else 0.5
        return 1 / len(takers) if name in takers else 0.0


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """One decision of a game: its player, number of choices, choice, time, and the standing of the seats."""

    game: int
    decision: int
    player: str
    agent: str
    asked: str
    choices: int
    choice: str
    action: str | None
    standing: tuple[float, ...]
    seconds: float


@dataclass(frozen=True, slots=True, order=True)
class StoppedGame:
    """A game without an end: the limit or fault that stopped it, the player who had to decide, and the last choices."""

    game: int
    by: str
    why: str
    player: str
    asked: str
    lately: tuple[tuple[str, int], ...]


# Writes rows of games or decisions as CSV or Parquet.


class CannotWriteResults(Exception):
    """A file that could not be written later, said before the first game."""


@dataclass(frozen=True, slots=True)
class Column:
    """A name, the type of its values (`int64`, `double`, `string`, `bool`; any may be None), and the values."""

    name: str
    type: str
    values: list[Any]


def check_file(path: Path) -> None:
    """Raises CannotKeep if results could not go there."""
    if path.suffix not in SUFFIXES:
        raise CannotWriteResults(f"`{path}` is neither {' nor '.join(f'`NAME{s}`' for s in SUFFIXES)}")
    check_place(path)
    if path.suffix == ".parquet" and find_spec("pyarrow") is None:
        raise CannotWriteResults(
            'Parquet files need an extra; install it with: pip install "ruleforge[parquet]"'
        )


def check_place(path: Path) -> None:
    """Raises CannotKeep if no file could be put there."""
    why = why_not_there(path)
    if why:
        raise CannotWriteResults(why)


def write_games(
    path: Path, rows: Sequence[GameRow], about: Mapping[str, str], counted: Sequence[str] = ()
) -> None:
    """`counted` are the texts that `GameRow.counts` answer."""
    found = sorted(rows, key=lambda row: row.game)
    _write(path, [*_games(found), *_counts(found, counted)], about)


def write_decisions(
    path: Path, rows: Sequence[DecisionRow], about: Mapping[str, str], seats: Sequence[str]
) -> None:
    found = sorted(rows, key=lambda row: (row.game, row.decision))
    _write(path, list(_decisions(found, seats)), about)


def _games(rows: list[GameRow]) -> Iterator[Column]:
    yield Column("game", "int64", [row.game for row in rows])
    yield Column("ending", "string", [row.ending for row in rows])
    yield Column("fault", "string", [row.fault for row in rows])
    yield Column("cut_off", "bool", [row.cut_off for row in rows])
    yield Column("winners", "string", [" ".join(row.winners) for row in rows])
    yield Column("decisions", "int64", [row.decisions for row in rows])
    yield Column("choices", "double", [row.choices for row in rows])
    yield Column("lead_changes", "int64", [row.lead_changes for row in rows])
    yield Column("drama", "double", [row.drama for row in rows])
    for seat, name in enumerate(rows[0].seats if rows else ()):
        yield Column(f"agent_{name}", "string", [row.agents[seat] for row in rows])
        yield Column(f"won_{name}", "bool", [name in row.winners for row in rows])
        yield Column(f"score_{name}", "int64", [row.scores[seat] for row in rows])


def _counts(rows: list[GameRow], texts: Sequence[str]) -> Iterator[Column]:
    for number, text in enumerate(texts):
        values = [row.counts[number] for row in rows]
        plain = all(type(value) is int for value in values)
        yield Column(text, "int64" if plain else "string", values if plain else list(map(str, values)))


def _decisions(rows: list[DecisionRow], seats: Sequence[str]) -> Iterator[Column]:
    for name, type in (("game", "int64"), ("decision", "int64"), ("player", "string"), ("agent", "string")):
        yield Column(name, type, [getattr(row, name) for row in rows])
    for name, type in (("asked", "string"), ("choices", "int64"), ("choice", "string"), ("action", "string")):
        yield Column(name, type, [getattr(row, name) for row in rows])
    for seat, name in enumerate(seats):
        yield Column(f"standing_{name}", "double", [row.standing[seat] for row in rows])
    yield Column("seconds", "double", [row.seconds for row in rows])


def _write(path: Path, columns: list[Column], about: Mapping[str, str]) -> None:
    if path.suffix == ".csv":
        write_text(path, _csv(columns))
    else:
        write_bytes(path, _parquet(columns, about))


def _csv(columns: list[Column]) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.name for column in columns])
    writer.writerows(zip(*(map(_cell, column.values) for column in columns), strict=True))
    return text.getvalue()


def _cell(value: object) -> object:
    """Flags as the rules write them; what is not known is empty."""
    return str(value).lower() if isinstance(value, bool) else value


def _parquet(columns: list[Column], about: Mapping[str, str]) -> bytes:
    import pyarrow
    import pyarrow.parquet

    types = {
        "int64": pyarrow.int64(),
        "double": pyarrow.float64(),
        "string": pyarrow.string(),
        "bool": pyarrow.bool_(),
    }
    schema = pyarrow.schema([(column.name, types[column.type]) for column in columns], metadata=dict(about))
    table = pyarrow.table([pyarrow.array(c.values, types[c.type]) for c in columns], schema=schema)
    content = io.BytesIO()
    pyarrow.parquet.write_table(table, content)
    return content.getvalue()
