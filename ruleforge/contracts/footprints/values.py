"""What is known of a value without playing: its range, which things it may be, where they lie, whose they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace

from ruleforge.check import typed as t
from ruleforge.check.types import FlagT
from ruleforge.check.walk import said_of
from ruleforge.contracts.footprints.facts import Range, Who
from ruleforge.quick import dataclass


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a local."""

    range: Range | None = None
    things: frozenset[int] | None = None
    places: frozenset[str] | None = None
    who: Who | None = None
    reads: t.Column | None = None  # it is a reading of this attribute
    of: Who | None = None  # whose it is
    holder: Who | None = None  # in whose place it lies


_OTHERWISE = {"==": "!=", "!=": "=="}  # what is so where it is not
Environment = Mapping[t.Variable, Known]
NOTHING = Known()


def same(one: object, other: object) -> bool:
    """Do two typed expressions say the same, wherever they stand?"""
    if one is other:
        return True
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    if type(one) is not type(other):
        return False
    if isinstance(one, t.Sure) and isinstance(other, t.Sure):
        return same(one.value, other.value)
    if isinstance(one, t.Expr):
        names = (f.name for f in fields(one) if f.name not in ("span", "type"))
        return all(same(getattr(one, name), getattr(other, name)) for name in names)
    return one == other


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
                return opened(said_of(formula.body, lambda use: given.get(use.variable, use)))
    return node
