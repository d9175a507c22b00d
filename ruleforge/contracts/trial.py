"""`Trial` holds all data to judge one set of packs: contract, checked rules, effect summaries and faults."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from functools import cached_property
from typing import Any, TypeVar

from ruleforge.analysis.effects.circumstances import Found, Where
from ruleforge.analysis.effects.ranges import Ranges
from ruleforge.analysis.effects.summarizer import Summarizer
from ruleforge.analysis.effects.summary import Change, EffectSummaries, EffectSummary
from ruleforge.analysis.effects.walk import Walk
from ruleforge.contracts.conditions import Circumstances
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.model import Chance, Clauses, Contract, Denial, Holds, Loops, Part, Point, Secrecy
from ruleforge.contracts.structure import Structure
from ruleforge.contracts.terms import named
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import phases_of
from ruleforge.project.pipeline import Analysis
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

Made = TypeVar("Made")


@dataclass(frozen=True)
class Trial:
    """One set of packs before the contract of their core.

    Inquiries are asked one after the other. Each sees what was found before it, and says nothing that follows from it.
    """

    contract: Contract
    analysis: Analysis
    rules: t.Checked
    summaries: EffectSummaries
    ranges: Ranges
    owner: Callable[[Span], str]
    upheld: dict[str, str] = field(default_factory=dict)  # clause -> the reason why it is kept
    found: list[Fault] = field(default_factory=list)
    made: dict[Any, Any] = field(default_factory=dict)

    @cached_property
    def circumstances(self) -> Circumstances:
        effects = (*self.summaries.effects, *self.summaries.core)
        gone = {o.about for effect in self.summaries.effects for o in effect.occasions if o.what == "remove"}
        return Circumstances(self.rules, self.ranges, frozenset(gone), effects, self.owner)

    def once(self, make: Callable[[Trial], Made]) -> Made:
        """The result of `make` for this trial, computed on first use."""
        if make not in self.made:
            self.made[make] = make(self)
        return self.made[make]  # type: ignore[no-any-return]

    def phase(self, name: str) -> t.Phase | None:
        return next((phase for phase in phases_of(self.rules.flow) if phase.name == name), None)

    def happens_in(self, event: t.Event) -> Found:
        """All that an event does, as the business of the core."""
        found = Found()
        Walk(self.rules, self.ranges, self.owner).block(event.body, {}, Where(sealed=event.name), found)
        return found

    def note(self, clauses: Clauses, why: str) -> None:
        """A reason why clauses are kept; the first one is told."""
        for clause in clauses:
            self.upheld.setdefault(clause, why)

    def blamed(self, code: str) -> set[str]:
        """The rules with a fault of this code."""
        return {rule for fault in self.found if fault.code == code for rule in fault.rules}

    def lines(self, *codes: str) -> set[tuple[str, int]]:
        """The lines with a fault of one of these codes."""
        return {(s.file, s.line) for fault in self.found if fault.code in codes for s in fault.places}


# One row of the table of inquiries; each part of the contract has an inquiry of its own.
Inquiry = Callable[[Trial], Iterable[Fault]]


def of_parts(
    parts: Callable[[Contract], Iterable[Any]],
    breaches: Callable[[Trial, Any], Iterable[Fault]],
    upheld: Callable[[Any], tuple[Clauses, str]] | None = None,
) -> Inquiry:
    """The inquiry into each part of one section, which notes why a part is kept."""

    def inquiry(trial: Trial) -> Iterable[Fault]:
        for part in parts(trial.contract):
            found = list(breaches(trial, part))
            if not found and upheld is not None:
                trial.note(*upheld(part))
            yield from found

    return inquiry


def broken(code: str, by: EffectSummary, part: Part, why: str, repair: str | None, *places: Span) -> Fault:
    """The fault of an effect that breaks a part of the contract, at its place."""
    core = ((label(part), part.span),)
    return Fault("broken", code, by.origin, (by.name,), places or (by.place,), why, part.cites, core, repair)


def warning(code: str, by: EffectSummary, why: str, repair: str | None = None) -> Fault:
    return Fault("warning", code, by.origin, (by.name,), (by.place,), why, repair=repair)


def label(part: Part) -> str:
    """The name of a part of the contract in a fault."""
    match part:
        case Point(id=id):
            return f"point `{id}`"
        case Loops(settled_by=settled):
            return f"loops are settled by {' or '.join(settled)}"
        case Denial(of=of):
            return f"denial of `{of}`"
        case Chance():
            return f"no chance inside {named(part.inside)}"
        case Secrecy():
            return "what stays hidden"
        case Holds():
            return "what must hold"
    return type(part).__name__.lower()


def subject(effect: EffectSummary) -> str:
    return f"`{effect.title}`"


# --- of packs ---


def trial_of(analysis: Analysis, contract: Contract) -> Trial | None:
    """None if the rules could not be checked at all."""
    rules = analysis.checked
    if rules is None or analysis.assembly is None:
        return None
    summaries, ranges = summaries_of(analysis, contract), ranges_for(rules, contract)
    return Trial(contract, analysis, rules, summaries, ranges, owner_in(analysis))


def owner_in(analysis: Analysis) -> Callable[[Span], str]:
    """Which pack a place belongs to; the empty text for the core and for what is built in."""
    packs = {
        file.path: reading.pack.manifest.id for reading in analysis.packs for file in reading.source.files
    }
    return lambda span: packs.get(span.file, "")


def ranges_for(rules: t.Checked, contract: Contract | None) -> Ranges:
    """Resources whose gain must be bounded have themselves no bound that counts."""
    texts = [bounded.of.text.partition(".") for bounded in (contract.bounded if contract else ())]
    return Ranges(rules, frozenset((kind, name) for kind, _, name in texts))


def summaries_of(analysis: Analysis, contract: Contract | None) -> EffectSummaries:
    """The effects of packs and core, and what packs say of definitions of the core."""
    assert analysis.assembly is not None
    rules, structure = analysis.checked, list[tuple[str, Change]]()
    for reading in analysis.packs:
        found = Structure(analysis.assembly.core, reading.pack, reading.source, rules)
        structure += [(reading.pack.manifest.id, change) for change in found.changes()]
    if rules is None:
        return EffectSummaries((), (), tuple(structure))
    effects = list(Summarizer(rules, ranges_for(rules, contract), owner_in(analysis)).all())
    ours, core = (tuple(e for e in effects if bool(e.origin) is packs) for packs in (True, False))
    return EffectSummaries(ours, core, tuple(structure))
