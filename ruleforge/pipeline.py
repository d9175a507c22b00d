"""The stages in order: a folder of YAML -> checked rules."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ruleforge.check.lints import lint
from ruleforge.check.ruleset import check
from ruleforge.check.typed import Checked
from ruleforge.diagnostics import Report
from ruleforge.dsl.parsed import parse
from ruleforge.model.from_source import ruleset_from_source
from ruleforge.printed_checks import run_checks
from ruleforge.schema.validate import validate
from ruleforge.source.pack import read_pack


def load(path: Path, report: Report) -> Checked | None:
    """Everything up to the checker; None if the report has an error."""
    tree = read_pack(path, report)  # folder -> SourceTree: text with positions
    if tree is None:
        return None
    validate(tree, report)  # shape only
    if report.has_errors:
        return None
    ruleset = ruleset_from_source(tree, report)  # names are still strings
    if ruleset is None:
        return None
    parsed = parse(ruleset, report)  # every effect text as a tree
    checked = check(ruleset, parsed, report, _digest(ruleset.files))  # names are ids, expressions have types
    if not report.has_errors:
        lint(checked, report)
        run_checks(checked, report)
    return None if report.has_errors else checked


def _digest(files: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(Path(file).read_bytes())
        digest.update(b"\0")
    return digest.hexdigest()
