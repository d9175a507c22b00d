"""`{value for binder}` -> the same said with a selection: whatever lies in any of the values."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import FLAG, ErrorT, SetT, ThingT
from ruleforge.lang.checker.walk import free_variables
from ruleforge.lang.parser import nodes as n

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope


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
            message = f"this collects things or sets of things, not {value.type}"
            return checker.symbols.error("RF502", message, node.value.span)
    things = checker.symbols.kinds[kind]
    one = t.Variable("gathered", ThingT(kind), node.span)
    inside = t.In(node.span, FLAG, t.Use(node.span, one.type, one), value)
    where = t.Logic(node.span, FLAG, "and", (binder.where, inside)) if binder.where else inside
    any_has_it = t.Aggregate(node.span, FLAG, "any", replace(binder, where=where))
    whole = t.Binder(node.span, one, t.All(node.span, SetT(kind), things), where=any_has_it)
    return t.Selection(node.span, SetT(kind), whole)


class Parts(NamedTuple):
    """What is gathered: a set of things for each match of a binder."""

    each: t.Binder
    value: t.Expr


def parts(whole: t.Binder) -> Parts | None:
    """What a selection gathers, if it asks of all things of a kind whether they lie in any of some sets.

    It may be written either way: `{ray(c, d) for d in ways}`, `{x in cells where any(d in ways where x in ray(c, d))}`.
    """
    where = whole.where
    if not isinstance(whole.source, t.All) or whole.source.kind.pool or whole.until is not None or whole.by:
        return None
    if not isinstance(where, t.Aggregate) or where.op != "any" or where.binder.where is None:
        return None
    tests = _all_of(where.binder.where)
    inside = tests[-1]
    if not isinstance(inside, t.In) or not isinstance(inside.source.type, SetT):
        return None
    if not isinstance(inside.element, t.Use) or inside.element.variable is not whole.variable:
        return None
    rest = t.Logic(where.span, FLAG, "and", tests[:-1]) if tests[1:] else None
    each = replace(where.binder, where=rest if len(tests) != 2 else tests[0])
    if whole.variable in free_variables(each, inside.source):
        return None
    return Parts(each, inside.source)


def _all_of(test: t.Expr) -> tuple[t.Expr, ...]:
    if isinstance(test, t.Logic) and test.op == "and":
        return tuple(part for each in test.parts for part in _all_of(each))
    return (test,)
