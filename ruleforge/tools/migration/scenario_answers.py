"""Rewrites outdated answers in scenarios.

Every rewritten scenario is played and passes. A scenario that cannot pass stays as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ruleforge.engine.errors import PlayError, RulesetError
from ruleforge.engine.presentation.observation import DONE
from ruleforge.engine.state import State
from ruleforge.lang.source.read_text import read_text
from ruleforge.support.diagnostics import Edit, Report, Span
from ruleforge.support.diagnostics.diagnostic import apply_edits
from ruleforge.support.records import dataclass
from ruleforge.tools.scenarios.loaded_games import Tables
from ruleforge.tools.scenarios.locator import Suite, find_suite
from ruleforge.tools.scenarios.runner import play_scenario
from ruleforge.tools.scenarios.scenario import Scenario, Step, read_scenario

MOST = 100  # answers that are changed in one scenario
_PLAIN = re.compile(r"[A-Za-z_][\w.-]*( [\w.-]+)*")


@dataclass(frozen=True, slots=True)
class _Change:
    """Steps in the place of one; `edit` says so in the file."""

    old: Step
    new: tuple[Step, ...]
    edit: Edit


def migrated_scenarios(path: Path) -> Iterator[tuple[Path, str, str]]:
    """Every scenario file of a game or pack that changes, with its old and its new text."""
    suite = find_suite(str(path), Report())
    if suite is None:
        return
    tables = Tables(suite)
    for file in suite.files:
        text = read_text(file, Report(), suite.home)
        new = None if text is None else _migrated(tables, suite, file, text)
        if text is not None and new is not None and new != text:
            yield file, text, new


def _migrated(tables: Tables, suite: Suite, file: Path, text: str) -> str | None:
    """The text with other answers; None if no change of them makes the scenario hold."""
    scenario = read_scenario(file, Report(), suite.home)
    if scenario is None:
        return None
    edits: list[Edit] = []
    lines = text.split("\n")
    try:
        game = tables.game(scenario, file)
        for _ in range(MOST):
            run = play_scenario(game, scenario)
            if run.problem is None:
                return apply_edits(text, scenario.span.file, edits) if edits else None
            step = next((s for s in scenario.steps if s.span == run.problem.span), None)
            change = _change(step, run.last, lines) if step is not None and run.last is not None else None
            if change is None:
                return None
            edits = _and(edits, change.edit)
            scenario = _with(scenario, change)
    except (RulesetError, PlayError):
        return None
    return None


def _and(edits: list[Edit], more: Edit) -> list[Edit]:
    """What is inserted at one place stays in the order of play."""
    before = next((edit for edit in edits if edit.span == more.span), None)
    if before is None:
        return [*edits, more]
    return [*(edit for edit in edits if edit is not before), replace(before, text=before.text + more.text)]


def _with(scenario: Scenario, change: _Change) -> Scenario:
    steps = [new for step in scenario.steps for new in (change.new if step is change.old else (step,))]
    return replace(scenario, steps=tuple(steps))


def _change(step: Step, state: State, lines: list[str]) -> _Change | None:
    """What a refused answer has become: nothing, another text, or one behind a question that is new."""
    decision = state.decision
    if not isinstance(step.content, str) or step.span.line != step.span.end_line:
        return None
    line = lines[step.span.line - 1]
    if not line.lstrip().startswith("- "):
        return None
    if step.content == DONE:
        return _Change(step, (), Edit(_whole(step.span, line), ""))
    if decision is None:
        return None
    longer = _longer(step.content, state) if decision.player == step.word else None
    if longer is not None:
        content = Span(step.span.file, *_content(step, line))
        text = longer if _PLAIN.fullmatch(longer) else json.dumps(longer, ensure_ascii=False)
        return _Change(step, (replace(step, content=longer),), Edit(content, text))
    if any(choice.text == DONE for choice in state.choices):
        first = Span(step.span.file, step.span.line, 1, step.span.line, 1)
        indent = line[: len(line) - len(line.lstrip())]
        closing = Step(decision.player, DONE, first, {}, {})
        return _Change(step, (closing, step), Edit(first, f"{indent}- {decision.player}: {DONE}\n"))
    return None


def _whole(span: Span, line: str) -> Span:
    """A line, with its end."""
    return Span(span.file, span.line, 1, span.line, len(line) + 2)


def _content(step: Step, line: str) -> tuple[int, int, int, int]:
    """Where the text of an answer stands: behind the player and the colon."""
    colon = line.index(":", step.span.column - 1)
    start = colon + 1 + len(line[colon + 1 :]) - len(line[colon + 1 :].lstrip())
    return (step.span.line, start + 1, step.span.line, step.span.end_column)


def _longer(text: str, state: State) -> str | None:
    """The one choice that says all the words of a text in their order, and more: `stock[wood] 2` for `wood 2`."""
    words = re.findall(r"\w+", text)
    found = [choice.text for choice in state.choices if _holds(re.findall(r"\w+", choice.text), words)]
    return found[0] if len(found) == 1 and found[0] != text else None


def _holds(words: list[str], wanted: list[str]) -> bool:
    left = iter(words)
    return all(word in left for word in wanted)
