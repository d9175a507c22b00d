"""`can(event(...))`, `would(event(...): value)` -> an event that is tried out, and what is asked of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.expressions.arguments import event_called
from ruleforge.lang.checker.types import ERROR, FLAG, NumbersT, NumberT, SetT, ThingT, Type
from ruleforge.lang.parser import nodes as n

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope


def can(checker: Expressions, node: n.Can, scope: Scope) -> t.Expr:
    event, arguments = event_called(checker, node.call, scope)
    return t.Can(node.span, FLAG, event, arguments) if event else t.Constant(node.span, ERROR, 0)


def would(checker: Expressions, node: n.Would, scope: Scope, expect: Type | None) -> t.Expr:
    event, arguments = event_called(checker, node.call, scope)
    value = checker.check(node.value, scope.after_change(), expect)
    if isinstance(value.type, SetT | NumbersT):
        return checker.symbols.error("RF502", "`would` returns one value, not a set", node.value.span)
    if event is None:
        return t.Constant(node.span, ERROR, 0)
    return t.Would(node.span, _perhaps(value.type), event, arguments, value)


def _perhaps(value: Type) -> Type:
    """The type of a value that may not come about: a trial that the rules stop gives -1, or no thing."""
    match value:
        case NumberT(low=low, high=high):
            return NumberT(min(low, -1), high)
        case ThingT(kind=kind):
            return ThingT(kind, optional=True)
    return value
