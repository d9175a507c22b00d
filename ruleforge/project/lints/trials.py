"""Warnings about trials: a tried effect asks or rolls dice, or a cost is checked in one way only."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.analysis.dataflow import reach
from ruleforge.analysis.effects.calls import performed_nodes
from ruleforge.analysis.effects.foresight import ASKS, foreseen, unforeseen
from ruleforge.analysis.effects.payments import first_choice, unforeseen_ways
from ruleforge.analysis.effects.relations import happening, relations
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import phases
from ruleforge.support.diagnostics import Report

ACTING = ("after", "instead", "always")


def check_trials(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
    for node in nodes:
        if not isinstance(node, t.Would):
            continue
        found = unforeseen(node.event.body)
        if found is not None:
            report.add(
                "RF708",
                f"`{node.event.name}` {_does(found)}, so it cannot be tried out",
                node.span,
                notes=(("here", found.span),),
            )
            continue
        for rule in _passed_over(rules, node.event):
            what = "it may ask a player" if rule.may else _does(unforeseen(rule.cost, rule.body))
            report.add(
                "RF714",
                f"the trial of `{node.event.name}` skips `{rule.name}`: {what}",
                node.span,
                help="the trial cannot know the effect of that rule; read a value that the rule does not change",
                notes=(("the rule", rule.span),),
            )


def _does(found: t.Statement | None) -> str:
    return "asks a player" if isinstance(found, ASKS) else "uses chance"


def _passed_over(rules: t.Checked, event: t.Event) -> list[t.Rule]:
    """The rules that would act on something that happens in a trial of the event, but are not foreseen there."""
    acting = [rule for rule in rules.rules if rule.form in ACTING]

    def set_off(*happened: object, by: t.Block | None) -> list[t.Rule]:
        nodes = performed_nodes(by)
        happens = {*happened, *(happening(one) for node in nodes for one in relations(rules, node))}
        return [rule for rule in acting if rule.pattern is None or rule.pattern.subject in happens]

    met = reach(set_off(event, by=event.body), lambda rule: set_off(by=rule.body) if foreseen(rule) else ())
    return [rule for rule in acting if rule in met and not foreseen(rule)]


# RF715: a cost whose last parts depend on the way in which the first are paid, but only one way is tried.


def check_costs(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
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
