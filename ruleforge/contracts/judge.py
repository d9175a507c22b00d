"""An analysis of a core with packs, and its contract -> what is wrong with them, in the order of a verdict."""

from __future__ import annotations

from ruleforge.contracts import (
    bounds,
    chance,
    dead_ends,
    denial,
    flows,
    invariants,
    loops,
    measure_limits,
    secrecy,
    stalled_rules,
)
from ruleforge.contracts.errors import header_fault, mistakes, mistakes_of_contract
from ruleforge.contracts.judgement import Answer, Fault, Verdict, one_for_each_place
from ruleforge.contracts.model import Contract
from ruleforge.contracts.permissions import Permissions
from ruleforge.contracts.trial import Inquiry, Trial, trial_of
from ruleforge.contracts.warnings import warnings as warnings_of
from ruleforge.project.pipeline import Analysis
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

INQUIRIES: tuple[Inquiry, ...] = (
    flows.faults,
    measure_limits.faults,
    loops.faults,
    stalled_rules.faults,
    dead_ends.faults,
    bounds.faults,
    denial.faults,
    chance.faults,
    secrecy.faults,
    invariants.faults,
)
# What these say of a place is more than that no point admits it.
_SAYS_MORE = ("RF913", "RF915")
# What these say is missing may stand on a line that could not be read.
_MISSING = ("RF906", "RF907", "RF911", "RF912", "RF913")


@dataclass(frozen=True)
class Findings:
    """What judging one set of packs has found."""

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
        return Findings(one_for_each_place(mistakes(analysis, contract, None, ())))
    permissions = Permissions(trial)
    single = permissions.faults()
    special = [fault for inquiry in INQUIRIES for fault in inquiry(trial)]
    special = [f for f in special if f.code != "RF915" or f.place not in permissions.looks()]
    more = [fault for fault in special if fault.code in _SAYS_MORE]
    others = [fault for fault in _unexplained(special) if fault not in more]
    plain = _unreported(single, more, contract)
    found = [*_of_kind(trial), *more, *plain, *others, *permissions.crowded()]
    invalid = mistakes(analysis, contract, permissions.admission, tuple(found))
    unread = {(f.place.file, f.place.line) for f in invalid if f.answer == "invalid"}
    sure = [fault for fault in found if not any((s.file, s.line) in unread for s in fault.places)]
    damaged = _damaged(trial, unread)
    sure = [f for f in sure if f.code not in _MISSING or not damaged & set(f.rules)]
    faults = one_for_each_place([*sure, *invalid])
    # what never applies may do so because of a mistake that is told already
    warned = [w for w in warnings_of(trial) if not (unread and w.code == "RF922")]
    warnings = one_for_each_place([*permissions.warnings(), *warned])
    return Findings(faults, warnings, _clauses(trial, faults), trial)


def _damaged(trial: Trial, unread: set[tuple[str, int]]) -> set[str]:
    """Rules and actions of which a line could not be read: it may have held the limit or condition that they lack."""
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


def _unreported(faults: list[Fault], more: list[Fault], contract: Contract) -> list[Fault]:
    """Permissions that are missing where an inquiry says more of the same place add clauses of guards at most."""
    reported = {(s.file, s.line) for fault in more for s in fault.places}
    return [
        fault
        for fault in faults
        if (fault.place.file, fault.place.line) not in reported
        or not set(fault.clauses) <= set(contract.fallback)
    ]


def _unexplained(special: list[Fault]) -> list[Fault]:
    """A gain without a bound that a reported loop explains is not told again."""
    looping = {rule for fault in special if fault.code == "RF911" for rule in fault.rules}
    return [f for f in special if f.code != "RF912" or not set(f.rules) & looping]


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
            found.append(Verdict(clause, "kept", trial.upheld.get(clause, "nothing in the pack touches it")))
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
