"""`findings` judges a core with packs by its contract, and lists the faults in the order of a verdict."""

from __future__ import annotations

from ruleforge.contracts.errors import header_fault, mistakes, mistakes_of_contract
from ruleforge.contracts.inquiries import INQUIRIES, MISSING, WARNINGS
from ruleforge.contracts.judgement import Answer, Fault, Verdict, one_for_each_place
from ruleforge.contracts.model import Contract
from ruleforge.contracts.permissions import Permissions
from ruleforge.contracts.trial import Trial, trial_of
from ruleforge.project.pipeline import Analysis
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass


@dataclass(frozen=True)
class Findings:
    """The result of judging one set of packs."""

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
    if contract is not None and contract.mistakes:
        return Findings(mistakes_of_contract(analysis, contract))
    wrong = header_fault(analysis, contract)
    if wrong is not None:
        return Findings((wrong,))
    trial = trial_of(analysis, contract) if contract is not None else None
    if trial is None or contract is None:
        return Findings(one_for_each_place(mistakes(analysis)))
    trial.once(Permissions)  # what a point admits is the first reason why a clause is kept
    for inquiry in INQUIRIES:
        trial.found.extend(inquiry(trial))
    invalid = mistakes(analysis, contract.guards, tuple(trial.found))
    unread = {(f.place.file, f.place.line) for f in invalid if f.answer == "invalid"}
    damaged = _damaged(trial, unread)
    sure = [fault for fault in trial.found if not any((s.file, s.line) in unread for s in fault.places)]
    sure = [fault for fault in sure if fault.code not in MISSING or not damaged & set(fault.rules)]
    faults = one_for_each_place([*sure, *invalid])
    warned = [w for warnings in WARNINGS for w in warnings(trial)]
    # what never applies may do so because of a mistake that is told already
    warned = [w for w in warned if not (unread and w.code == "RF922")]
    return Findings(faults, one_for_each_place(warned), _clauses(trial, faults), trial)


def _damaged(trial: Trial, unread: set[tuple[str, int]]) -> set[str]:
    """Rules and actions with an unreadable line: it may have held the limit or condition that they lack."""
    effects = trial.summaries.effects
    heads: list[tuple[Span, frozenset[str]]] = [(effect.span, frozenset({effect.name})) for effect in effects]
    for kind in trial.rules.kinds.values():
        carried = (d.name for d in effects if d.carrier is not None and d.carrier.kind is kind)
        heads.append((kind.span, frozenset(carried)))
    found: set[str] = set()
    for file, line in unread:
        above = [(span.line, names) for span, names in heads if span.file == file and span.line <= line]
        found |= max(above, key=lambda head: head[0])[1] if above else frozenset()
    return found


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
            found.append(Verdict(clause, "kept", trial.upheld.get(clause, "no rule of the pack concerns it")))
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
    for denied in contract.denial:
        found += (*denied.clause, *denied.endless, *denied.cites)
    found += contract.loops.cites if contract.loops else ()
    found += contract.conserve.cites
    for holds in contract.holds:
        found += holds.cites
    return tuple(dict.fromkeys(found))
