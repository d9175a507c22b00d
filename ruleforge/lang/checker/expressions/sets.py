"""`[a, b]`, `1..6`, `{x in things where ...}` -> sets of one type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import (
    EMPTY,
    ERROR,
    ErrorT,
    NoneT,
    NumbersT,
    NumberT,
    SetT,
    ThingT,
    Type,
    element_of,
    joined,
    set_of,
)
from ruleforge.lang.parser import nodes as n

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope


def literal(checker: Expressions, node: n.SetLiteral, scope: Scope, expect: Type | None) -> t.Expr:
    inner = element_of(expect) if expect else None
    members = tuple(checker.check(m, scope, inner) for m in node.members)
    if not members:
        return t.SetOf(node.span, expect if isinstance(expect, SetT) else EMPTY, ())
    nothing = next((member for member in members if isinstance(member.type, NoneT)), None)
    if nothing is not None:
        return checker.symbols.error("RF502", f"{nothing.type} is in no set", nothing.span, "leave it out")
    type: Type | None = members[0].type
    for member in members[1:]:
        type = joined(type, member.type) if type else None
    match type:
        case ThingT(kind=kind):
            return t.SetOf(node.span, SetT(kind), members)
        case NumberT(low=low, high=high):
            return t.SetOf(node.span, NumbersT(low, high), members)
        case ErrorT():
            return t.Constant(node.span, ERROR, 0)
    return checker.symbols.error("RF502", "the members of a set must be of one type", node.span)


def interval(checker: Expressions, node: n.Range, scope: Scope) -> t.Expr:
    a = checker.wanted(node.low, scope, NumberT(0, 0), "a range")
    b = checker.wanted(node.high, scope, NumberT(0, 0), "a range")
    if not isinstance(a.type, NumberT) or not isinstance(b.type, NumberT):
        return t.Constant(node.span, ERROR, 0)
    return t.Interval(node.span, NumbersT(a.type.low, max(a.type.low, b.type.high)), a, b)


def selection(checker: Expressions, node: n.Selection, scope: Scope) -> t.Expr:
    binder, _ = checker.binder(node.binder, scope)
    return t.Selection(node.span, set_of(binder.variable.type), binder)


def no_table(checker: Expressions, node: n.Table) -> t.Expr:
    """Braces around pairs, where an author may have meant a set."""
    help = "a set is written `{x in THINGS}` or `[a, b]`; a table is for facts declared `per` a kind"
    return checker.symbols.error("RF509", "expected a single value here", node.span, help)
