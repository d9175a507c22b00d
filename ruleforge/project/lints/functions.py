"""RF722: a formula or event called like a function of the language, which the rules cannot ask any more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.builtins import BUILTINS, IN_CHECKS
from ruleforge.support.diagnostics import Report, Span


def check(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
    for sort, name, span in _called(rules):
        if name in BUILTINS or name in IN_CHECKS:
            message = f"the {sort} `{name}` hides the function `{name}` of the language"
            report.add("RF722", message, span, f"choose another name, such as `{name}_of` or `the_{name}`")


def _called(rules: t.Checked) -> Iterator[tuple[str, str, Span]]:
    yield from (("formula", formula.name, formula.span) for formula in rules.formulas.values())
    yield from (("event", event.name, event.span) for event in rules.events.values())
