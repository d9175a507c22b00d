"""`cells[3]`, `me.row[2]`, `ray(c, d)[1]`: one thing of a set by its number, in the order in which the set is walked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ERROR, ErrorT, NumberT, SetT, ThingT, Type
from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser.printer import print_expr

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope


def is_number_behind(node: n.Attribute, kinds: tuple[t.Kind, ...], type: Type) -> bool:
    """Does a number stand behind the things that an attribute or place takes in brackets?"""
    return len(node.index) == len(kinds) + 1 and isinstance(type, SetT)


def without_number(node: n.Attribute) -> n.Attribute:
    return replace(node, index=node.index[:-1])


def numbered(checker: Expressions, node: n.Nth, scope: Scope) -> t.Expr:
    source = checker.check(node.of, scope)
    if isinstance(source.type, ErrorT):
        return source
    if not isinstance(source.type, SetT):
        return checker.symbols.error(
            "RF502", f"only the things of a set have numbers, but this is {source.type}", node.of.span
        )
    return nth(checker, node, source, scope)


def nth(checker: Expressions, node: n.Nth | n.Attribute, source: t.Expr, scope: Scope) -> t.Expr:
    if not isinstance(source.type, SetT):
        return source  # it was complained about
    asked = node.number if isinstance(node, n.Nth) else node.index[-1]
    number = checker.check(asked, scope)
    if isinstance(number.type, ThingT) and isinstance(source, t.Family):
        return _whose(checker, source.place, asked)
    number = checker.fitting(asked, number, NumberT(0, 0), "the number of a thing", scope)
    if not isinstance(number.type, NumberT):
        return t.Constant(node.span, ERROR, 0)
    kind, bounds = checker.symbols.kinds[source.type.kind], number.type
    if bounds.high < 1 or bounds.low > kind.size:
        few = f"there are {kind.size} `{kind.plural}`" if bounds.high >= 1 else "the first has the number 1"
        return checker.symbols.error("RF508", f"no thing has such a number: {few}", asked.span)
    if isinstance(source, t.All) and not kind.pool:
        sure = bounds.low >= 1 and bounds.high <= (
            kind.size if not kind.seats or checker.symbols.two_players else 1
        )
        return t.Builtin(node.span, ThingT(kind.name, not sure), "numbered", (number,), kind)
    variable = t.Variable("member", ThingT(kind.name), node.span)
    binder = t.Binder(node.span, variable, source)
    sure = bounds.low >= 1 and bounds.high <= _at_least(checker, source)
    return t.Aggregate(node.span, ThingT(kind.name, not sure), "nth", binder, number)


def _at_least(checker: Expressions, source: t.Expr) -> int:
    """How many things a set has in any case: what an edge or line touches. What is printed may differ in a pack."""
    if not isinstance(source, t.Read) or source.column.span != source.column.kind.span:
        return 0
    if not isinstance(source.type, SetT) or source.type.kind not in checker.symbols.geometry:
        return 0
    return min((len(v) for v in source.column.values if isinstance(v, tuple)), default=0)


def _whose(checker: Expressions, place: t.Place, asked: n.Expr) -> t.Expr:
    """A place is asked for behind its owner: `me.hand`."""
    others = ", ".join(name for name, _ in place.of[1:])
    form = f"{print_expr(asked)}.{place.name}" + (f"[{others}]" if others else "")
    return checker.symbols.error(
        "RF502",
        f"the brackets after `{place.name}` take the number of a thing in it",
        asked.span,
        f"write `{form}`",
    )
