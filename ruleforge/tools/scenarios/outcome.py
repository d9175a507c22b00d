"""Runs scenario files and returns results for people and programs."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from ruleforge.engine.errors import RulesetError
from ruleforge.support.diagnostics import Diagnostic, Report
from ruleforge.support.diagnostics.for_programs import as_data
from ruleforge.support.records import dataclass
from ruleforge.tools.scenarios.loaded_games import Tables
from ruleforge.tools.scenarios.runner import play_scenario
from ruleforge.tools.scenarios.scenario import Scenario, read_scenario
from ruleforge.tools.scenarios.story import Rule, rule_of, story_of
from ruleforge.tools.scenarios.values import shown

APART = frozenset({"RF335", "RF336", "RF337"})  # packs that do not go together


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one scenario file: `wanted` and `found` of a failed expectation, and the story of a failure.

    `changed_by` are packs that the scenario does not name, if it passes without them. `left_out_by` are such packs
    that are incompatible with the packs it names.
    """

    title: str
    file: Path
    problems: tuple[Diagnostic, ...] = ()
    wanted: str = ""
    found: str = ""
    story: tuple[str, ...] = ()
    rule: Rule | None = None
    seconds: float = 0.0
    changed_by: tuple[str, ...] = ()
    left_out_by: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.problems

    @property
    def changed(self) -> bool:
        return bool(self.changed_by)

    @property
    def left_out(self) -> bool:
        return bool(self.left_out_by)

    @property
    def failed(self) -> bool:
        return not self.ok and not self.changed and not self.left_out

    def as_data(self) -> dict[str, Any]:
        data: dict[str, Any] = {"scenario": self.title, "file": str(self.file), "ok": self.ok}
        data["problems"] = [as_data(d) for d in self.problems]
        if self.wanted or self.found:
            data |= {"expected": self.wanted, "found": self.found}
        if self.changed:
            data["changed_by"] = list(self.changed_by)
        if self.left_out:
            data["left_out_by"] = list(self.left_out_by)
        if not self.ok:
            data |= {"story": list(self.story), "rule": str(self.rule) if self.rule else None}
        return data | {"seconds": round(self.seconds, 4)}


def result_of(tables: Tables, file: Path, home: Path | None) -> Result:
    """Play the scenario in a file."""
    began, report = time.perf_counter(), Report()
    scenario = read_scenario(file, report, home)
    if scenario is None:
        return Result(file.stem, file, report.diagnostics)
    try:
        game = tables.game(scenario, file)
        unknown_packs = tables.unknown_packs(scenario, file)
        played = play_scenario(game, scenario, unknown_packs)
    except RulesetError as error:
        extra = tables.extra_packs if keep_apart(error, tables, file, scenario) else ()
        return Result(scenario.title, file, error.diagnostics, left_out_by=extra)
    seconds = time.perf_counter() - began
    if played.problem is None:
        return Result(scenario.title, file, seconds=seconds)
    wanted, found = (
        (shown(played.unmet[0].wanted), shown(played.unmet[0].found)) if played.unmet else ("", "")
    )
    story = story_of(game, played.turns)
    changed_by = tuple(sorted(unknown_packs)) if holds_without(unknown_packs, tables, file, scenario) else ()
    problems, rule = (played.problem,), rule_of(played)
    return Result(scenario.title, file, problems, wanted, found, story, rule, seconds, changed_by)


def keep_apart(error: RulesetError, tables: Tables, file: Path, scenario: Scenario) -> bool:
    """Whether the only trouble is that the packs asked for do not go together with those a scenario names itself."""
    if not tables.extra_packs or any(d.code not in APART for d in error.diagnostics if d.severity == "error"):
        return False
    try:
        tables.alone.game(scenario, file)
    except RulesetError:
        return False
    return True


def holds_without(unknown_packs: frozenset[str], tables: Tables, file: Path, scenario: Scenario) -> bool:
    """Whether there are packs at the table that a scenario was not written for, and it holds without them."""
    return bool(unknown_packs) and play_scenario(tables.alone.game(scenario, file), scenario).problem is None
