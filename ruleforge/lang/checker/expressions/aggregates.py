"""`count(x in ...)`, `sum(... for x in ...)`, `first(...)` -> one value found over a set, and the range it can have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import FLAG, NumbersT, NumberT, SetT, Type, number_in, or_none, set_of
from ruleforge.lang.parser import nodes as n

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope


def aggregate(checker: Expressions, node: n.Aggregate, scope: Scope) -> t.Expr:
    binder, inner = checker.binder(node.binder, scope)
    if node.op == "best" and isinstance(binder.variable.type, NumberT):
        return checker.symbols.error("RF502", "`best` finds things, but these are numbers", node.span)
    value: t.Expr | None = None
    if node.value is not None:
        wanted = FLAG if node.op == "all" else NumberT(0, 0)
        value = checker.wanted(node.value, inner, wanted, f"`{node.op}`")
    return t.Aggregate(node.span, _type(checker, node, binder, value), node.op, binder, value)


def _type(checker: Expressions, node: n.Aggregate, binder: t.Binder, value: t.Expr | None) -> Type:
    most = _most(checker, binder.source)
    match node.op:
        case "any" | "all":
            return FLAG
        case "count":
            return NumberT(0, most)
        case "first":
            return or_none(binder.variable.type)
        case "best":
            return set_of(binder.variable.type)
    bounds = value.type if value and isinstance(value.type, NumberT) else NumberT(0, 0)
    if node.op == "sum":
        return number_in(NumberT(0, most).range * bounds.range)
    return NumberT(min(0, bounds.low), max(0, bounds.high))


def _most(checker: Expressions, source: t.Expr) -> int:
    """An upper bound for the number of members of a source."""
    match source.type:
        case SetT(kind=kind) if kind in checker.symbols.kinds:
            return checker.symbols.kinds[kind].size
        case NumbersT(low=low, high=high):
            return max(0, high - low + 1)
    return 1
