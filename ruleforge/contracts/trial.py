"""What every analysis of a set of packs reads: the contract, the checked rules, and their effect summaries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import cached_property

from ruleforge.analysis.effects.ranges import Ranges
from ruleforge.analysis.effects.summary import EffectSummaries, EffectSummary
from ruleforge.contracts.conditions import Circumstances
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.model import Clauses, Contract
from ruleforge.contracts.pack_set import owner_in, ranges_for, summaries_of
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import phases_of
from ruleforge.project.pipeline import Analysis
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass


@dataclass(frozen=True)
class Trial:
    """One set of packs before the contract of their core."""

    contract: Contract
    analysis: Analysis
    rules: t.Checked
    summaries: EffectSummaries
    ranges: Ranges
    owner: Callable[[Span], str]
    upheld: dict[str, str] = field(default_factory=dict)  # clause -> why it is kept

    @cached_property
    def circumstances(self) -> Circumstances:
        effects = (*self.summaries.effects, *self.summaries.core)
        gone = {o.about for effect in self.summaries.effects for o in effect.occasions if o.what == "remove"}
        return Circumstances(self.rules, self.ranges, frozenset(gone), effects)

    def phase(self, name: str) -> t.Phase | None:
        return next((phase for phase in phases_of(self.rules.flow) if phase.name == name), None)

    def note(self, clauses: Clauses, why: str) -> None:
        """A reason why clauses are kept; the first one is told."""
        for clause in clauses:
            self.upheld.setdefault(clause, why)


# An analysis that needs more than one change at a time.
Inquiry = Callable[[Trial], list[Fault]]


def trial_of(analysis: Analysis, contract: Contract) -> Trial | None:
    """None if the rules could not be checked at all."""
    if analysis.checked is None or analysis.assembly is None:
        return None
    return Trial(
        contract,
        analysis,
        analysis.checked,
        summaries_of(analysis, contract),
        ranges_for(analysis.checked, contract),
        owner_in(analysis),
    )


def subject(effect: EffectSummary) -> str:
    return f"`{effect.title}`"
