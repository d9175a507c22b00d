"""Texts -> what playouts measure: the name of an event, an action or a rule is counted, another text worked out.

hurt                            how often the event happened
action play                     how often the action was chosen
count(c in ann.field)           the value of an expression at the end of the game
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleforge.backends.artifacts.query_programs import absent
from ruleforge.compiler import ir
from ruleforge.compiler.program import Measured
from ruleforge.lang.checker.check_snippet import check_text
from ruleforge.lang.checker.typed import Checked, Expr
from ruleforge.lang.checker.types import FlagT, NumberT, ThingT
from ruleforge.support.diagnostics import Report


def measuring(rules: Checked, players: int, texts: Sequence[str]) -> tuple[Measured, ...] | Report:
    """What each text stands for, or a report of all that is wrong."""
    report = Report()
    found = [_measured(rules, players, text, report) for text in texts]
    return report if report.has_errors else tuple(m for m in found if m is not None)


def _measured(rules: Checked, players: int, text: str, report: Report) -> Measured | None:
    what = next((means for names, means in _counted(rules) if text in names), None)
    if what is not None:
        return Measured(text, what)
    checked = check_text(rules, text)
    report.include(*checked.diagnostics)
    tree = checked.tree
    if not isinstance(tree, Expr):
        return None
    report.include(*absent(rules, players, tree))
    if not isinstance(tree.type, FlagT | NumberT | ThingT):
        report.add(
            "RF848", f"`{text}` is neither a number nor a thing", tree.span, "`count(...)` is a number"
        )
    return Measured(text, tree)


def _counted(rules: Checked) -> Iterator[tuple[tuple[str, str], ir.Meaning]]:
    """All that can be counted, with its names; where two have the same, the first is meant by the short one."""
    for event in rules.events:
        yield (event, f"event {event}"), ir.EventHappened(event)
    for number, action in enumerate(rules.actions):
        yield (action, f"action {action}"), ir.ActionBegan(number)
    for rule in rules.rules:
        yield (rule.name, f"rule {rule.name}"), ir.RuleApplied(rule.name)
