"""Type checks `move`, `shuffle`, `new`, `remove` and `show`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.shown_parts import part_of, too_many, why_not_shown
from ruleforge.lang.checker.types import WORD, ErrorT, SetT, ThingT, Type, fits
from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser.printer import print_expr
from ruleforge.support.spelling import listed, with_article

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
        message = f"`{place.name}` holds `{place.holds.name}`, but this is {thing.type}"
        help = None
        if thing.type == SetT(place.holds.name):
            help = f"write `for x in {print_expr(node.thing)}: move x to {print_expr(node.to)}`"
        checker.symbols.error("RF502", message, node.thing.span, help)
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
    """The places of a thing, as a suggestion."""
    kind = type_.kind if isinstance(type_, ThingT) else None
    names = [p.name for p in symbols.places.values() if p.of and p.of[0][1].name == kind]
    return f"it has {listed([f'.{name}' for name in names], 'and')}" if names else None


# `new`, `remove`: things that come out of a pool, and return to it.


def make(checker: Expressions, node: n.New, into: t.Variable | None, scope: Scope) -> t.Statement | None:
    kind = _kind(checker.symbols, node)
    if kind is None:
        return None
    given = []
    for name, value in node.given:
        column = checker.symbols.column(kind.name, name)
        if column is None or column.constant or column.per:
            known = [c for k, c in checker.symbols.columns if k == kind.name]
            checker.symbols.unknown(f"attribute of `{kind.name}`", name, value.span, known, kind.name)
            continue
        checker.symbols.uses.name("attribute", name, value.span, kind.name)
        given.append((column, checker.wanted(value, scope, column.type, f"`{name}`")))
    return t.New(node.span, into, kind, tuple(given), kind.made[node.kind])


def _kind_with(symbols: Symbols, name: str) -> t.Kind | None:
    """The kind that has a thing of this name with a pool of its own; nothing if there are several."""
    found = [kind for kind in symbols.kinds.values() if name in kind.made and name != kind.name]
    return found[0] if len(found) == 1 else None


def kind_made(symbols: Symbols, name: str) -> t.Kind | None:
    """The kind of what is made: its own name, or that of a thing which has a pool."""
    return symbols.kinds.get(name) or _kind_with(symbols, name)


def _kind(symbols: Symbols, node: n.New) -> t.Kind | None:
    """The kind of what is made, if it has a pool."""
    if node.kind not in symbols.kinds:
        printed = _kind_with(symbols, node.kind)
        if printed is not None:
            symbols.uses.name("thing", node.kind, node.span, printed.name)
            return printed
        if _is_thing(symbols, node.kind):
            help = f"to make it during play, declare how many there can be: `{node.kind}: {{pool: 4}}`"
            symbols.error("RF506", f"`{node.kind}` has no pool", node.span, help)
            return None
    kind = symbols.kind_named(node.kind, node.span)
    if kind is not None and kind.name not in kind.made:
        which = listed(f"new {name}()" for name in kind.made)
        help = (
            f"say which: {which}" if which else "declare it with `pool: 20`, or say so of one of its things"
        )
        symbols.error("RF506", f"`{kind.name}` has no pool", node.span, help)
        return None
    return kind


def _is_thing(symbols: Symbols, name: str) -> bool:
    kinds = symbols.kinds.values()
    return any(name in kind.things or f"{name}_1" in kind.things for kind in kinds)


def remove(checker: Expressions, node: n.Remove, scope: Scope) -> t.Statement | None:
    thing = checker.thing(node.thing, scope)
    if not isinstance(thing.type, ThingT | ErrorT):
        checker.symbols.error("RF502", f"`remove` takes one thing, but this is {thing.type}", node.thing.span)
        return None
    if isinstance(thing.type, ThingT) and not checker.symbols.kinds[thing.type.kind].pool:
        message = f"`{thing.type.kind}` has no pool to go back to"
        checker.symbols.error("RF506", message, node.span, "use `move`")
        return None
    return t.Remove(node.span, thing)


# `show`: things, or parts of them, that a player learns.


def show(checker: Expressions, node: n.Show, scope: Scope) -> t.Statement | None:
    shown = checker.check(node.what, scope)
    viewers = checker.players(node.to, scope, "only players can be shown something")
    part = part_of(checker.symbols, shown, viewers)
    if part is not None:
        return _tell(checker.symbols, node, part)
    if isinstance(shown.type, ThingT) and shown.type.optional:
        checker.may_be_none(node.what, scope)
    elif not isinstance(shown.type, ThingT | SetT) and (problem := why_not_shown(shown)):
        message, help = problem
        checker.symbols.error("RF502", message, node.what.span, help)
    if isinstance(shown.type, ThingT | SetT):
        _can_be_hidden(checker.symbols, shown.type, node.what)
        checker.symbols.shown.add(shown.type.kind)
    return t.Show(node.span, shown, viewers)


def _tell(symbols: Symbols, node: n.Show, part: t.Tell) -> t.Statement | None:
    fact = part.fact.column
    if too_many(part, symbols.kinds):
        message = f"`{fact.name}` has more than {WORD} values, too many to remember which of them are left"
        help = "show a fact with fewer values, such as a group to which it belongs"
        symbols.error("RF506", message, node.what.span, help)
        return None
    symbols.disclosed.setdefault(fact)
    return replace(part, span=node.span)


def _can_be_hidden(symbols: Symbols, type: ThingT | SetT, what: n.Expr) -> None:
    """Report `show` for a kind without places: it reveals which thing lies in a place."""
    if not any(place.holds.name == type.kind for place in symbols.places.values()):
        help = "the `sees` of an attribute says who sees it; show things that lie in a place"
        message = f"{with_article(f'`{type.kind}`')} has no place, so it cannot be shown"
        symbols.error("RF506", message, what.span, help)
