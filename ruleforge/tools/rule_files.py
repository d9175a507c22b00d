"""A ruleset or pack -> those of its files that are not in canonical form, as they would be."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ruleforge.lang.parser.parsed import ParsedText
from ruleforge.project.locator import is_pack
from ruleforge.project.resolver import analyse
from ruleforge.support.diagnostics import Report
from ruleforge.tools.formatter import canonical_text


def canonical_files(path: Path, packs: Sequence[str], report: Report) -> dict[Path, str]:
    """The files of a ruleset or pack that change, with their new content; complaints are in the report."""
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
