"""Checks the target of `show`: a fact of a hidden thing, or a test of one."""

from __future__ import annotations

from collections.abc import Mapping

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.symbols import Symbols
from ruleforge.lang.checker.typed.own_columns import disclosure_name
from ruleforge.lang.checker.types import ERROR, INT_MAX, WORD, FlagT, NumberT, SetT, ThingT, Type
from ruleforge.lang.checker.walk import all_nodes, replaced

Sight = dict[t.Column | t.Place, t.Visibility]
_FORMS = "a part is a fact of one thing, `c.colour`, or a test of one, `c.colour is red`"


def part_of(symbols: Symbols, shown: t.Expr, to: t.Expr) -> t.Tell | None:
    """The part that is told, if it is one: not a thing that lies somewhere itself."""
    read = shown if _is_part(symbols, shown) else _tested(symbols, shown)
    if not isinstance(read, t.Read) or not isinstance(read.of.type, ThingT) or read.type == ERROR:
        return None  # of a type that is not known it was told already
    value = t.Variable(read.column.name, read.type, read.span)
    use = t.Use(read.span, read.type, value)
    test = None if shown is read else replaced(shown, lambda node: use if node is read else None)
    return t.Tell(shown.span, read.of, to, read, value, test)


def why_not_shown(shown: t.Expr) -> tuple[str, str] | None:
    """Why this cannot be shown, and what can; nothing where a mistake in it was told already."""
    if any(isinstance(node, t.Expr) and node.type == ERROR for node in all_nodes(shown)):
        return None
    reads = (side for side in (shown, *_sides(shown)) if isinstance(side, t.Read))
    read = next((side for side in reads if not side.column.constant), None)
    if read is not None:
        what = f"`{read.column.name}` can change, so it cannot be shown as a part"
        return what, "the `sees` of an attribute says who sees it"
    return f"only things and parts of things can be shown, but this is {shown.type}", _FORMS


def too_many(tell: t.Tell, kinds: Mapping[str, t.Kind]) -> bool:
    """Whether the fact has more values than can be kept apart."""
    low, high = span_of(tell.fact.column.type, kinds)
    return high - low >= WORD


def span_of(type: Type, kinds: Mapping[str, t.Kind]) -> tuple[int, int]:
    """The lowest and the highest value of a fact."""
    match type:
        case NumberT(low=low, high=high):
            return low, high
        case FlagT():
            return 0, 1
        case ThingT(kind=kind, optional=optional):
            return 0 if optional else 1, kinds[kind].size
    raise AssertionError(type)


def columns_for(symbols: Symbols, seen: Sight) -> None:
    """Add columns that store which parts of each fact every player was told; only that player sees them."""
    player = symbols.kinds.get("player")
    for fact in symbols.disclosed if player is not None else ():
        assert player is not None
        column = t.Column(
            disclosure_name(fact.name),
            fact.kind,
            NumberT(0, INT_MAX),
            fact.span,
            (player,),
            hidden=True,
            tells=fact,
        )
        symbols.columns[fact.kind.name, column.name] = column
        type = ThingT("player")
        viewer, index = (t.Variable(name, type, fact.span) for name in ("viewer", "player"))
        own = t.Compare(
            fact.span, FlagT(), "==", t.Use(fact.span, type, viewer), t.Use(fact.span, type, index)
        )
        this = t.Variable("self", ThingT(fact.kind.name), fact.span)
        seen[column] = t.Visibility(viewer, this, (index,), own)


def _is_part(symbols: Symbols, node: t.Expr) -> bool:
    """A fact of a thing that may lie somewhere; one that is such a thing itself is shown as a whole."""
    if not isinstance(node, t.Read) or not node.column.constant or node.index:
        return False
    if isinstance(node.type, SetT) or (isinstance(node.type, ThingT) and _lies(symbols, node.type.kind)):
        return False
    return isinstance(node.of.type, ThingT) and _lies(symbols, node.of.type.kind)


def _lies(symbols: Symbols, kind: str) -> bool:
    return any(place.holds.name == kind for place in symbols.places.values())


def _tested(symbols: Symbols, node: t.Expr) -> t.Expr | None:
    return next((side for side in _sides(node) if _is_part(symbols, side)), None)


def _sides(node: t.Expr) -> tuple[t.Expr, ...]:
    match node:
        case t.Compare(left=left, right=right):
            return left, right
        case t.In(element=element):
            return (element,)
    return ()
