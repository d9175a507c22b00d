"""A source of things -> the indices of the place where all of them lie: of `c in hand`, `c.holder` is never none."""

from __future__ import annotations

from ruleforge.lang.checker import typed as t
from ruleforge.lang.parser import nodes as n
from ruleforge.support.diagnostics import Span


def where_all_lie(source: t.Expr, name: str, span: Span) -> frozenset[n.Expr]:
    """What is not none of a member called `name`."""
    member = n.Name(span, name)
    return frozenset(n.Attribute(span, member, index) for index in _indices(source))


def _indices(source: t.Expr) -> frozenset[str]:
    match source:
        case t.Content(place=place) | t.Family(place=place):
            return frozenset(index for index, _ in place.of)
        case t.Selection(binder=binder) | t.Aggregate(op="best", binder=binder):
            return _indices(binder.source)
        case t.Arithmetic(op="|", left=left, right=right):
            return _indices(left) & _indices(right)
        case t.Arithmetic(left=left):  # what is in the second, or not in it, lies where the first lies
            return _indices(left)
    return frozenset()
