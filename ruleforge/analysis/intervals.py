"""Intervals of whole numbers, and interval arithmetic.

`Interval` is the only value for the range of a number. Every operation is sound: the result holds each number
that the operation can give for numbers of its operands. Results are numbers of any size. A client that
computes in words clamps them to `WORD`, or gives up precision where they leave it.

A bound is a whole number or an infinity. `EMPTY` holds no number. It is the bottom of the lattice, the range
of a value that was never computed. Every operation on it gives it again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interval:
    """All whole numbers from `low` to `high`, both included. Only `EMPTY` has a `low` above its `high`."""

    low: float
    high: float

    def __str__(self) -> str:
        return _figure(self.low) if self.is_single else f"{_figure(self.low)}..{_figure(self.high)}"

    def __contains__(self, number: float) -> bool:
        return self.low <= number <= self.high

    @property
    def is_empty(self) -> bool:
        return self.low > self.high

    @property
    def is_single(self) -> bool:
        return self.low == self.high

    @property
    def ends(self) -> tuple[int, int]:
        """Both bounds as whole numbers, for a bounded interval."""
        return int(self.low), int(self.high)

    def numbers(self) -> range:
        """The numbers themselves, of an interval with two ends."""
        return range(0) if self.is_empty else range(int(self.low), int(self.high) + 1)

    @property
    def count(self) -> float:
        """The number of elements."""
        return max(0, self.high - self.low + 1)

    def within(self, other: Interval) -> bool:
        return self.is_empty or (other.low <= self.low and self.high <= other.high)

    # --- the lattice ---

    def join(self, other: Interval) -> Interval:
        """The smallest interval that holds both."""
        if other.low >= self.low and other.high <= self.high:
            return self
        return Interval(min(self.low, other.low), max(self.high, other.high))

    def meet(self, other: Interval) -> Interval:
        """The numbers that lie in both."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        return Interval(low, high) if low <= high else EMPTY

    def widen(self, newer: Interval, limit: Interval | None = None) -> Interval:
        """The join, with each bound that moved as far out as the limit (infinity) lets it: chains of these are short."""
        if self.is_empty:
            return newer
        limit = ANY if limit is None else limit
        low = self.low if self.low <= newer.low else min(limit.low, newer.low)
        high = self.high if self.high >= newer.high else max(limit.high, newer.high)
        return Interval(low, high)

    # --- arithmetic ---

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __abs__(self) -> Interval:
        if self.is_empty:
            return EMPTY
        sizes = abs(self.low), abs(self.high)
        return Interval(0 if 0 in self else min(sizes), max(sizes))

    def __add__(self, other: Interval) -> Interval:
        if self.is_empty or other.is_empty:
            return EMPTY
        return Interval(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Interval) -> Interval:
        return self + -other

    def __mul__(self, other: Interval) -> Interval:
        product = hull(_product(a, b) for a in self._corners() for b in other._corners())
        # Python cannot add an infinity to a number beyond the range of `float`.
        return product if product.is_empty or product.within(_VAST) else product._without_vast_ends()

    def __floordiv__(self, other: Interval) -> Interval:
        """Divisors other than zero count: a division by zero gives no number."""
        divisors = [d for d in {*other._corners(), -1, 1} if d in other and d != 0]
        return hull(_quotient(a, b) for a in self._corners() for b in divisors)

    def __mod__(self, other: Interval) -> Interval:
        """The remainder has the sign of the divisor; divisors other than zero count."""
        if self.is_empty or other.is_empty or other == ZERO:
            return EMPTY
        return Interval(min(0, other.low + 1), max(0, other.high - 1))

    def minimum(self, other: Interval) -> Interval:
        if self.is_empty or other.is_empty:
            return EMPTY
        return Interval(min(self.low, other.low), min(self.high, other.high))

    def maximum(self, other: Interval) -> Interval:
        if self.is_empty or other.is_empty:
            return EMPTY
        return Interval(max(self.low, other.low), max(self.high, other.high))

    def clamp(self, low: float, high: float) -> Interval:
        """The numbers moved into the bounds: one beyond a bound becomes that bound."""
        if self.is_empty:
            return EMPTY
        return Interval(min(max(self.low, low), high), max(min(self.high, high), low))

    # --- bits ---

    def __and__(self, other: Interval) -> Interval:
        tops = [side.high for side in (self, other) if side.low >= 0]
        return self._bits(other) if self.is_empty or other.is_empty or not tops else Interval(0, min(tops))

    def __or__(self, other: Interval) -> Interval:
        return self._bits(other)

    def __xor__(self, other: Interval) -> Interval:
        return self._bits(other)

    def __lshift__(self, other: Interval) -> Interval:
        return self * _powers(other)

    def __rshift__(self, other: Interval) -> Interval:
        return self // _powers(other)

    def _bits(self, other: Interval) -> Interval:
        """All numbers that need at most as many bits as these, with a sign if one of these has one."""
        if self.is_empty or other.is_empty:
            return EMPTY
        both = self.join(other)
        if not math.isfinite(both.low) or not math.isfinite(both.high):
            return ANY if both.low < 0 else Interval(0, math.inf)
        top = (1 << max(end.bit_length() if end >= 0 else (~end).bit_length() for end in both.ends)) - 1
        return Interval(0 if both.low >= 0 else ~top, top)

    def _without_vast_ends(self) -> Interval:
        low = -math.inf if self.low < _VAST.low else min(self.low, _VAST.high)
        return Interval(low, math.inf if self.high > _VAST.high else max(self.high, _VAST.low))

    def _corners(self) -> tuple[float, ...]:
        return () if self.is_empty else (self.low, self.high)


