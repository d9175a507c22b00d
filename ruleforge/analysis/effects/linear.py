"""Sums of terms: decide whether an addition to a formula cancels its value and puts another one in its
place.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ruleforge.analysis.effects.ranges import Ranges
from ruleforge.analysis.effects.values import Environment, same, written_out
from ruleforge.analysis.intervals import Interval, single
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import replaced, with_replaced_uses

_OPEN_TO_US = (t.Arithmetic, t.Negative, t.Constant, t.CallFormula, t.Aggregate)


@dataclass
class Sum:
    """A constant and indivisible terms, each with its factor."""

    constant: int = 0
    terms: list[tuple[t.Expr, int]] = field(default_factory=list)

    def add(self, node: t.Expr, times: int = 1) -> Sum:
        match node:
            case t.Constant(value=value):
                self.constant += times * value
            case t.Sure(value=value):
                self.add(value, times)
            case t.Negative(value=value):
                self.add(value, -times)
            case t.Arithmetic(op="+" | "-", left=left, right=right):
                self.add(left, times)
                self.add(right, times if node.op == "+" else -times)
            case t.Arithmetic(op="*", left=left, right=right):
                self._multiply(node, left, right, times)
            case t.Aggregate(op="sum", binder=binder, value=t.Constant(value=value)):
                self._count(t.Aggregate(node.span, node.type, "count", binder), times * value)
            case t.CallFormula() if isinstance(inner := written_out(node), _OPEN_TO_US) and inner is not node:
                self.add(inner, times)
            case _:
                self._count(node, times)
        return self

    def _multiply(self, node: t.Expr, left: t.Expr, right: t.Expr, times: int) -> None:
        for factor, part in ((left, right), (right, left)):
            found = Sum().add(factor)
            if not found.terms:
                self.add(part, times * found.constant)
                return
        self._count(node, times)

    def _count(self, node: t.Expr, times: int) -> None:
        for number, (term, before) in enumerate(self.terms):
            if same(term, node):
                self.terms[number] = (term, before + times)
                return
        self.terms.append((node, times))

    def times(self, node: t.Expr) -> int:
        return next((count for term, count in self.terms if same(term, node)), 0)


def put_in_its_place(
    formula: t.Formula, pattern: t.Pattern, added: t.Expr, ranges: Ranges, env: Environment
) -> Interval | None:
    """The new range of a formula whose own terms an addition cancels. None if it does not cancel them."""
    if formula.body is None:
        return None
    given = dict(zip(formula.parameters, pattern.parameters, strict=False))
    body = with_replaced_uses(
        formula.body,
        lambda use: t.Use(use.span, use.type, given[use.variable]) if use.variable in given else use,
    )
    added = replaced(added, lambda node: _sole(node, ranges, env))
    base = Sum().add(body).terms
    whole = Sum().add(body).add(added)
    if not base or any(whole.times(term) != 0 for term, count in base if count != 0):
        return None
    rest = single(whole.constant)
    for term, count in whole.terms:
        if count:
            rest += ranges.of(term, env) * single(count)
    return rest


def _sole(node: t.Expr, ranges: Ranges, env: Environment) -> t.Expr | None:
    """The one of several values that is always the least or the greatest: `min(9, x)` where x is never more than 9."""
    match written_out(node):
        case t.Builtin(name="min" | "max" as name, arguments=values):
            found = _extreme(values, name, ranges, env)
        case t.Builtin(name="clamp", arguments=(value, low, high)):
            upper = _extreme((value, high), "min", ranges, env)
            found = _extreme((upper, low), "max", ranges, env) if upper is not None else None
        case _:
            return None
    return replaced(found, lambda inner: _sole(inner, ranges, env)) if found is not None else None


def _extreme(values: tuple[t.Expr, ...], name: str, ranges: Ranges, env: Environment) -> t.Expr | None:
    spans = [ranges.of(value, env) for value in values]
    for value, own in zip(values, spans, strict=True):
        others = [span for span in spans if span is not own]
        if all(own.high <= o.low if name == "min" else own.low >= o.high for o in others):
            return value
    return None
