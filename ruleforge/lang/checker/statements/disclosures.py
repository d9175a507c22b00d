"""`show` -> things, or parts of them, that somebody gets to know."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.shown_parts import complaint_about, part_of, too_many
from ruleforge.lang.checker.types import WORD, SetT, ThingT
from ruleforge.lang.parser import nodes as n
from ruleforge.support.spelling import with_article

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope
    from ruleforge.lang.checker.symbols import Symbols


def show(checker: Expressions, node: n.Show, scope: Scope) -> t.Statement | None:
    shown = checker.check(node.what, scope)
    viewers = checker.players(node.to, scope, "only players can be shown something")
    part = part_of(checker.symbols, shown, viewers)
    if part is not None:
        return _tell(checker.symbols, node, part)
    if isinstance(shown.type, ThingT) and shown.type.optional:
        checker.may_be_none(node.what, scope)
    elif not isinstance(shown.type, ThingT | SetT) and (complaint := complaint_about(shown)):
        message, help = complaint
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
    symbols.told.setdefault(fact)
    return replace(part, span=node.span)


def _can_be_hidden(symbols: Symbols, type: ThingT | SetT, what: n.Expr) -> None:
    """What is shown is which thing lies somewhere: of things that never lie anywhere there is nothing to show."""
    if not any(place.holds.name == type.kind for place in symbols.places.values()):
        help = "the `sees` of an attribute says who sees it; show things that lie in a place"
        message = f"{with_article(f'`{type.kind}`')} has no place, so it cannot be shown"
        symbols.error("RF506", message, what.span, help)
