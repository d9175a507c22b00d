"""RF708: what is only tried out asks somebody or rolls dice; RF714: a rule that would do so is passed over."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.analysis.dataflow import reach
from ruleforge.analysis.effects.calls import performed_nodes
from ruleforge.analysis.effects.foresight import ASKS, foreseen, unforeseen
from ruleforge.analysis.effects.relations import happening, relations
from ruleforge.lang.checker import typed as t
from ruleforge.support.diagnostics import Report

ACTING = ("after", "instead", "always")


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
