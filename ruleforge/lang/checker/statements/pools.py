"""`new`, `remove` -> things that come out of a pool, and go back to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ErrorT, ThingT
from ruleforge.lang.parser import nodes as n
from ruleforge.support.spelling import listed

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope
    from ruleforge.lang.checker.symbols import Symbols


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
