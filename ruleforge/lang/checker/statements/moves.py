"""`move`, `shuffle` -> things that come into a place, and places that are put in another order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ErrorT, ThingT, Type, fits
from ruleforge.lang.parser import nodes as n
from ruleforge.support.spelling import listed

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope
    from ruleforge.lang.checker.symbols import Symbols


def move(checker: Expressions, node: n.Move, scope: Scope) -> t.Statement | None:
    thing = checker.thing(node.thing, scope)
    target = _container(checker, node.to, scope)
    if target is None or isinstance(thing.type, ErrorT):
        return None
    place, index = target
    if not fits(thing.type, ThingT(place.holds.name)):
        checker.symbols.error(
            "RF502", f"`{place.name}` holds `{place.holds.name}`, but this is {thing.type}", node.thing.span
        )
        return None
    if node.at:
        _keeps_order(checker.symbols, place, node)
    return t.Move(node.span, thing, place, index, node.at == "top")


def shuffle(checker: Expressions, node: n.Shuffle, scope: Scope) -> t.Statement | None:
    target = _container(checker, node.place, scope)
    if target is None:
        return None
    _keeps_order(checker.symbols, target[0], node)
    return t.Shuffle(node.span, *target)


def _keeps_order(symbols: Symbols, place: t.Place, node: n.Node) -> None:
    if not place.ordered:
        symbols.error("RF506", f"`{place.name}` keeps no order", node.span, "declare it `ordered: true`")


def _container(checker: Expressions, node: n.Expr, scope: Scope) -> tuple[t.Place, tuple[t.Expr, ...]] | None:
    """The place that an expression names, and its indices."""
    typed = checker.check(node, scope)
    if isinstance(typed, t.Content):
        return typed.place, typed.index
    if isinstance(typed, t.Family):
        owner = typed.place.of[0][1].name
        message = f"name the owner: each `{owner}` has its own `{typed.place.name}`"
        alike = [v.name for v in scope.variables.values() if v.type == ThingT(owner)]
        help = f"write {listed(f'{name}.{typed.place.name}' for name in alike)}" if alike else None
        checker.symbols.error("RF502", message, node.span, help)
    elif not isinstance(typed.type, ErrorT):
        help = _places_of(checker.symbols, typed.type)
        checker.symbols.error("RF502", f"expected a place here, but this is {typed.type}", node.span, help)
    return None


def _places_of(symbols: Symbols, type_: Type) -> str | None:
    """The places that a thing has, of which one may be meant."""
    kind = type_.kind if isinstance(type_, ThingT) else None
    names = [p.name for p in symbols.places.values() if p.of and p.of[0][1].name == kind]
    return f"it has {listed([f'.{name}' for name in names], 'and')}" if names else None
