"""Validates a ruleset with all files next to it, as `ruleforge validate` does."""

from __future__ import annotations

from ruleforge.contracts.contract_reader import contract_from_source
from ruleforge.contracts.locks.lockfile import check_locked
from ruleforge.project.pipeline import Analysis
from ruleforge.support.diagnostics import Diagnostic, Report
from ruleforge.support.records import dataclass
from ruleforge.tools.project_files.side_files import SideFiles, look_beside


@dataclass(frozen=True, slots=True)
class Validated:
    """A validated game, or a game with packs."""

    analysis: Analysis
    beside: SideFiles
    diagnostics: tuple[Diagnostic, ...]


def validated(analysis: Analysis, before: Validated | None = None) -> Validated:
    """The rules, then what lies beside them: scenarios, rulebook, contract, lock; what is the same `before` is kept."""
    report = Report()
    beside = look_beside(analysis, before.beside if before else None)
    report.include(*analysis.diagnostics, *beside.diagnostics)
    file = beside.folders[0].contract if beside.folders else None
    broken = file is not None and any(
        d.severity == "error" and d.span.file == file.path for d in beside.diagnostics
    )
    # A mistake in the rules or in the contract is a change, and was reported already.
    if analysis.complete and not broken and analysis.assembly is not None and analysis.parsed is not None:
        contract = contract_from_source(file.whole) if file is not None and file.whole else None
        check_locked(analysis.path, analysis.assembly.core, analysis.parsed, contract, report)
    return Validated(analysis, beside, report.diagnostics)
