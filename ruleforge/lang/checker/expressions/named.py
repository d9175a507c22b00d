"""Resolves a name in an expression, or suggests the intended name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ERROR, ErrorT, NumberT, SetT, ThingT, Type
from ruleforge.lang.parser import nodes as n
from ruleforge.support.diagnostics import Edit, Fix
from ruleforge.support.spelling import listed, with_article

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope


def named(checker: Expressions, node: n.Name, scope: Scope, expect: Type | None) -> t.Expr:
    name, span, symbols = node.id, node.span, checker.symbols
    if name in scope.variables:
        variable = scope.variables[name]
        return t.Use(span, variable.type, variable)
    if name == "opponent" and "me" in scope.variables:
        me = scope.variables["me"]
        if not symbols.two_players:
            return symbols.error("RF506", "`opponent` exists only in games for exactly two players", span)
        return t.Opponent(span, ThingT("player"), t.Use(span, me.type, me))
    if name == "active":
        return t.Active(span, ThingT("player"))
    if name in symbols.numbers:
        value = symbols.numbers[name]
        symbols.uses.name("number", name, span)
        return t.Constant(span, NumberT(value, value), value)
    if name in symbols.plurals:
        kind = symbols.plurals[name]
        symbols.uses.name("kind", kind.name, span)
        return t.All(span, SetT(kind.name), kind)
    if name in symbols.places:
        return _content(checker, node, symbols.places[name])
    if name in symbols.things:
        return _thing(checker, node, expect)
    return _unknown(checker, node, scope, expect)


def _content(checker: Expressions, node: n.Name, place: t.Place) -> t.Expr:
    checker.symbols.uses.name("place", place.name, node.span)
    if place.of:
        return t.Family(node.span, SetT(place.holds.name), place)
    return t.Content(node.span, place.content, place, ())


def _thing(checker: Expressions, node: n.Name, expect: Type | None) -> t.Expr:
    meanings = checker.symbols.things[node.id]
    if len(meanings) > 1 and isinstance(expect, ErrorT):
        return t.Constant(node.span, ERROR, 0)
    if len(meanings) > 1 and isinstance(expect, ThingT | SetT):
        meanings = [m for m in meanings if m[0].name == expect.kind] or meanings
    kind, number = meanings[0]
    if len(meanings) > 1:
        kinds = " and ".join(with_article(f"`{k.name}`") for k, _ in meanings)
        ways = listed([f"{k.name}.{node.id}" for k, _ in meanings], "or")
        return checker.symbols.error(
            "RF505", f"`{node.id}` is the name of {kinds}", node.span, f"write {ways}"
        )
    checker.symbols.uses.name("thing", node.id, node.span, kind.name)
    return t.Constant(node.span, ThingT(kind.name), number)


def _unknown(checker: Expressions, node: n.Name, scope: Scope, expect: Type | None) -> t.Expr:
    symbols = checker.symbols
    if node.id == "me":
        help = f"known here: {listed(scope.variables, 'and')}" if scope.variables else None
        return symbols.error("RF501", "there is no `me` here: no player is acting", node.span, help)
    if node.id in symbols.kinds:
        return _kind_for_value(checker, node, scope, expect)
    if node.id in symbols.formula_heads or node.id in symbols.event_heads:
        head = symbols.formula_heads.get(node.id) or symbols.event_heads[node.id]
        call = f"{node.id}({', '.join(p.name for p in head.parameters)})"
        fix: Fix = () if head.parameters else (Edit(node.span, call),)
        return symbols.error("RF501", f"`{node.id}` must be called", node.span, f"write `{call}`", fix)
    known = [*scope.variables, *symbols.names()]
    return symbols.unknown("name", node.id, node.span, known, here=[*scope.variables])


def _kind_for_value(checker: Expressions, node: n.Name, scope: Scope, expect: Type | None) -> t.Expr:
    """A kind stands for all its things where many are wanted, and for the one at hand where one is."""
    message, plural = f"`{node.id}` is a kind, not a value", checker.symbols.kinds[node.id].plural
    alike = [v.name for v in scope.variables.values() if v.type == ThingT(node.id)]
    if isinstance(expect, SetT) or (len(alike) != 1 and not isinstance(expect, ThingT)):
        help, instead = f"the set of all is `{plural}`", plural
    elif len(alike) == 1:
        help, instead = f"write `{alike[0]}`", alike[0]
    else:
        return checker.symbols.error("RF501", message, node.span, f"name one; the set of all is `{plural}`")
    return checker.symbols.error("RF501", message, node.span, help, (Edit(node.span, instead),))
