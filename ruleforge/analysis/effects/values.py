"""The facts known about a value without playing: its range, its possible things, their places and owners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from types import MappingProxyType

from ruleforge.analysis.effects.summary import Who
from ruleforge.analysis.intervals import Interval
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import FlagT
from ruleforge.lang.checker.walk import with_replaced_uses
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class Known:
    """The known facts about a local variable."""

    range: Interval | None = None
    things: frozenset[int] | None = None
    places: frozenset[str] | None = None
    who: Who | None = None
    reads: t.Column | None = None  # it is a reading of this attribute
    of: Who | None = None  # whose it is
    holder: Who | None = None  # in whose place it lies


_OTHERWISE = {"==": "!=", "!=": "=="}  # what is so where it is not
Environment = Mapping[t.Variable, Known]
NOTHING = Known()


def same(one: object, other: object, bound: Mapping[t.Variable, t.Variable] = MappingProxyType({})) -> bool:
    """Whether two typed expressions are equal, regardless of their position and the names that they bind."""
    if one is other:
        return True
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(same(a, b, bound) for a, b in zip(one, other, strict=True))
    if isinstance(one, t.Variable) and isinstance(other, t.Variable):
        return bound.get(one) is other
    if type(one) is not type(other):
        return _same_written_out(one, other, bound)
    if isinstance(one, t.Sure) and isinstance(other, t.Sure):
        return same(one.value, other.value, bound)
    if isinstance(one, t.Aggregate | t.Selection) and isinstance(other, t.Aggregate | t.Selection):
        bound = {**bound, one.binder.variable: other.binder.variable}
    if isinstance(one, t.Expr | t.Binder):
        names = (f.name for f in fields(one) if f.name not in ("span", "type"))
        alike = all(same(getattr(one, name), getattr(other, name), bound) for name in names)
        return alike or _same_written_out(one, other, bound)
    return one == other


def _same_written_out(one: object, other: object, bound: Mapping[t.Variable, t.Variable]) -> bool:
    """Whether one of them is a formula that expands to the other."""
    if not (isinstance(one, t.Expr) and isinstance(other, t.Expr)):
        return False
    inner, outer = written_out(one), written_out(other)
    return (inner is not one or outer is not other) and same(inner, outer, bound)


def written_out(node: t.Expr) -> t.Expr:
    """An expression that is one formula, as what that formula says of its arguments."""
    while isinstance(node, t.CallFormula) and node.formula.body is not None and not node.formula.open:
        given = dict(zip(node.formula.parameters, node.arguments, strict=False))
        node = with_replaced_uses(node.formula.body, lambda use, given=given: given.get(use.variable, use))  # type: ignore[misc]
    return node


def conjuncts(*tests: t.Expr | None) -> tuple[t.Expr, ...]:
    """The conditions that must all hold, taken apart at `and`."""
    found: list[t.Expr] = []
    for test in (opened(test) for test in tests if test is not None):
        if isinstance(test, t.Logic) and test.op == "and":
            found += conjuncts(*test.parts)
        else:
            found.append(test)
    return tuple(found)


def opened(node: t.Expr) -> t.Expr:
    """A condition with the formulas that it asks written out, as far as nothing can modify them."""
    match node:
        case t.Logic(parts=parts):
            return replace(node, parts=tuple(opened(part) for part in parts))
        case t.Not(value=value):
            inner = opened(value)
            if isinstance(inner, t.Compare) and inner.op in _OTHERWISE:
                return replace(inner, op=_OTHERWISE[inner.op])
            return replace(node, value=inner)
        case t.CallFormula(formula=formula, arguments=arguments):
            if formula.body is not None and not formula.open and isinstance(node.type, FlagT):
                given = dict(zip(formula.parameters, arguments, strict=False))
                return opened(with_replaced_uses(formula.body, lambda use: given.get(use.variable, use)))
    return node
