"""Checks packs against the contract of their core: each alone, then all together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ruleforge.analysis.effects.report import Shown, shown_effects
from ruleforge.contracts.contract_reader import contract_of
from ruleforge.contracts.judge import Findings, findings
from ruleforge.contracts.judgement import Fault, Judgement, Together
from ruleforge.contracts.model import Contract
from ruleforge.contracts.trial import summaries_of
from ruleforge.engine.errors import RulesetError
from ruleforge.project.locator import find_pack, is_pack, packs_of
from ruleforge.project.pipeline import Analysis
from ruleforge.project.resolver import analyse
from ruleforge.support.diagnostics import Diagnostic, Report
from ruleforge.tools.project_files.side_files import SideFiles, look_beside


def judge(
    pack: str | Path, others: Sequence[str | Path] = (), *, before: Analysis | None = None
) -> Judgement:
    """Check a pack against the contract of its core, alone and with others. Raises RulesetError if it is not a pack.

    To check many packs of one core, pass the analysis of the core, or of any of them, as `before`.
    """
    alone = analysed(pack, others, before)
    contract = contract_of(alone.path)
    found = findings(alone, contract)
    if found.verdict != "invalid":
        found = replace(found, faults=(*found.faults, *_mistakes_beside(alone)))
    checks_sets = others and found.verdict != "invalid"
    together = _together(pack, others, contract, found, alone) if checks_sets else None
    verdict = found.verdict
    if together is not None and together.faults and verdict == "accepted":
        verdict = "rejected"
    return Judgement(
        _name(alone, pack),
        _core(alone),
        verdict,
        found.faults,
        found.warnings,
        found.clauses,
        together,
        _texts(alone, contract),
    )


def _mistakes_beside(analysis: Analysis) -> Iterator[Fault]:
    """Further mistakes that `validate` finds in a pack: an unknown clause, an unknown name in a scenario."""
    beside = look_beside(analysis, next((b for b in _LATEST if b.folders[0].path == analysis.path), None))
    _LATEST[:] = [beside]
    for reading, folder in zip(analysis.packs, beside.folders[1:], strict=True):
        files = {file.path for file in reading.source.files} | {file.path for file in folder.files}
        for d in beside.diagnostics:
            if d.severity == "error" and d.span.file in files:
                id = reading.pack.manifest.id
                yield Fault("invalid", d.code, id, (), (d.span,), d.message, repair=d.help)


_LATEST: list[SideFiles] = []  # of the last pack that was judged: the next one may be of the same core


def pack_effects(pack: str | Path) -> tuple[Shown, ...]:
    """The effects of each rule of a pack: changes, events, payments and questions. Raises RulesetError if it
    is no pack.
    """
    analysis = analysed(pack, ())
    summaries = summaries_of(analysis, contract_of(analysis.path))
    return tuple(shown_effects(summaries, frozenset({analysis.packs[0].pack.manifest.id})))


def analysed(pack: str | Path, others: Sequence[str | Path], before: Analysis | None = None) -> Analysis:
    """The core with the pack, and with those packs that it needs. Raises RulesetError if it is no pack."""
    analysis = analyse(pack, before=before)
    if not analysis.packs:
        raise RulesetError(analysis.diagnostics or (_no_pack(pack),))
    needed = [name.id for reading in analysis.packs for name in reading.pack.manifest.needs]
    if not needed:
        return analysis
    shelf = packs_of(analysis.path)
    needed_packs: list[str | Path] = [path for path in others if Path(path).name in needed]
    needed_packs += [
        name for name in needed if name in shelf and not any(Path(p).name == name for p in needed_packs)
    ]
    return analyse(pack, needed_packs, before=analysis) if needed_packs else analysis


def _no_pack(pack: str | Path) -> Diagnostic:
    from ruleforge.support.diagnostics import NOWHERE

    return Diagnostic("RF845", f"`{pack}` is no pack", NOWHERE, "a pack is a folder with a `pack.yaml`")


def _together(
    pack: str | Path,
    others: Sequence[str | Path],
    contract: Contract | None,
    alone: Findings,
    before: Analysis,
) -> Together:
    """The faults of the pack set that none of its members has alone."""
    analysis = analyse(pack, list(others), before=before)
    found = findings(analysis, contract)
    known = {_key(fault) for fault in alone.faults}
    for other in others:
        path = find_pack(other, analysis.path, Report())
        if path is not None and is_pack(path):
            known |= {_key(fault) for fault in findings(analyse(path, before=before), contract).faults}
    names = tuple(r.pack.manifest.id for r in analysis.packs)
    return Together(names[1:], tuple(fault for fault in found.faults if _key(fault) not in known))


def _key(fault: Fault) -> tuple[object, ...]:
    return fault.code, fault.places


def _name(analysis: Analysis, pack: str | Path) -> str:
    return analysis.packs[0].pack.manifest.id if analysis.packs else str(pack)


def _core(analysis: Analysis) -> str:
    core = analysis.assembly.core if analysis.assembly else None
    return f"{core.id} {core.version}" if core else analysis.path.name


def _texts(analysis: Analysis, contract: Contract | None) -> dict[str, str]:
    trees = [reading.source for reading in analysis.packs]
    return {file.path: file.content for tree in trees for file in tree.files}
