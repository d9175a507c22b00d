"""An analysis of a core with packs -> EffectSummaries: the one thing that judging reads."""

from __future__ import annotations

from collections.abc import Callable

from ruleforge.analysis.effects.ranges import Ranges
from ruleforge.analysis.effects.summarizer import Summarizer
from ruleforge.analysis.effects.summary import Change, EffectSummaries
from ruleforge.contracts.model import Contract
from ruleforge.contracts.structure import Structure
from ruleforge.lang.checker import typed as t
from ruleforge.project.pipeline import Analysis
from ruleforge.support.diagnostics import Span


def owner_in(analysis: Analysis) -> Callable[[Span], str]:
    """Which pack a place belongs to; the empty text for the core and for what is built in."""
    packs = {
        file.path: reading.pack.manifest.id for reading in analysis.packs for file in reading.source.files
    }
    return lambda span: packs.get(span.file, "")


def ranges_for(rules: t.Checked, contract: Contract | None) -> Ranges:
    """Resources whose gain must be bounded have themselves no bound that counts."""
    endless = []
    for bounded in contract.bounded if contract else ():
        kind, _, name = bounded.of.text.partition(".")
        endless.append((kind, name))
    return Ranges(rules, frozenset(endless))


def summaries_of(analysis: Analysis, contract: Contract | None) -> EffectSummaries:
    assert analysis.assembly is not None
    structure: list[tuple[str, Change]] = []
    for reading in analysis.packs:
        found = Structure(analysis.assembly.core, reading.pack, reading.source, analysis.checked)
        structure += [(reading.pack.manifest.id, change) for change in found.changes()]
    if analysis.checked is None:
        return EffectSummaries((), (), tuple(structure))
    effects = [
        *Summarizer(analysis.checked, ranges_for(analysis.checked, contract), owner_in(analysis)).all(),
    ]
    return EffectSummaries(
        tuple(effect for effect in effects if effect.origin),
        tuple(effect for effect in effects if not effect.origin),
        tuple(structure),
    )
