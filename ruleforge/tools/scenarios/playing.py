"""Suites -> results, one scenario after the other or on several processors; watched, if somebody wants coverage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from ruleforge.support.records import dataclass
from ruleforge.tools.scenarios.find import Suite
from ruleforge.tools.scenarios.outcome import Result, result_of
from ruleforge.tools.scenarios.tables import Tables

AT_ONCE = 8  # files that a process is given at a time


@dataclass(frozen=True, slots=True)
class Chosen:
    """The files of a suite that are meant."""

    suite: Suite
    packs: tuple[str, ...]
    files: tuple[Path, ...]


def played(chosen: Chosen, tables: Tables) -> Iterator[Result]:
    """The results in the order of the files."""
    return (result_of(tables, file, chosen.suite.home) for file in chosen.files)


def played_by(jobs: int, chosen: Chosen) -> Iterator[Result]:
    """The same by several processes; each loads the rules for itself."""
    parts = [chosen.files[i : i + AT_ONCE] for i in range(0, len(chosen.files), AT_ONCE)]
    given = (chosen.suite, chosen.packs)
    with ProcessPoolExecutor(jobs, initializer=_begin, initargs=given) as pool:
        for results in pool.map(_part, [chosen.suite.home] * len(parts), parts):
            yield from results


_tables: Tables  # of a process that helps


def _begin(suite: Suite, packs: tuple[str, ...]) -> None:
    global _tables
    _tables = Tables(suite, packs)


def _part(home: Path | None, files: Sequence[Path]) -> list[Result]:
    return [result_of(_tables, file, home) for file in files]
