"""Intervals against brute force: each operation on all small intervals, and on those that have no bound."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from itertools import product

import pytest

from ruleforge.analysis.intervals import (
    ANY,
    EMPTY,
    WORD,
    ZERO,
    Interval,
    apply,
    compare,
    hull,
    join_all,
    single,
)
from ruleforge.compiler.passes.expressions import COMPARISONS, OPERATIONS

SMALL = [Interval(low, high) for low in range(-4, 5) for high in range(low, 5)]
FAR = 40  # stands for an infinity: further away than anything that the operations below tell apart
EXACT = ("+", "-", "*", "//", "min", "max", *sorted(COMPARISONS))
INFINITE = [
    Interval(low, high)
    for low in (-math.inf, -3, -1, 0, 1, 2)
    for high in (-2, -1, 0, 3, math.inf)
    if low <= high
]


def numbers(interval: Interval) -> range:
    """All numbers of an interval, those nearer than `FAR` of one without a bound."""
    return range(int(max(interval.low, -FAR)), int(min(interval.high, FAR)) + 1)


def results(op: str, left: Interval, right: Interval) -> Iterator[int]:
    """What an operation can give; one that fails gives nothing."""
    for a, b in product(numbers(left), numbers(right)):
        try:
            yield OPERATIONS[op](a, b)
        except (ZeroDivisionError, ValueError):
            continue


def test_every_operator_of_a_program_has_a_range():
    assert all(not apply(op, single(1), single(1)).is_empty for op in OPERATIONS)


@pytest.mark.parametrize("op", OPERATIONS)
def test_an_operation_is_sound(op: str):
    for left, right in product(SMALL, SMALL):
        assert hull(results(op, left, right)).within(apply(op, left, right)), (left, right)


@pytest.mark.parametrize("op", EXACT)
def test_an_operation_is_exact(op: str):
    for left, right in product(SMALL, SMALL):
        assert apply(op, left, right) == hull(results(op, left, right)), (left, right)


@pytest.mark.parametrize("op", OPERATIONS)
def test_an_operation_is_sound_without_bounds(op: str):
    for left, right in product(INFINITE, INFINITE):
        found = apply(op, left, right)
        assert not math.isnan(found.low) and not math.isnan(found.high)
        assert hull(results(op, left, right)).within(found), (left, right)


@pytest.mark.parametrize("op", OPERATIONS)
def test_nothing_comes_of_nothing(op: str):
    for other in (*SMALL, *INFINITE, EMPTY):
        assert apply(op, EMPTY, other) == apply(op, other, EMPTY) == EMPTY


@pytest.mark.parametrize("op", sorted(COMPARISONS))
def test_a_comparison_has_an_outcome_if_all_numbers_agree(op: str):
    for left, right in product(SMALL, SMALL):
        outcomes = set(results(op, left, right))
        assert compare(op, left, right) == (bool(outcomes.pop()) if len(outcomes) == 1 else None)


ALONE: list[tuple[Callable[[Interval], Interval], Callable[[int], int]]] = [
    (operator.neg, operator.neg),
    (abs, abs),
    (lambda x: x.clamp(-2, 3), lambda x: min(max(x, -2), 3)),
    (lambda x: x.clamp(1, math.inf), lambda x: max(x, 1)),
]


@pytest.mark.parametrize("of_range, of_number", ALONE)
def test_an_operation_on_one_interval_is_exact(
    of_range: Callable[[Interval], Interval], of_number: Callable[[int], int]
):
    for interval in SMALL:
        assert of_range(interval) == hull(map(of_number, numbers(interval)))
    assert of_range(EMPTY) == EMPTY


def test_intervals_are_a_lattice():
    for one, two in product([*SMALL, EMPTY, ANY], repeat=2):
        joined, met = one.join(two), one.meet(two)
        assert joined == two.join(one) and met == two.meet(one)
        assert one.within(joined) and two.within(joined)
        assert met.within(one) and met.within(two)
        assert one.join(met) == one == one.meet(joined)


def test_join_and_meet_hold_what_they_should():
    for one, two in product(SMALL, SMALL):
        assert one.join(two) == join_all((one, two)) == hull([*numbers(one), *numbers(two)])
        assert one.meet(two) == hull(set(numbers(one)) & set(numbers(two)))


def test_widening_holds_the_join_and_moves_each_bound_once():
    for one, two, three in product([*SMALL[::3], EMPTY], SMALL[::3], SMALL[::3]):
        wide = one.widen(two)
        assert one.join(two).within(wide)
        assert one.is_empty or {wide.low, wide.high} <= {one.low, one.high, -math.inf, math.inf}
        wider = wide.widen(three)
        assert wider.widen(two).widen(three) == wider.widen(three).widen(two)
    assert single(3).widen(single(4), WORD) == Interval(3, WORD.high)
    assert WORD.widen(Interval(0, 2**40), WORD) == Interval(WORD.low, 2**40)


def test_vast_numbers_lose_their_bound_and_never_an_element():
    vast = Interval(-7, 2**30)
    for _ in range(60):
        vast = vast * Interval(1, 2**30)
    assert vast == ANY
    sure = single(2**30)
    for _ in range(60):
        sure = sure * single(2**30)
    assert math.isfinite(sure.low) and sure.high == math.inf
    assert (sure + ANY) == ANY
    assert (single(1) << single(500)).high == math.inf


def test_the_numbers_of_an_interval_are_counted():
    assert all(interval.count == len(numbers(interval)) for interval in SMALL)
    assert EMPTY.count == 0
    assert ANY.count == math.inf
    assert Interval(3, 9).ends == (3, 9)


def test_an_interval_is_written_for_people():
    assert [str(i) for i in (ZERO, Interval(1, 5), Interval(1, math.inf), ANY)] == [
        "0",
        "1..5",
        "1..any number",
        "-any number..any number",
    ]
