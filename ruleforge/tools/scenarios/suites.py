"""Collects the scenarios of a game and its packs, each read once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from ruleforge.engine.errors import RulesetError
from ruleforge.engine.loader import load
from ruleforge.project.locator import find_pack
from ruleforge.support.diagnostics import Diagnostic, Report
from ruleforge.support.records import dataclass
from ruleforge.tools.scenarios.locator import Load, Suite, Tables, find_suite
from ruleforge.tools.scenarios.outcome import Result, result_of
from ruleforge.tools.scenarios.runner import run_scenario
from ruleforge.tools.scenarios.scenario import Scenario, read_scenario


@dataclass(frozen=True, slots=True)
class Case:
    """One scenario of a suite; `digest` is that of its text."""

    suite: int
    file: Path
    scenario: Scenario
    digest: str

    @property
    def steps(self) -> int:
        return len(self.scenario.steps)


@dataclass(frozen=True, slots=True)
class Suites:
    """The scenarios of a game and of packs, all played with those packs."""

    suites: tuple[Suite, ...]
    packs: tuple[str, ...]
    cases: tuple[Case, ...]

    def tables(self, load: Load = load) -> tuple[Tables, ...]:
        """The games they are played with; `load` says where those come from."""
        return tuple(Tables(suite, self.packs, load) for suite in self.suites)

    def holding_alone(self, cases: Iterable[Case]) -> tuple[Case, ...]:
        """Those that hold with nothing at the table but what they were written for, such as cards of a certain deck."""
        if not self.packs:
            return ()
        alone = tuple(tables.alone for tables in self.tables())
        return tuple(case for case in cases if not play_case(alone, case))


def read_suites(what: str, packs: tuple[str, ...], report: Report) -> Suites | None:
    """None (and diagnostics) if there are none, or one cannot be read."""
    own = find_suite(what, report, None, packs)
    folders = [find_pack(pack, own.rules, report) for pack in packs] if own is not None else []
    more = [find_suite(str(folder), report, None, packs) for folder in folders if folder is not None]
    suites = tuple(suite for suite in (own, *more) if suite is not None)
    cases = [_case(n, file, suite, report) for n, suite in enumerate(suites) for file in suite.files]
    if report.has_errors:
        return None
    return Suites(suites, packs, tuple(case for case in cases if case is not None))


def _case(number: int, file: Path, suite: Suite, report: Report) -> Case | None:
    scenario = read_scenario(file, report, suite.home)
    if scenario is None:
        return None
    return Case(number, file, scenario, _digest(scenario))


def _digest(scenario: Scenario) -> str:
    """A digest of all that is played and expected, without places."""
    steps = tuple((step.word, step.content) for step in scenario.steps)
    s = scenario
    content = (s.players, sorted(s.options.items()), s.seed, s.start, s.dice, s.packs, steps)
    return hashlib.sha256(repr(content).encode()).hexdigest()[:24]


def play_case(tables: tuple[Tables, ...], case: Case) -> tuple[Diagnostic, ...]:
    """The diagnostics of a scenario; empty if it holds."""
    own, report = tables[case.suite], Report()
    try:
        game = own.game(case.scenario, case.file)
        run_scenario(game, case.scenario, report, own.unknown_packs(case.scenario, case.file))
    except RulesetError as error:
        return error.diagnostics
    return report.diagnostics


# --- running ---

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
