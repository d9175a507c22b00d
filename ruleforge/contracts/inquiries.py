"""The table of inquiries: for each part of a contract its check and its proof text, in the order of a verdict."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.contracts import (
    chance,
    denial,
    flows,
    gains,
    invariants,
    loops,
    measure_limits,
    poverty,
    secrecy,
    standstill,
)
from ruleforge.contracts.conditions import usual_limit
from ruleforge.contracts.judgement import Fault
from ruleforge.contracts.model import Contract, Loops
from ruleforge.contracts.permissions import Permissions
from ruleforge.contracts.terms import named
from ruleforge.contracts.trial import Inquiry, Trial, of_parts, subject, warning

# A part reported missing may stand on a line that could not be read.
MISSING = ("RF906", "RF907", "RF911", "RF912", "RF913")


def _loops(contract: Contract) -> Iterator[Loops]:
    if contract.loops is not None:
        yield contract.loops


def _foreign_packs(trial: Trial) -> Iterator[Fault]:
    """Packs of a kind that the core does not take."""
    accepted, contract = trial.contract.packs, trial.contract
    for manifest in (reading.pack.manifest for reading in trial.analysis.packs):
        if accepted and manifest.kind not in accepted:
            why = (
                f"`{manifest.id}` is a pack of the kind {manifest.kind}; the core takes {', '.join(accepted)}"
            )
            core, repair = (("contract", contract.span),), f"make it a pack of the kind {accepted[0]}"
            spans, cites = (manifest.span,), contract.fallback
            yield Fault("broken", "RF908", manifest.id, (), spans, why, cites, core, repair)


# Each row sees what those above it found. Of two faults at one place, the first says why.
INQUIRIES: tuple[Inquiry, ...] = (
    _foreign_packs,
    of_parts(lambda c: c.denial, denial.breaches),
    of_parts(
        lambda c: c.secrecy,
        secrecy.breaches,
        lambda s: (s.cites, "the pack shows nothing hidden, and no effect depends on it"),
    ),
    lambda trial: trial.once(Permissions).faults(),
    of_parts(
        lambda c: (flow for flow in c.flows if not flow.by),
        flows.breaches,
        lambda f: (f.cites, f"no rule leads from `{f.source or f.after}` to {' or '.join(f.into)}"),
    ),
    of_parts(
        lambda c: (flow for flow in c.flows if flow.by),
        measure_limits.breaches,
        lambda f: (f.cites, f"nothing of {' or '.join(f.into)} is measured by `{f.by}`"),
    ),
    of_parts(
        _loops, loops.breaches, lambda part: (part.cites, "no rules trigger each other without a limit")
    ),
    of_parts(_loops, standstill.stalled),
    of_parts(_loops, standstill.cornered),
    of_parts(lambda c: c.bounded, gains.breaches),
    of_parts(
        lambda c: c.chance,
        chance.breaches,
        lambda part: (part.cites, f"the pack has no chance and no question inside {named(part.inside)}"),
    ),
    of_parts(
        lambda c: (part for part in c.holds if part.at == "load" and part.that is not None),
        invariants.breaches,
        lambda part: (part.cites, f"`{part.text}` holds"),
    ),
    invariants.checks,
    lambda trial: trial.once(Permissions).crowded(),
)


# --- warnings, which never reject ---


def _never(trial: Trial) -> Iterator[Fault]:
    """Rules whose condition no subject meets."""
    for effect in trial.summaries.effects:
        if effect.conditions and effect.form != "action" and trial.circumstances.impossible(effect):
            yield warning("RF922", effect, f"{subject(effect)} never applies: its condition is never true")


def _free(trial: Trial) -> Iterator[Fault]:
    """Actions that cost nothing and can be taken again and again in one window."""
    for effect in trial.summaries.effects:
        action = effect.action
        if action is None or action.limit is not None or action.cost is not None or effect.writes:
            continue
        phases = [trial.phase(name) for name in action.during]
        if any(phase is not None and phase.window == "many" for phase in phases):
            why = f"{subject(effect)} costs nothing and can be repeated without end"
            yield warning("RF923", effect, why, f"add a `cost`, or `{usual_limit(trial.rules)}`")


WARNINGS: tuple[Inquiry, ...] = (
    lambda trial: trial.once(Permissions).warnings(),
    gains.warnings,
    denial.warnings,
    poverty.warnings,
    _never,
    _free,
)
