"""Compute by how much a write raises or lowers an attribute, and whether replaced arguments are less or
other.
"""

from __future__ import annotations

from ruleforge.analysis.effects.ranges import Ranges
from ruleforge.analysis.effects.values import Environment, same
from ruleforge.analysis.intervals import ZERO, Interval
from ruleforge.lang.checker import typed as t


class Deltas:
    """The change that a write makes to its attribute.

    `set x to x + 3` is up 3, `set x to 2 * x` is up x, `min(9, x + 3)` is up at most 3.
    """

    def __init__(self, ranges: Ranges, env: Environment, store: t.Store) -> None:
        self.ranges, self.env = ranges, env
        self.own = t.Read(store.span, store.column.type, store.column, store.of, store.index)
        self.before = ranges.of(self.own, env)

    def of(self, value: t.Expr) -> Interval | None:
        """The change of the attribute. None if its old value does not matter."""
        match value:
            case t.Read() if same(value, self.own):
                return ZERO
            case t.Sure(value=inner):
                return self.of(inner)
            case t.Arithmetic(op=op, left=left, right=right):
                return self._arithmetic(op, left, right)
            case t.Builtin(name="min" | "max" as name, arguments=arguments):
                return self._extreme(name, arguments)
            case t.Builtin(name="clamp", arguments=(inner, low, high)):
                upper = self._extreme("min", (inner, high))
                return None if upper is None else self._raised(upper, self.ranges.of(low, self.env))
            case t.Conditional(then=then, other=other):
                one, two = self.of(then), self.of(other)
                return one.join(two) if one is not None and two is not None else None
        return None

    def _arithmetic(self, op: str, left: t.Expr, right: t.Expr) -> Interval | None:
        one, two = self.of(left), self.of(right)
        match op:
            case "+" if one is not None and two is None:
                return one + self.ranges.of(right, self.env)
            case "+" if two is not None and one is None:
                return two + self.ranges.of(left, self.env)
            case "+" if one is not None and two is not None:
                return one + two + self.before
            case "-" if one is not None:  # also `x - min(4, x)`: what is taken away has a range of its own
                return one + -self.ranges.of(right, self.env)
            case "*" if (one is None) is not (two is None):
                factor = self.ranges.of(right if one is not None else left, self.env)
                return self.before * (factor + Interval(-1, -1))
        return None

    def _extreme(self, name: str, arguments: tuple[t.Expr, ...]) -> Interval | None:
        found = [self.of(argument) for argument in arguments]
        own = [delta for delta in found if delta is not None]
        if not own:
            return None
        others = [
            self.ranges.of(a, self.env) + -self.before
            for a, delta in zip(arguments, found, strict=True)
            if delta is None
        ]
        pick = min if name == "min" else max
        both = [*own, *others]
        return Interval(pick(r.low for r in both), pick(r.high for r in both))

    def _raised(self, delta: Interval, low: Interval) -> Interval:
        floor = low + -self.before
        return Interval(max(delta.low, floor.low), max(delta.high, floor.high))


def is_at_most(value: t.Expr, variable: t.Variable, ranges: Ranges, env: Environment) -> bool:
    """Whether a value is never more than a variable."""
    match value:
        case t.Use(variable=used) if used is variable:
            return True
        case t.Arithmetic(op="-", left=left, right=right):
            return is_at_most(left, variable, ranges, env) and ranges.of(right, env).low >= 0
        case t.Arithmetic(op="+", left=left, right=right):
            return is_at_most(left, variable, ranges, env) and ranges.of(right, env).high <= 0
        case t.Arithmetic(op="//", left=left, right=right):
            positive = ranges.of(left, env).low >= 0 and ranges.of(right, env).low >= 1
            return positive and is_at_most(left, variable, ranges, env)
        case t.Builtin(name="min", arguments=arguments):
            return any(is_at_most(a, variable, ranges, env) for a in arguments)
        case t.Builtin(name="max", arguments=arguments):
            return all(is_at_most(a, variable, ranges, env) for a in arguments)
        case t.Conditional(then=then, other=other):
            return is_at_most(then, variable, ranges, env) and is_at_most(other, variable, ranges, env)
    use = t.Use(variable.span, variable.type, variable)
    return ranges.of(value, env).high <= ranges.of(use, env).low


def consists_of(value: t.Expr, column: t.Column, env: Environment) -> bool:
    """Whether a value is made only of reads of one attribute, or their minimum or maximum."""
    match value:
        case t.Read(column=read):
            return read is column
        case t.Use(variable=variable):
            known = env.get(variable)
            return known is not None and known.reads is column
        case t.Builtin(name="min" | "max", arguments=arguments):
            return all(consists_of(a, column, env) for a in arguments)
        case t.Conditional(then=then, other=other):
            return consists_of(then, column, env) and consists_of(other, column, env)
    return False
