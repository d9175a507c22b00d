"""Runs scenario files and returns results for people, programs and JUnit, with the story of each failure."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ruleforge.engine.breakpoints import definition_at
from ruleforge.engine.errors import RulesetError
from ruleforge.engine.event import Event
from ruleforge.engine.game import Game
from ruleforge.play.narration import Narrator
from ruleforge.play.session import Turn
from ruleforge.support.diagnostics import NOWHERE, Diagnostic, Report, Span
from ruleforge.support.diagnostics.for_programs import as_data
from ruleforge.support.diagnostics.render import render_one
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import counted
from ruleforge.support.terminal_escape import harmless
from ruleforge.tools.scenarios.locator import Tables
from ruleforge.tools.scenarios.runner import ScenarioRun, Unmet, play_scenario
from ruleforge.tools.scenarios.scenario import Scenario, read_scenario
from ruleforge.tools.scenarios.values import shown

APART = frozenset({"RF335", "RF336", "RF337"})  # packs that do not go together
MOST = 12  # sentences that are told; those before are only counted


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


# The story of a played scenario: its log, and the rule that acted last.


@dataclass(frozen=True, slots=True)
class Rule:
    """The place of an effect in the rules, and its definition."""

    span: Span
    definition: str

    def __str__(self) -> str:
        return f"{self.span}" + (f" ({self.definition})" if self.definition else "")


def story_of(game: Game, turns: Sequence[Turn], most: int = MOST) -> tuple[str, ...]:
    """The last of what happened, all of it told; the first line says how much was before."""
    narrator = Narrator(game.info)
    lines = [
        str(s) for turn in turns for s in narrator.step(turn.player, turn.choice.text, tuple(turn.events))
    ]
    left = len(lines) - most
    return tuple(lines) if left <= 0 else (f"({counted(left, 'sentence')} before)", *lines[-most:])


def rule_of(played: ScenarioRun) -> Rule | None:
    """The rule that last touched what is not as expected, else the one that did the last thing of all."""
    events = [e for turn in played.turns for e in turn.events if e.span != NOWHERE]
    touching = [e for unmet in played.unmet[:1] for e in events if _touches(e, unmet)]
    last = (touching or events)[-1:]
    return Rule(last[0].span, definition_at(played.turns[-1].after, last[0].span)) if last else None


def _touches(event: Event, unmet: Unmet) -> bool:
    """Does an event change what a path names?"""
    word, _, rest = event.name.partition(" ")
    given = dict(event.arguments)
    if word == "set":
        owner, attribute = str(given.get("of")), rest.rpartition(".")[2]
        return unmet.path.partition("[")[0] in (f"{owner}.{attribute}", f"game.{attribute}")
    if word == "move":
        return unmet.path in {str(value) for value in given.values()}
    return word == "finish" and unmet.path in ("reason", "winners", "scores")


# Writes results of scenarios as JUnit XML for build servers.


def junit(results: Sequence[Result], trouble: Sequence[Diagnostic] = ()) -> str:
    """One suite; what kept whole suites from being run is an error of its own."""
    root = Element("testsuites")
    counts = {
        "tests": len(results) + len(trouble),
        "failures": sum(r.failed for r in results),
        "errors": len(trouble),
        "skipped": sum(r.changed or r.left_out for r in results),
    }
    time = f"{sum(result.seconds for result in results):.4f}"
    suite = SubElement(root, "testsuite", {"name": "ruleforge", "time": time, **_texts(counts)})
    for result in results:
        named = {"name": result.title, "classname": _folder(result.file), "file": str(result.file)}
        case = SubElement(suite, "testcase", {**named, "time": f"{result.seconds:.4f}"})
        if result.changed:
            SubElement(case, "skipped", message=f"changed by {', '.join(result.changed_by)}")
        elif result.left_out:
            SubElement(case, "skipped", message=result.problems[0].message)
        elif result.problems:
            failure = SubElement(case, "failure", message=result.problems[0].message)
            failure.text = harmless("\n".join(_failure_lines(result)))
    for problem in trouble:
        case = SubElement(suite, "testcase", name=problem.code, classname="ruleforge", time="0")
        SubElement(case, "error", message=problem.message).text = harmless(render_one(problem))
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _folder(file: Path) -> str:
    """`my-game.setup`: the game, and the folders inside its scenarios."""
    parts = [part for part in file.parent.parts if part != "scenarios"]
    around = 1 if file.parent.name == "scenarios" else 2
    return ".".join(parts[-around:]) or "scenarios"


def _texts(counts: dict[str, int]) -> dict[str, str]:
    return {name: str(count) for name, count in counts.items()}


def _failure_lines(result: Result) -> list[str]:
    lines = [render_one(problem) for problem in result.problems]
    if result.wanted or result.found:
        lines += [f"expected: {result.wanted}", f"found:    {result.found}"]
    return [*lines, *result.story, *([f"rule: {result.rule}"] if result.rule else ())]
