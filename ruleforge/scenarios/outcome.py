"""Scenario files -> results that people and programs look at: held or not, and if not, how it came to this."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from ruleforge.diagnostics import Diagnostic, Report
from ruleforge.diagnostics.for_programs import as_data
from ruleforge.engine.errors import RulesetError
from ruleforge.quick import dataclass
from ruleforge.scenarios.run import play_scenario
from ruleforge.scenarios.scenario import read_scenario
from ruleforge.scenarios.story import Rule, rule_of, story_of
from ruleforge.scenarios.tables import Tables
from ruleforge.scenarios.values import shown


@dataclass(frozen=True, slots=True)
class Result:
    """One scenario file; of an expectation that does not hold `wanted` and `found`, of any failure the story of it."""

    title: str
    file: Path
    problems: tuple[Diagnostic, ...] = ()
    wanted: str = ""
    found: str = ""
    story: tuple[str, ...] = ()
    rule: Rule | None = None
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        return not self.problems

    def as_data(self) -> dict[str, Any]:
        data: dict[str, Any] = {"scenario": self.title, "file": str(self.file), "ok": self.ok}
        data["problems"] = [as_data(d) for d in self.problems]
        if self.wanted or self.found:
            data |= {"expected": self.wanted, "found": self.found}
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
        played = play_scenario(game, scenario, tables.strangers(scenario, file))
    except RulesetError as error:
        return Result(scenario.title, file, error.diagnostics)
    seconds = time.perf_counter() - began
    if played.problem is None:
        return Result(scenario.title, file, seconds=seconds)
    wanted, found = (
        (shown(played.unmet[0].wanted), shown(played.unmet[0].found)) if played.unmet else ("", "")
    )
    story = story_of(game, played.turns)
    return Result(scenario.title, file, (played.problem,), wanted, found, story, rule_of(played), seconds)
