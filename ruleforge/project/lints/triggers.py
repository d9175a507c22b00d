"""RF705: a rule waits for something that never happens."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.analysis.effects.relations import happening, relations
from ruleforge.lang.checker import typed as t
from ruleforge.support.diagnostics import Report


def check(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
    happens = {happening(relation) for node in nodes for relation in relations(rules, node)}
    for rule in rules.rules:
        if rule.form in ("after", "instead", "forbid") and rule.pattern is not None:
            subject = rule.pattern.subject
            if isinstance(subject, t.Event) and subject.open:
                continue
            if not isinstance(subject, tuple) and subject not in happens:
                report.add("RF705", f"the trigger of `{rule.name}` never happens", rule.pattern.span)
