"""Sets of one type: `[a, b]`, `1..6`, `{x in things where ...}`, and one value found over a set."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import (
    EMPTY,
    ERROR,
    FLAG,
    ErrorT,
    NoneT,
    NumbersT,
    NumberT,
    SetT,
    ThingT,
    Type,
    element_of,
    joined,
    number_in,
    or_none,
    set_of,
)
from ruleforge.lang.checker.walk import free_variables
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


# `{value for binder}` becomes a selection: the things that lie in any of the values.


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
    """A union of sets: one set of things for each match of a binder."""

    each: t.Binder
    value: t.Expr


def parts(whole: t.Binder) -> Parts | None:
    """The gathered sets of a selection that tests all things of a kind for membership in any of some sets.

    Equal forms: `{ray(c, d) for d in ways}`, and in full
    `{x in cells where any(d in ways where x in ray(c, d))}`.
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


# `count(x in ...)`, `sum(... for x in ...)`, `first(...)`: one value over a set, and its range.


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
