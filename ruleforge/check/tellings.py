"""`tells` of events and actions, held against the rules: every hole is an expression over what they are given."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from ruleforge.check import typed as t
from ruleforge.check.expressions import Expressions
from ruleforge.check.scope import Scope
from ruleforge.dsl.from_text import parse_expr
from ruleforge.model.telling import Telling

Tells = dict[str, t.Told]


class Tellings:
    """Checks tellings; each is kept with the types of what its holes may name."""

    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions
        self._symbols = expressions.symbols

    def event(self, event: t.Event, telling: Telling) -> t.Told:
        return self._told(telling, event.parameters)

    def action(self, action: t.Action, telling: Telling) -> t.Told:
        now = action.binders if action.joined else action.binders[:1]
        bound = (b.chosen if isinstance(b, t.Several) else b.variable for b in now)
        return self._told(telling, (action.me, *action.given, *bound))

    def _told(self, telling: Telling, given: Iterable[t.Variable]) -> t.Told:
        variables = tuple(given)
        scope = Scope().bind(*variables)
        self._braces(telling)
        for hole in telling.holes:
            node = parse_expr(hole.expression, self._symbols.report)
            if node is None:
                continue
            if hole.answers is not None:
                self._expressions.condition(node, scope)
            else:
                self._expressions.check(node, scope)
        return t.Told(telling, MappingProxyType({variable.name: variable.type for variable in variables}))

    def _braces(self, telling: Telling) -> None:
        rest = "".join(part for part in telling.parts if isinstance(part, str))
        if "{" in rest or "}" in rest or rest.count("[") != rest.count("]"):
            help = "write `{NAME}`, `{then EXPRESSION}` or `{CONDITION ? YES : NO}`"
            message = "a bracket in this telling has no partner"
            self._symbols.report.add("RF404", message, telling.text.span, help)
