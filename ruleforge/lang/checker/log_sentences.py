"""`tells` of events and actions, held against the rules: every hole is an expression over what they are given."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.expressions.checker import Expressions
from ruleforge.lang.checker.scope import Scope
from ruleforge.lang.model.log_sentence import LogSentence
from ruleforge.lang.parser.text_parser import parse_expr
from ruleforge.support.diagnostics import Report

_HALF = re.compile(r"\{[^{}?]*\?[^{}:]*\}")
Tells = dict[str, t.LogTemplate]


class LogSentences:
    """Checks tellings; each is kept with the locals that its holes may name."""

    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions
        self._symbols = expressions.symbols

    def event(self, event: t.Event, telling: LogSentence) -> t.LogTemplate:
        return self._told(telling, event.parameters)

    def action(self, action: t.Action, telling: LogSentence) -> t.LogTemplate:
        return self._told(telling, known_to(action))

    def _told(self, telling: LogSentence, given: Iterable[t.Variable]) -> t.LogTemplate:
        variables = tuple(given)
        scope = Scope().bind(*variables)
        check_braces(telling, "telling", self._symbols.report)
        for hole in telling.holes:
            node = parse_expr(hole.expression, self._symbols.report)
            if node is None:
                continue
            if hole.answers is not None:
                self._expressions.condition(node, scope)
            else:
                self._expressions.check(node, scope)
        return t.LogTemplate(telling, variables)


def known_to(action: t.Action) -> tuple[t.Variable, ...]:
    """What may be named once it is chosen: who acts, what the window gives, its bearer, and what is chosen."""
    bound = (b.chosen if isinstance(b, t.Several) else b.variable for b in action.binders)
    this = () if action.carrier is None else (action.carrier.this,)
    return (action.me, *action.given, *this, *bound)


def check_braces(telling: LogSentence, what: str, report: Report) -> None:
    """Complain about a bracket that is not closed, or not opened."""
    rest = "".join(part for part in telling.parts if isinstance(part, str))
    if half := _HALF.search(rest):
        help = "write `{CONDITION ? YES : NO}`; one side may be empty"
        report.add("RF407", f"`{half[0]}` has one side only", telling.text.span, help)
    elif "{" in rest or "}" in rest or rest.count("[") != rest.count("]"):
        then = ", `{then EXPRESSION}`" if what == "telling" else ""
        help = f"write `{{EXPRESSION}}`{then} or `{{CONDITION ? YES : NO}}`"
        if "{" not in rest and "}" not in rest:
            help = "put `[...]` around words that appear only if the reader may know all of them"
        report.add("RF404", f"a bracket in this {what} has no partner", telling.text.span, help)
