"""Every expression and effect of a ruleset, for checks that look at all of them."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.check import typed as t
from ruleforge.check.walk import all_nodes


def phases(rules: t.Checked) -> list[t.Phase]:
    found = list(rules.flow)
    for phase in found:
        found += phase.steps
    return found


def roots(rules: t.Checked) -> Iterator[object]:
    """The texts of a ruleset, each as its typed tree."""
    yield from (f.body for f in rules.formulas.values())
    for event in rules.events.values():
        yield from (*event.needs, event.body)
    for action in rules.actions.values():
        yield from (*action.binders, *action.needs, *action.holds, action.cost, action.body)
        yield action.carrier.works if action.carrier else None
    for rule in rules.rules:
        yield from (rule.binder, rule.when, rule.who, rule.cost, rule.body, rule.amount)
        yield from (value for _, value in rule.before)
        yield from rule.pattern.tests if rule.pattern else ()
        yield rule.carrier.works if rule.carrier else None
    for phase in phases(rules):
        yield from (phase.when, phase.each, phase.repeat, phase.body, phase.stuck, phase.end, *phase.holds)
    for ending in rules.endings.values():
        yield from (ending.when, ending.winners)
    yield from (i.test for i in rules.invariants)
    for column in rules.columns.values():
        yield column.sees.test if column.sees else None
    for place in rules.places.values():
        yield from (place.starts, place.sees.test if place.sees else None)
    for kind in rules.kinds.values():
        yield from (a.value for a in (kind.controller, kind.works, kind.trigger_order) if a)
    yield from (f.sees.test for f in rules.formulas.values() if f.sees)
    yield rules.setup
    yield rules.score[1] if rules.score else None


def nodes(rules: t.Checked) -> Iterator[object]:
    for root in roots(rules):
        if root is not None:
            yield from all_nodes(root)
