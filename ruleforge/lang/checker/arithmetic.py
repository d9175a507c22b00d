"""Intervals: in which range a computed number must lie."""

from __future__ import annotations

from ruleforge.lang.checker.types import INT_MAX, INT_MIN, NumberT


def interval(op: str, a: NumberT, b: NumberT) -> NumberT:
    """The range of `a op b`, cut to 32 bits; whether it had to be cut is asked by `may_overflow`."""
    low, high = exact(op, a, b)
    return NumberT(max(INT_MIN, min(low, INT_MAX)), min(INT_MAX, max(high, INT_MIN)))


def may_overflow(op: str, a: NumberT, b: NumberT) -> bool:
    low, high = exact(op, a, b)
    return low < INT_MIN or high > INT_MAX


def surely_overflows(op: str, a: NumberT, b: NumberT) -> bool:
    low, high = exact(op, a, b)
    return high < INT_MIN or low > INT_MAX


def exact(op: str, a: NumberT, b: NumberT) -> tuple[int, int]:
    match op:
        case "+":
            return a.low + b.low, a.high + b.high
        case "-":
            return a.low - b.high, a.high - b.low
        case "*":
            corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            return min(corners), max(corners)
        case "//":
            corners = [x // y for x in (a.low, a.high) for y in _divisors(b)]
            return min(corners), max(corners)
        case "%":
            largest = max(abs(b.low), abs(b.high)) - 1
            return (0 if b.low >= 0 else -largest), (0 if b.high <= 0 else largest)
    raise AssertionError(op)


def _divisors(b: NumberT) -> list[int]:
    """The divisors at which a quotient can be extreme, zero left out."""
    return [y for y in {b.low, b.high, -1, 1} if b.low <= y <= b.high and y != 0] or [1]
