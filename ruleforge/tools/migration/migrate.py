"""Migrates a game or pack to the present language version and lists places for review.

Files without a version may be older than versions. Three changes came after some of them: questions about hidden
components are always asked, a payment names each attribute, and a full set needs no `done`. The first concerns
rules, the others the answers in scenarios.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ruleforge.lang.model.language_version import KEY, LANGUAGE, is_newer, version_node
from ruleforge.lang.source.folder import read_folder
from ruleforge.lang.source.tree import Entry, MappingNode, SequenceNode, SourceFile, SourceNode, SourceTree
from ruleforge.project.lints.secrecy import unconditional_questions
from ruleforge.project.locator import is_pack
from ruleforge.project.pipeline import Analysis
from ruleforge.project.resolver import analyse
from ruleforge.support.diagnostics import Edit, Report, Span
from ruleforge.support.diagnostics.diagnostic import apply_edits
from ruleforge.support.records import dataclass
from ruleforge.tools.migration.key_insertion import key_inserted
from ruleforge.tools.migration.scenario_answers import migrated_scenarios

_ANCHORS = ("version", "id")  # the key behind which the version of the language is written


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A file as it is and as it becomes."""

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
    """What brings a game or pack to the present version; nothing if it is there. Mistakes are in the report.

    With `as_before` questions are asked as they were before version 1.
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
