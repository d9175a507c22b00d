"""Formats the effect texts of a rule file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ruleforge.lang.parser.parsed import ParsedText
from ruleforge.lang.parser.printer import print_text
from ruleforge.lang.source import read_yaml
from ruleforge.project.locator import is_pack
from ruleforge.project.resolver import analyse
from ruleforge.support.diagnostics import Report
from ruleforge.support.records import dataclass

WIDTH = 110


@dataclass(frozen=True, slots=True)
class Edit:
    """New text for the lines `first` to `last` of a file (counted from 0, both included)."""

    first: int
    last: int
    lines: tuple[str, ...]


def canonical_text(file: str, content: str, texts: Iterable[ParsedText]) -> str:
    """The content of a file, whose effect texts are given, in canonical form; line ends stay what they are."""
    end = "\r\n" if "\r\n" in content else "\n"
    return _rewritten(file, content.replace("\r\n", "\n"), list(texts)).replace("\n", end)


def _rewritten(file: str, content: str, texts: list[ParsedText]) -> str:
    """Each edit is kept only if the file still says the same; the last text first, so that places stay right."""
    lines = content.split("\n")
    for text in sorted(texts, key=lambda text: text.source.span, reverse=True):
        edit = _edit(lines, text)
        if edit is None:
            continue
        changed = [*lines[: edit.first], *edit.lines, *lines[edit.last + 1 :]]
        if _same_data(file, lines, changed):
            lines = changed
    return "\n".join(lines)


def _edit(lines: list[str], parsed: ParsedText) -> Edit | None:
    """The edit of a text; None if it stays, or has comments, which the printer would lose."""
    text = parsed.source
    if parsed.node is None or "#" in text.text or text.folds:
        return None
    new = _joined_lines(print_text(parsed.text.start, parsed.node), text.text)
    if new.strip() == text.text.strip():
        return None
    first, column = text.starts[0][0] - 1, text.starts[0][1] - 1
    if text.span.line != text.starts[0][0]:  # a block under `|`
        old_lines = text.text.rstrip("\n").split("\n")
        last = first + len(old_lines) - 1
        if _longest(new.split("\n")) > max(WIDTH - column, _longest(old_lines)):
            return None  # an expression over several lines reads better than a very long line
        return Edit(
            first, last, tuple((" " * column + line).rstrip() for line in new.rstrip("\n").split("\n"))
        )
    line = lines[first]
    if "\n" in new.strip() or line[column : column + len(text.text)] != text.text:
        return None
    return Edit(first, first, (line[:column] + new.strip() + line[column + len(text.text) :],))


def _joined_lines(printed: str, original: str) -> str:
    """Keep text behind a colon on the same line, if its author wrote it so."""
    written = {_without_spaces(line) for line in original.split("\n")}
    lines = printed.split("\n")
    joined_lines: list[str] = []
    for number, line in enumerate(lines):
        joined = f"{joined_lines[-1]} {line.strip()}" if joined_lines else ""
        alone = number + 1 >= len(lines) or _indent(lines[number + 1]) < _indent(line)
        opened = (
            bool(joined_lines)
            and joined_lines[-1].endswith(":")
            and _indent(line) > _indent(joined_lines[-1])
        )
        if opened and alone and _without_spaces(joined) in written:
            joined_lines[-1] = joined
        else:
            joined_lines.append(line)
    return "\n".join(joined_lines)


def _without_spaces(line: str) -> str:
    return "".join(line.split())


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _longest(lines: list[str]) -> int:
    return max(len(line) for line in lines)


def _same_data(file: str, before: list[str], after: list[str]) -> bool:
    """Does the file still hold the same data, apart from the one text?"""
    reports = Report(), Report()
    trees = [read_yaml("\n".join(x), file, r) for x, r in zip((before, after), reports, strict=True)]
    if any(tree is None for tree in trees) or any(r.has_errors for r in reports):
        return False
    was, now = (tree.root.data for tree in trees if tree is not None)
    return _differences(was, now) == 1


def _differences(a: object, b: object) -> int:
    """How many scalars differ; a different shape counts as many."""
    if isinstance(a, dict) and isinstance(b, dict) and list(a) == list(b):
        return sum(_differences(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return sum(_differences(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict | list) or isinstance(b, dict | list):
        return 1000
    return int(a != b)


# --- the files of a ruleset ---


def canonical_files(path: Path, packs: Sequence[str], report: Report) -> dict[Path, str]:
    """The files of a ruleset or pack that change, with their new content; diagnostics are in the report."""
    analysis = analyse(path, packs)
    own = {file.path for reading in analysis.packs for file in reading.source.files}
    if not is_pack(path) and analysis.source is not None:  # of a pack, not its game's
        own |= {file.path for file in analysis.source.files}
    unreadable = [d for d in analysis.diagnostics if not "RF4" <= d.code < "RF8" and d.severity == "error"]
    report.include(*unreadable)
    if unreadable or analysis.parsed is None:
        return {}
    by_file: dict[str, list[ParsedText]] = {}
    for text in analysis.parsed.texts.values():
        if text.source.span.file not in own:
            continue
        by_file.setdefault(text.source.span.file, []).append(text)
    trees = (analysis.source, *(reading.source for reading in analysis.packs))
    contents = {file.path: file.content for tree in trees if tree for file in tree.files}
    found = {}
    for file, texts in by_file.items():
        new = canonical_text(file, contents[file], texts)
        if new != contents[file]:
            found[Path(file)] = new
    return found
