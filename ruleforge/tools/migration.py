"""Updates a game or pack to the present language version, rewrites its scenarios, and lists places for
review.

Files without a version may be older than versions. Three changes came after some of them:

- questions about hidden components are always asked;
- a payment names each attribute;
- a full set needs no `done`.

The first concerns rules, the others the answers in scenarios.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from ruleforge.engine.errors import PlayError, RulesetError
from ruleforge.engine.presentation.observation import DONE
from ruleforge.engine.state import State
from ruleforge.lang.model.language_version import KEY, LANGUAGE, is_newer, version_node
from ruleforge.lang.source.folder import read_folder
from ruleforge.lang.source.read_text import read_text
from ruleforge.lang.source.tree import Entry, MappingNode, SequenceNode, SourceFile, SourceNode, SourceTree
from ruleforge.project.lints.secrecy import unconditional_questions
from ruleforge.project.locator import is_pack
from ruleforge.project.pipeline import Analysis
from ruleforge.project.resolver import analyse
from ruleforge.support.diagnostics import Edit, Report, Span
from ruleforge.support.diagnostics.diagnostic import apply_edits
from ruleforge.support.records import dataclass
from ruleforge.tools.scenarios.locator import Suite, Tables, find_suite
from ruleforge.tools.scenarios.runner import play_scenario
from ruleforge.tools.scenarios.scenario import Scenario, Step, read_scenario

_ANCHORS = ("version", "id")  # the key behind which the version of the language is written
MOST = 100  # answers that are changed in one scenario
_PLAIN = re.compile(r"[A-Za-z_][\w.-]*( [\w.-]+)*")


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A file with its present and its new text."""

    file: Path
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Migration:
    """Files that change, the one with the version last, so that a migration that breaks off is done again.

    `asked` are places of questions that are asked in any case since version 1, and were not before.
    """

    rewrites: tuple[Rewrite, ...] = ()
    questions: tuple[Span, ...] = ()


def migration_of(path: Path, as_before: bool, report: Report) -> Migration:
    """The changes that bring a game or pack to the present version; empty if it is there. Mistakes are in the
    report.

    With `as_before`, questions are asked as they were before version 1.
    """
    head = "pack" if is_pack(path) else "game"
    tree = read_folder(path, report, head=head)
    if tree is None or is_newer(tree, head, report) or report.has_errors or version_node(tree, head):
        return Migration()
    section = tree.sections(head)[0].value
    anchor = next((e for name in _ANCHORS if (e := _entry(section, name))), None)
    if not isinstance(section, MappingNode) or anchor is None:
        return Migration()  # validation tells what is missing
    analysis = analyse(path)
    questions = _questions(analysis, tree)
    named = [(section, anchor, f"{KEY}: {LANGUAGE}")]
    edits = [edit for _, edit in questions if edit is not None] if as_before else []
    rewrites = _rewritten(tree, named, edits)
    scenarios = (Rewrite(*found) for found in migrated_scenarios(path)) if analysis.complete else ()
    return Migration((*scenarios, *rewrites), () if as_before else tuple(span for span, _ in questions))


def _entry(node: SourceNode, name: str) -> Entry | None:
    return node.entry(name) if isinstance(node, MappingNode) else None


Named = tuple[MappingNode, Entry, str]


def _rewritten(tree: SourceTree, named: Iterable[Named], edits: list[Edit]) -> list[Rewrite]:
    lines = {file.path: file.content.split("\n") for file in tree.files}
    edits = [*edits, *(key_inserted(m, e, words, lines[m.span.file]) for m, e, words in named)]
    last = edits[-1].span.file
    found = [
        Rewrite(Path(file.path), file.content, apply_edits(file.content, file.path, edits))
        for file in tree.files
    ]
    changed = [rewrite for rewrite in found if rewrite.new != rewrite.old]
    return sorted(changed, key=lambda rewrite: str(rewrite.file) == last)


def _questions(analysis: Analysis, tree: SourceTree) -> list[tuple[Span, Edit | None]]:
    """Every question of these files that is asked in any case, with the edit that makes it asked as before."""
    if analysis.checked is None or not analysis.complete:
        return []
    files = {file.path: file for file in tree.files}
    found: list[tuple[Span, Edit | None]] = []
    for question in unconditional_questions(analysis.checked):
        file = files.get(question.span.file)
        if file is None:
            continue
        if question.word:
            found.append((question.span, Edit(question.span, f"openly {question.word}", question.word)))
        else:
            found.append((question.span, _window_opened(file, question.span)))
    return found


def _window_opened(file: SourceFile, span: Span) -> Edit | None:
    """`openly: true` for the phase or window that stands at a place."""
    for mapping in _mappings(file.root):
        window = mapping.entry("window")
        if window is not None and any(span in _places(entry, mapping) for entry in mapping):
            return key_inserted(mapping, window, "openly: true", file.content.split("\n"))
    for name, body in _windows(file):
        if name == span and (window := body.entry("window")) is not None:
            return key_inserted(body, window, "openly: true", file.content.split("\n"))
    return None


def _places(entry: Entry, mapping: MappingNode) -> tuple[Span, ...]:
    return (entry.key.span, entry.value.span, mapping.span) if entry.name == "phase" else ()


def _windows(file: SourceFile) -> Iterable[tuple[Span, MappingNode]]:
    section = file.root.get("windows")
    for entry in section.entries if isinstance(section, MappingNode) else ():
        if isinstance(entry.value, MappingNode):
            yield entry.key.span, entry.value


def _mappings(node: SourceNode) -> Iterable[MappingNode]:
    if isinstance(node, MappingNode):
        yield node
    parts = (
        tuple(entry.value for entry in node.entries)
        if isinstance(node, MappingNode)
        else node.items
        if isinstance(node, SequenceNode)
        else ()
    )
    for part in parts:
        yield from _mappings(part)


# Adds a key to a mapping in a YAML file, in the style of its other keys.


def key_inserted(mapping: MappingNode, behind: Entry, words: str, lines: list[str]) -> Edit:
    """`words` (`key: value`) as an entry behind another one; the comment at the end of its line stays there."""
    value = behind.value.span
    if mapping.flow:
        return Edit(_after(value, value.end_column), f", {words}")
    line = lines[value.end_line - 1]
    text = line.removesuffix("\r")
    end = line[len(text) :]  # of a file that was written on Windows
    indent = " " * (behind.key.span.column - 1)
    return Edit(_after(value, len(text) + 1), f"{end}\n{indent}{words}")


def _after(value: Span, column: int) -> Span:
    return Span(value.file, value.end_line, column, value.end_line, column)


# Rewrites outdated answers in scenarios.
#
# Every rewritten scenario is played and passes. A scenario that cannot pass stays as it is.


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
    """Join insertions at one place, in the order of play."""
    before = next((edit for edit in edits if edit.span == more.span), None)
    if before is None:
        return [*edits, more]
    return [*(edit for edit in edits if edit is not before), replace(before, text=before.text + more.text)]


def _with(scenario: Scenario, change: _Change) -> Scenario:
    steps = [new for step in scenario.steps for new in (change.new if step is change.old else (step,))]
    return replace(scenario, steps=tuple(steps))


def _change(step: Step, state: State, lines: list[str]) -> _Change | None:
    """The change of a refused answer: removed, another text, or one behind a new question."""
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
    """The place of an answer's text: behind the player and the colon."""
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
