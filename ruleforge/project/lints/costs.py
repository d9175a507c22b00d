"""RF715: a cost whose last parts hang on how the first are paid, of which only one way is tried."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.analysis.effects.payments import first_choice, unforeseen_ways
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.rule_roots import phases
from ruleforge.support.diagnostics import Report


def check(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
    for cost in (*(a.cost for a in rules.actions.values()), *(r.cost for r in rules.rules)):
        part, later = next(unforeseen_ways(cost), (None, None)) if cost is not None else (None, None)
        if part is not None and later is not None:
            report.add(
                "RF715",
                "this part of the cost depends on how an earlier part is paid, "
                "and the check tries only one way to pay that",
                later.span,
                help="put it before the part with a choice",
                notes=(("the part with a choice", part.span),),
            )
    for action in rules.actions.values():
        part = first_choice(action.cost) if action.cost is not None and _must_hold(rules, action) else None
        if part is not None:
            report.add(
                "RF715",
                "the check of `such that` tries only one way to pay this part of the cost",
                part.span,
                help="put a condition on the payment under `needs`",
            )


def _must_hold(rules: t.Checked, action: t.Action) -> bool:
    """Whether something must hold after an action, for its own sake or in a phase it is taken in."""
    return bool(action.holds) or any(phase.holds and phase.name in action.during for phase in phases(rules))
