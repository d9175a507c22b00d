"""The stages in order: a folder of YAML -> checked rules."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from ruleforge.check.lints import lint
from ruleforge.check.ruleset import check
from ruleforge.check.typed import Checked
from ruleforge.diagnostics import Diagnostic, Report
from ruleforge.dsl.parsed import Parsed, parse
from ruleforge.model.from_source import ruleset_from_source
from ruleforge.model.ruleset import Ruleset
from ruleforge.printed_checks import run_checks
from ruleforge.schema.validate import Shaped, validate
from ruleforge.source.pack import read_pack
from ruleforge.source.tree import SourceTree


@dataclass(frozen=True, slots=True)
class Analysis:
    """All that is known of a ruleset, as complete as it can be: one product for each stage, and every complaint.

    A stage that had nothing to work on has None; what an earlier stage could not read, a later one goes without.
    """

    path: Path
    overlay: Mapping[str, str]
    source: SourceTree | None
    shaped: Shaped | None
    ruleset: Ruleset | None
    parsed: Parsed | None
    checked: Checked | None
    diagnostics: tuple[Diagnostic, ...]

    @property
    def complete(self) -> bool:
        """Can it be played?"""
        return self.checked is not None and all(d.severity != "error" for d in self.diagnostics)

    def edited(self, overlay: Mapping[str, str]) -> Analysis:
        """The analysis after an edit: texts by file name; what does not depend on them is not done again."""
        return analyse(self.path, {**self.overlay, **overlay}, self)


def analyse(path: Path, overlay: Mapping[str, str] | None = None, before: Analysis | None = None) -> Analysis:
    """Everything up to the checker, whatever mistakes there are; `overlay` is unsaved text by file name."""
    report, unsaved = Report(), MappingProxyType(dict(overlay or {}))
    known = before or nothing_of(path, report)
    source = read_pack(path, report, unsaved, known.source)  # values that keep their place
    if source is None:
        return nothing_of(path, report, unsaved)
    shaped = validate(source, report, known.shaped)  # shape only
    ruleset = ruleset_from_source(source, report, source.holes | shaped.holes)  # names are still strings
    parsed = parse(ruleset, report, known.parsed)  # every effect text as a tree
    checked = check(ruleset, parsed, report, _digest(source))  # names are ids, expressions have types
    lint(checked, report)
    if not report.has_errors:
        run_checks(checked, report)
    return Analysis(path, unsaved, source, shaped, ruleset, parsed, checked, report.diagnostics)


def nothing_of(path: Path, report: Report, overlay: Mapping[str, str] | None = None) -> Analysis:
    """The analysis of what cannot be read at all."""
    return Analysis(path, overlay or {}, None, None, None, None, None, report.diagnostics)


def load(path: Path, report: Report) -> Checked | None:
    """The checked rules alone; None if there is a mistake in them."""
    analysis = analyse(path)
    report.include(*analysis.diagnostics)
    return analysis.checked if analysis.complete else None


def _digest(source: SourceTree) -> str:
    digest = hashlib.sha256()
    for file in source.files:
        digest.update(file.content.encode())
        digest.update(b"\0")
    return digest.hexdigest()
