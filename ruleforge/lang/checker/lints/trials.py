"""RF708: what is only tried out asks somebody or rolls dice; RF714: a rule that would do so is passed over."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.unforeseen import ASKS, foreseen, unforeseen
from ruleforge.lang.checker.walk import all_nodes
from ruleforge.support.diagnostics import NOWHERE, Report

ACTING = ("after", "instead", "always")
NOTHING = t.Block(NOWHERE, ())  # what an event does that has no effects, or none that could be read


def check(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
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
            what = "somebody may be asked" if rule.may else _does(unforeseen(rule.cost, rule.body))
            report.add(
                "RF714",
                f"the trial of `{node.event.name}` passes over `{rule.name}`: {what}",
                node.span,
                help="what it would be after that rule cannot be known; ask for something the rule leaves alone",
                notes=(("the rule", rule.span),),
            )


def _does(found: t.Statement | None) -> str:
    return "asks somebody" if isinstance(found, ASKS) else "leaves something to chance"


def _passed_over(rules: t.Checked, event: t.Event) -> list[t.Rule]:
    """The rules that would act on something that happens in a trial of the event, but are not foreseen there."""
    acting = [rule for rule in rules.rules if rule.form in ACTING]
    happening: set[object] = {event}
    todo: list[object] = [event.body or NOTHING]
    met: set[t.Rule] = set()
    while todo:
        for node in all_nodes(todo.pop()):
            match node:
                case t.Perform(event=other) if other not in happening:
                    happening.add(other)
                    todo += [other.body] if other.body is not None else []
                case t.Store(column=column):
                    happening.add(column)
                case t.Move(place=place):
                    happening.add(place.holds)
        if not todo:
            fitting = [rule for rule in acting if rule not in met and _fits(rule, happening)]
            met |= set(fitting)
            todo += [rule.body for rule in fitting if foreseen(rule) and rule.body is not None]
    return [rule for rule in acting if rule in met and not foreseen(rule)]


def _fits(rule: t.Rule, happening: set[object]) -> bool:
    return rule.pattern is None or rule.pattern.subject in happening
