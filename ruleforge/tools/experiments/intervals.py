"""Shares and differences with confidence intervals."""

from __future__ import annotations

from collections.abc import Iterable
from math import log, sqrt
from statistics import NormalDist

from ruleforge.support.records import dataclass

LEVEL = 0.95
USUAL = 0.3  # variance of the differences that are compared, more or less


def z_for(level: float = LEVEL, compared: int = 1) -> float:
    """How many standard errors an interval of this level reaches; wider where many things are compared at once."""
    return NormalDist().inv_cdf(1 - (1 - level) / 2 / max(compared, 1))


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % confidence interval."""

    value: float
    low: float
    high: float

    def shifted(self, by: float) -> Estimate:
        return Estimate(self.value + by, self.low + by, self.high + by)

    def as_data(self) -> dict[str, float]:
        return {"value": round(self.value, 4), "low": round(self.low, 4), "high": round(self.high, 4)}


def wilson(hits: int, of: int, z: float | None = None) -> Estimate:
    """A share with Wilson's score interval, which is right also for few games and for shares near 0 and 1."""
    if not of:
        return Estimate(0.0, 0.0, 1.0)
    z = z_for() if z is None else z
    share, spread = hits / of, z * z / of
    middle = (share + spread / 2) / (1 + spread)
    half = z * sqrt(share * (1 - share) / of + spread / of / 4) / (1 + spread)
    return Estimate(share, max(0.0, middle - half), min(1.0, middle + half))


@dataclass(frozen=True, slots=True)
class Group:
    """Seats of games alike but for one thing: how many had it and won, and how many had it not and won."""

    hits: int
    of: int
    other_hits: int
    other_of: int


def difference(groups: Iterable[Group], z: float | None = None) -> Estimate | None:
    """Between those that had it and those that had not, within each group, weighted by what each can tell.

    These are the weights of Mantel and Haenszel; a group in which all had it, or none, says nothing. Each share is
    taken with half a hit and half a miss more, so that few games do not look certain.
    """
    total = value = variance = 0.0
    for group in groups:
        if not group.of or not group.other_of:
            continue
        weight = group.of * group.other_of / (group.of + group.other_of)
        value += weight * (group.hits / group.of - group.other_hits / group.other_of)
        variance += weight**2 * (
            _variance(group.hits, group.of) + _variance(group.other_hits, group.other_of)
        )
        total += weight
    if not total:
        return None
    half = (z_for() if z is None else z) * sqrt(variance) / total
    return Estimate(value / total, max(-1.0, value / total - half), min(1.0, value / total + half))


def _variance(hits: int, of: int) -> float:
    share = (hits + 0.5) / (of + 1)
    return share * (1 - share) / of


class Sequence:
    """A mean whose interval holds at all times at once, so that one may stop as soon as it says enough.

    It is a confidence sequence with a normal mixture: `error` is the probability that it is ever wrong, `aim` the
    half-width at which it is to be narrowest. Sums are of whole numbers, so that their order does not matter.
    """

    def __init__(self, error: float, aim: float, unit: int) -> None:
        strict = -2 * log(error) + log(-2 * log(error)) + 1
        values = USUAL * strict / aim**2  # until it is so narrow; it must not depend on what is seen
        self._error, self._unit, self._rho = error, unit, strict / max(1.0, values)
        self.count = self._sum = self._squares = 0

    def add(self, value: int) -> None:
        """A value in units."""
        self.count += 1
        self._sum += value
        self._squares += value * value

    @property
    def interval(self) -> Estimate:
        if not self.count:
            return Estimate(0.0, -1.0, 1.0)
        n, mean = self.count, self._sum / self.count
        # As if two more values had been seen, a unit apart: no spread at first is no proof that there is none.
        spread = ((self._squares + self._unit**2 / 2) / n - mean * mean) / self._unit**2
        half = sqrt(spread) * self._reach(n)
        mean /= self._unit
        return Estimate(mean, max(-1.0, mean - half), min(1.0, mean + half))

    def _reach(self, n: int) -> float:
        """In standard deviations."""
        grown = n * self._rho + 1
        return sqrt(2 * grown / (n * n * self._rho) * log(sqrt(grown) / self._error))
