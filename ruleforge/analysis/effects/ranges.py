"""Compute the range of typed expressions from constants, declared ranges, printed facts and finite supplies."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial, reduce

from ruleforge.analysis.effects.things import MOST_THINGS, ONE, Things, declared
from ruleforge.analysis.effects.values import NOTHING, Environment, Known
from ruleforge.analysis.intervals import FLAG, ZERO, Interval, apply, single
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import FlagT, NumberT, SetT, ThingT

_LOGIC = {"and": "min", "or": "max"}  # of flags
EMPTY_OF = {"all": 1}  # what comes of nothing, where it is not 0


class Ranges(Things):
    """The ranges of one set of checked rules. A condition is a number, too: 1 if it holds.

    Attributes in `endless` count as unbounded. `columns` holds the known values of attributes.
    """

    def where(self, columns: Mapping[t.Column, Known]) -> Ranges:
        """The same where more is known."""
        return Ranges(self.rules, self.endless, {**self.columns, **columns}) if columns else self

    def at_first(self, column: t.Column) -> Known:
        """The initial value of an attribute."""
        whole = declared(column.type)
        if column.start is None:
            things = frozenset[int]() if isinstance(column.type, SetT) else frozenset({0})
            return Known(ZERO.clamp(whole.low, whole.high), things)
        start = column.start
        members = self.members if isinstance(column.type, SetT) else self.values
        return Known(self.of(start, {}), members(start, {}))

    # --- numbers ---

    def of(self, node: t.Expr, env: Environment) -> Interval:
        match node:
            case t.Constant(value=value):
                return single(value)
            case t.Use(variable=variable):
                known = env.get(variable, NOTHING).range
                return known or declared(node.type)
            case t.Sure(value=value):
                return self.of(value, env)
            case t.Read():
                return self._read(node, env)
            case t.Negative(value=value):
                return -self.of(value, env)
            case t.Arithmetic(op=op, left=left, right=right):
                return apply(op, self.of(left, env), self.of(right, env))
            case t.Conditional(then=then, other=other):
                return self.of(then, env).join(self.of(other, env))
            case t.Builtin():
                return self._builtin(node, env)
            case t.Aggregate():
                return self._aggregate(node, env)
            case t.CallFormula():
                return self._call(node, env)
            case t.Not(value=value):
                return ONE - self.of(value, env)
            case t.Logic(op=op, parts=parts):
                return reduce(partial(apply, _LOGIC[op]), [self.of(part, env) for part in parts])
            case t.Compare(op=op, left=left, right=right):
                return self._compared(op, left, right, env)
            case t.In(element=element, source=t.SetOf(members=members)):
                equal = [self._compared("==", element, member, env) for member in members]
                return reduce(Interval.maximum, equal, ZERO)
        return declared(node.type)

    def _compared(self, op: str, left: t.Expr, right: t.Expr, env: Environment) -> Interval:
        """Whether it holds: of things, by which of them the sides may be."""
        if any(isinstance(side.type, NumberT | FlagT) for side in (left, right)):
            return apply(op, self.of(left, env), self.of(right, env))
        things = isinstance(left.type, ThingT) and op in ("==", "!=")
        ones, others = (self.values(side, env) if things else None for side in (left, right))
        if ones is None or others is None:
            return FLAG
        alike = ONE if len(ones | others) == 1 else FLAG if ones & others else ZERO
        return alike if op == "==" else ONE - alike

    def _read(self, node: t.Read, env: Environment) -> Interval:
        column, whole = node.column, declared(node.column.type)
        known = self.columns.get(column, NOTHING).range
        if known is not None:
            return known
        if not column.constant:
            if (column.kind.name, column.name) in self.endless:
                return Interval(whole.low, math.inf)
            return whole
        numbers = [value for value in self._printed(node, env) if isinstance(value, int)]
        return Interval(min(numbers), max(numbers)) if numbers else whole

    def _builtin(self, node: t.Builtin, env: Environment) -> Interval:
        parts = [self.of(argument, env) for argument in node.arguments]
        match node.name, parts:
            case "abs", [x]:
                return abs(x)
            case (("min" | "max" as name), [_, *_]):
                return reduce(partial(apply, name), parts)
            case "clamp", [x, low, high]:
                return x.clamp(low.low, max(low.high, high.high))
        return declared(node.type)

    def _aggregate(self, node: t.Aggregate, env: Environment) -> Interval:
        most = self.size(node.binder, env)
        match node.op, node.value:
            case _ if most == 0:
                return single(EMPTY_OF.get(node.op, 0))
            case "count", _:
                return Interval(0, most)
            case (("any" | "all"), t.Expr() as value):
                return apply(
                    "max" if node.op == "any" else "min",
                    single(EMPTY_OF.get(node.op, 0)),
                    self.of(value, self.bound(node.binder, env)),
                )
            case "sum", t.Expr() as value:
                each = self._one_by_one(node.binder, value, env)
                if each is not None:
                    return Interval(sum(min(0, r.low) for r in each), sum(max(0, r.high) for r in each))
                one = self.of(value, self.bound(node.binder, env))
                return (Interval(0, most) * one).join(ZERO)
            case (("min" | "max"), t.Expr() as value):
                return self.of(value, self.bound(node.binder, env)).join(ZERO)
        return declared(node.type)

    def _one_by_one(self, binder: t.Binder, value: t.Expr, env: Environment) -> list[Interval] | None:
        """The value for each thing that the binder can bind, where there are not too many."""
        variable = binder.variable
        if not isinstance(variable.type, ThingT):
            return None
        things = self.members(binder.source, env)
        if things is None or len(things) > MOST_THINGS:
            return None
        inner = dict(env)
        found = []
        for thing in sorted(things):
            inner[variable] = Known(things=frozenset({thing}))
            found.append(self.of(value, inner))
        return found

    def _call(self, node: t.CallFormula, env: Environment) -> Interval:
        formula = node.formula
        if formula.open and formula.clamp is not None:
            return Interval(*formula.clamp)
        whole = declared(formula.result)
        if formula.body is None:
            return whole
        found = self.of(formula.body, self._inside(formula, node.arguments, env))
        if formula.open:
            return found.join(whole) if formula.sum is None else found + Interval(*formula.sum)
        return found