def single(number: int) -> Interval:
    """The interval of one number."""
    return Interval(number, number)


def hull(numbers: Iterable[float]) -> Interval:
    """The smallest interval that holds these numbers."""
    found = list(numbers)
    return Interval(min(found), max(found)) if found else EMPTY


def join_all(intervals: Iterable[Interval]) -> Interval:
    """The smallest interval that holds all of these."""
    joined = EMPTY
    for interval in intervals:
        joined = joined.join(interval)
    return joined


EMPTY = Interval(math.inf, -math.inf)
ANY = Interval(-math.inf, math.inf)
ZERO = Interval(0, 0)
FLAG = Interval(0, 1)
WORD = Interval(-(2**31), 2**31 - 1)  # what a cell of the state vector can hold
_VAST = Interval(-(2**256), 2**256)


def compare(op: str, left: Interval, right: Interval) -> bool | None:
    """Whether a comparison holds for all numbers of the two (True), for none (False), or for some (None)."""
    never, always = _COMPARISONS[op](left, right)
    return True if always else False if never else None


def apply(op: str, left: Interval, right: Interval) -> Interval:
    """The range of `left op right`: for every operator of rules and of the intermediate representation."""
    known = _ARITHMETIC.get(op)
    if known is not None:
        return known(left, right)
    if left.is_empty or right.is_empty:
        return EMPTY
    outcome = compare(op, left, right)
    return FLAG if outcome is None else single(int(outcome))


_ARITHMETIC: dict[str, Callable[[Interval, Interval], Interval]] = {
    "+": Interval.__add__,
    "-": Interval.__sub__,
    "*": Interval.__mul__,
    "//": Interval.__floordiv__,
    "%": Interval.__mod__,
    "&": Interval.__and__,
    "|": Interval.__or__,
    "^": Interval.__xor__,
    "<<": Interval.__lshift__,
    ">>": Interval.__rshift__,
    "min": Interval.minimum,
    "max": Interval.maximum,
}


def _equality(a: Interval, b: Interval) -> tuple[bool, bool]:
    return a.meet(b).is_empty, a.is_single and a == b


def _order(a: Interval, b: Interval) -> tuple[bool, bool]:
    return a.low >= b.high, a.high < b.low


# By operator: does it hold for no numbers of the two, and does it hold for all?
_COMPARISONS: dict[str, Callable[[Interval, Interval], tuple[bool, bool]]] = {
    "==": _equality,
    "!=": lambda a, b: _equality(a, b)[::-1],
    "<": _order,
    ">=": lambda a, b: _order(a, b)[::-1],
    ">": lambda a, b: _order(b, a),
    "<=": lambda a, b: _order(b, a)[::-1],
}


def _product(a: float, b: float) -> float:
    return 0 if a == 0 or b == 0 else a * b


def _quotient(a: float, b: float) -> float:
    """The quotient rounded down; by an infinity, the one that large divisors give."""
    if math.isinf(b):
        return 0 if a == 0 or (a > 0) == (b > 0) else -1
    return (a if b > 0 else -a) if math.isinf(a) else a // b


def _powers(exponents: Interval) -> Interval:
    """Two to each exponent; shifts by a negative number give none."""
    usable = exponents.meet(Interval(0, math.inf))
    if usable.is_empty:
        return EMPTY
    high = 1 << int(usable.high) if usable.high <= _MOST_BITS else math.inf
    return Interval(1 << int(min(usable.low, _MOST_BITS)), high)


_MOST_BITS = 64  # larger powers lie beyond all that a program can hold


def _figure(bound: float) -> str:
    return str(int(bound)) if math.isfinite(bound) else ("" if bound > 0 else "-") + "any number"
