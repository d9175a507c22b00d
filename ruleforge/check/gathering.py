"""`{value for binder}` -> the same said with a selection: whatever lies in any of the values."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ruleforge.check import typed as t
from ruleforge.check.types import FLAG, ErrorT, SetT, ThingT
from ruleforge.dsl import nodes as n

if TYPE_CHECKING:
    from ruleforge.check.expressions import Expressions
    from ruleforge.check.scope import Scope


def gathered(checker: Expressions, node: n.Gathering, scope: Scope) -> t.Expr:
    """The things of a kind for which there is a match whose value they are, or lie in."""
    binder, inner = checker.binder(node.binder, scope)
    value = checker.check(node.value, inner)
    match value.type:
        case ErrorT():
            return value
        case ThingT(kind=kind):
            value = t.SetOf(node.value.span, SetT(kind), (value,))
        case SetT(kind=kind):
            pass
        case _:
            message = f"what is gathered must be a thing or a set of things, not {value.type}"
            return checker.symbols.error("RF502", message, node.value.span)
    things = checker.symbols.kinds[kind]
    one = t.Variable("gathered", ThingT(kind), node.span)
    inside = t.In(node.span, FLAG, t.Use(node.span, one.type, one), value)
    where = t.Logic(node.span, FLAG, "and", (binder.where, inside)) if binder.where else inside
    any_has_it = t.Aggregate(node.span, FLAG, "any", replace(binder, where=where))
    whole = t.Binder(node.span, one, t.All(node.span, SetT(kind), things), where=any_has_it)
    return t.Selection(node.span, SetT(kind), whole)
