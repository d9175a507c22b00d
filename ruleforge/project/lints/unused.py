"""RF702: something is defined that nothing uses."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.analysis.effects.relations import Verb, relations
from ruleforge.lang.checker import typed as t
from ruleforge.support.diagnostics import Report


def check(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
    used: set[object] = {
        what for node in nodes for verb, what in relations(rules, node) if verb is not Verb.WRITE
    }
    for rule in rules.rules:
        if rule.pattern is not None:
            used.add(rule.pattern.subject)
    for formula in rules.formulas.values():
        if formula not in used and formula.sees is None and not formula.open:
            report.add("RF702", f"nothing uses the formula `{formula.name}`", formula.span)
    for event in rules.events.values():
        if event not in used and not event.open:
            report.add("RF702", f"the event `{event.name}` never happens", event.span)
    for window in rules.windows.values():
        if window not in used and not window.open:
            report.add("RF702", f"no effect offers the window `{window.name}`", window.span)
    for position in rules.positions.values():
        if position not in used:
            report.add("RF702", f"nothing uses the position `{position.name}`", position.span)
    for ending in rules.endings.values():
        if ending not in used and ending not in rules.watches:
            report.add("RF702", f"no game can end with `{ending.name}`", ending.span)
