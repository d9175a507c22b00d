"""Analyse the rules of a name or path, with packs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ruleforge.project import pipeline
from ruleforge.project.locator import core_of, find_pack, find_rules, is_pack
from ruleforge.project.pipeline import Analysis
from ruleforge.support.ceilings import CEILINGS, MISTAKE, VARIABLE, Ceilings
from ruleforge.support.diagnostics import NOWHERE, Diagnostic, Report


def analyse(
    name_or_path: str | Path,
    expansions: Sequence[str | Path] = (),
    overlay: Mapping[str, str] | None = None,
    *,
    ceilings: Ceilings = CEILINGS,
    before: Analysis | None = None,
) -> Analysis:
    """Analyse a ruleset, also one with mistakes.

    `expansions` are packs of the game: names, or folders. A pack alone stands for its game with the pack. `overlay`
    is unsaved text by file name, relative to the first path; see `pipeline.analyse` for files of further packs. Parts
    that are unchanged since the analysis `before` are not computed again.
    """
    report = Report()
    if MISTAKE and ceilings is CEILINGS:
        report.add(
            "RF847",
            f"{VARIABLE} sets no ceilings: {MISTAKE}",
            NOWHERE,
            "correct the variable; nothing is loaded until then",
        )
        return Analysis(Path(name_or_path), {}, ceilings=ceilings, diagnostics=report.diagnostics)
    path = find_rules(name_or_path, report)
    if path is not None and is_pack(path):
        overlay = {str(path.absolute() / name): text for name, text in (overlay or {}).items()}
        expansions, path = (path, *expansions), core_of(path, report)
    if path is None:
        return Analysis(Path(name_or_path), {}, ceilings=ceilings, diagnostics=report.diagnostics)
    packs = [found for name in expansions if (found := find_pack(name, path, report))]
    analysis = pipeline.analyse(path, overlay, before, tuple(dict.fromkeys(packs)), ceilings)
    report.include(*analysis.diagnostics)
    return replace(analysis, diagnostics=report.diagnostics)


def diagnostics_of(name_or_path: str | Path) -> tuple[Diagnostic, ...]:
    """Every diagnostic about a ruleset, warnings included."""
    return analyse(name_or_path).diagnostics
