"""RF705: a rule waits for something that never happens."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.lang.checker import typed as t
from ruleforge.support.diagnostics import Report


def check(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
    happens: set[object] = set()
    for node in nodes:
        match node:
            case t.Perform(event=event):
                happens.add(event)
            case t.Store(column=column):
                happens.add(column)
            case t.Pay(pools=pools):
                happens |= {p.column for p in pools}
            case t.Move(place=place):
                happens.add(place.holds)
            case t.New(kind=kind, given=given):
                happens |= {column for column, _ in given} | {kind}
    for rule in rules.rules:
        if rule.form in ("after", "instead", "forbid") and rule.pattern is not None:
            subject = rule.pattern.subject
            if isinstance(subject, t.Event) and subject.open:
                continue
            if not isinstance(subject, tuple) and subject not in happens:
                report.add("RF705", f"what `{rule.name}` waits for never happens", rule.pattern.span)
