"""Decide typed conditions that hold or fail in every state, by the ranges of their values."""

from __future__ import annotations

from ruleforge.analysis.effects.ranges import Ranges
from ruleforge.analysis.effects.values import Environment, same
from ruleforge.analysis.intervals import Interval, compare
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import NumberT
from ruleforge.lang.checker.walk import all_nodes

_REFLEXIVE = {"==": True, "<=": True, ">=": True, "!=": False, "<": False, ">": False}


def invariants_that_cannot_fail(rules: t.Checked) -> tuple[t.Invariant, ...]:
    """The invariants that follow from the declared ranges."""
    ranges = Ranges(rules)
    return tuple(i for i in rules.invariants if truth(i.test, ranges, {}))


def truth(test: t.Expr, ranges: Ranges, env: Environment) -> bool | None:
    """True if a condition holds in every state, False if in none. None: unknown."""
    match test:
        case t.Constant(value=value):
            return bool(value)
        case t.Not(value=value):
            inner = truth(value, ranges, env)
            return None if inner is None else not inner
        case t.Logic(op=op, parts=parts):
            return _joined([truth(part, ranges, env) for part in parts], decisive=op == "or")
        case t.Compare(op=op, left=left, right=right):
            return _compared(op, left, right, ranges, env)
        case t.Aggregate(op="all", binder=binder, value=t.Expr() as value):
            return truth(value, ranges, ranges.bound(binder, env)) or None
        case t.Aggregate(op="any", binder=binder) if binder.where is not None:
            never = truth(binder.where, ranges, ranges.bound(binder, env)) is False
            return False if never else None
    return None


def _joined(parts: list[bool | None], decisive: bool) -> bool | None:
    """`or` is decided by one part that holds, `and` by one that does not."""
    if decisive in parts:
        return decisive
    return None if None in parts else not decisive


def _compared(op: str, left: t.Expr, right: t.Expr, ranges: Ranges, env: Environment) -> bool | None:
    if same(left, right):
        return _REFLEXIVE[op]
    if not isinstance(left.type, NumberT) or not isinstance(right.type, NumberT):
        return None
    if any(_is_modified(node) for side in (left, right) for node in all_nodes(side)):
        return None
    one, other = ranges.of(left, env), ranges.of(right, env)
    return compare(op, Interval(one.low, one.high), Interval(other.low, other.high))


def _is_modified(node: object) -> bool:
    """Whether rules may lead a formula out of its range."""
    return isinstance(node, t.CallFormula) and node.formula.open and node.formula.clamp is None
