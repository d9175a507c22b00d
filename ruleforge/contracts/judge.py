"""An analysis of a core with packs, and its contract -> what is wrong with them, in the order of a verdict."""

from __future__ import annotations

from dataclasses import dataclass

from ruleforge.contracts.errors import header_fault, mistakes
from ruleforge.contracts.judgement import Answer, Fault, Verdict, one_for_each_place
from ruleforge.contracts.model import Contract
from ruleforge.contracts.permissions import Permissions
from ruleforge.contracts.trial import Inquiry, Trial, trial_of
from ruleforge.pipeline import Analysis

INQUIRIES: tuple[Inquiry, ...] = ()


@dataclass(frozen=True)
class Findings:
    """What judging one company of packs has found."""

    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()
    clauses: tuple[Verdict, ...] = ()
    trial: Trial | None = None

    @property
    def verdict(self) -> str:
        if any(fault.answer == "invalid" for fault in self.faults):
            return "invalid"
        return "rejected" if self.faults else "accepted"


def findings(analysis: Analysis, contract: Contract | None) -> Findings:
    """Header, then what is wrong with the rules themselves, then the contract; all of it in one run."""
    wrong = header_fault(analysis, contract)
    if wrong is not None:
        return Findings((wrong,))
    trial = trial_of(analysis, contract) if contract is not None else None
    if trial is None:
        return Findings(one_for_each_place(mistakes(analysis, contract, None, ())))
    permissions = Permissions(trial)
    found = [*_of_kind(trial), *permissions.faults()]
    for inquiry in INQUIRIES:
        found += inquiry(trial)
    found += mistakes(analysis, contract, permissions.admission, tuple(found))
    faults = one_for_each_place(found)
    warnings = one_for_each_place(permissions.warnings())
    return Findings(faults, warnings, _clauses(trial, faults), trial)


def _of_kind(trial: Trial) -> list[Fault]:
    """Packs of a kind that the core does not take."""
    accepted = trial.contract.packs
    return [
        Fault(
            "broken",
            "RF908",
            manifest.id,
            (),
            (manifest.span,),
            f"`{manifest.id}` is a pack of the kind {manifest.kind}; the core takes {', '.join(accepted)}",
            trial.contract.fallback,
            (("contract", trial.contract.span),),
            f"make it a pack of the kind {accepted[0]}",
        )
        for manifest in (reading.pack.manifest for reading in trial.analysis.packs)
        if accepted and manifest.kind not in accepted
    ]


def _clauses(trial: Trial, faults: tuple[Fault, ...]) -> tuple[Verdict, ...]:
    """Every clause that the contract puts into effect, with the answer reached."""
    found: list[Verdict] = []
    for clause in clauses_of(trial.contract):
        broken = [fault for fault in faults if clause in fault.clauses]
        if broken:
            unknown = all(fault.answer == "unknown" for fault in broken)
            answer: Answer = "unknown" if unknown else "broken"
            found.append(Verdict(clause, answer, "; ".join(fault.why for fault in broken)))
        else:
            found.append(Verdict(clause, "kept", trial.kept.get(clause, "nothing in the pack touches it")))
    return tuple(found)


def clauses_of(contract: Contract) -> tuple[str, ...]:
    """All clauses that a contract cites, in the order in which it does."""
    found = [*contract.otherwise, *contract.cites]
    for guard in contract.guards:
        found += guard.clauses
    for point in contract.points:
        found += (*point.cites, *point.over, *point.bare)
    for section in (contract.bounded, contract.flows, contract.chance, contract.secrecy):
        for part in section:
            found += part.cites
    for denial in contract.denial:
        found += (*denial.clause, *denial.endless)
    found += contract.loops.cites if contract.loops else ()
    found += contract.conserve.cites
    return tuple(dict.fromkeys(found))
