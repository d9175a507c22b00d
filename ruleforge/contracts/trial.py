"""What every analysis of a company of packs reads: the contract, the checked rules, and their footprints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from ruleforge.analysis.effects.facts import Deed, Footprints
from ruleforge.analysis.effects.ranges import Ranges
from ruleforge.contracts.company import footprints_of, owner_in, ranges_for
from ruleforge.contracts.conditions import Circumstances
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.model import Clauses, Contract
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import phases_of
from ruleforge.project.pipeline import Analysis
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass


@dataclass(frozen=True)
class Trial:
    """One company of packs before the contract of their core."""

    contract: Contract
    analysis: Analysis
    rules: t.Checked
    prints: Footprints
    ranges: Ranges
    owner: Callable[[Span], str]
    kept: dict[str, str] = field(default_factory=dict)  # clause -> why it is kept

    @property
    def circumstances(self) -> Circumstances:
        deeds = (*self.prints.deeds, *self.prints.core)
        gone = {o.about for deed in self.prints.deeds for o in deed.occasions if o.what == "remove"}
        return Circumstances(self.rules, self.ranges, frozenset(gone), deeds)

    def phase(self, name: str) -> t.Phase | None:
        return next((phase for phase in phases_of(self.rules.flow) if phase.name == name), None)

    def note(self, clauses: Clauses, why: str) -> None:
        """A reason why clauses are kept; the first one is told."""
        for clause in clauses:
            self.kept.setdefault(clause, why)


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
        footprints_of(analysis, contract),
        ranges_for(analysis.checked, contract),
        owner_in(analysis),
    )


def subject(deed: Deed) -> str:
    return f"`{deed.title}`"
