"""Intervals against published figures and against chance itself."""

from __future__ import annotations

from random import Random

import pytest

from ruleforge.tools.experiments.intervals import Group, Sequence, difference, wilson, z_for


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),  # of Newcombe's table of methods
        (15, 148, 0.0624, 0.1605),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson(hits: int, of: int, low: float, high: float) -> None:
    found = wilson(hits, of)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_no_games_say_nothing() -> None:
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0.0, 1.0)
    assert difference([]) is None
    assert difference([Group(3, 5, 0, 0)]) is None  # everybody had it


def test_a_difference_is_taken_within_groups() -> None:
    # The first seat wins much and uses it much; within each seat it makes no difference.
    fair = [Group(72, 90, 8, 10), Group(2, 10, 18, 90)]
    found = difference(fair)
    assert found is not None
    assert found.value == pytest.approx(0)
    assert found.low < 0 < found.high
    better = difference([Group(60, 100, 40, 100), Group(30, 50, 20, 50)])
    assert better is not None
    assert better.value == pytest.approx(0.2)
    assert better.low > 0


def test_many_comparisons_want_more() -> None:
    assert z_for() == pytest.approx(1.96, abs=0.001)
    assert z_for(compared=50) > 3


@pytest.mark.parametrize("shift", [0.0, 0.1])
def test_a_sequence_is_right_at_all_times_at_once(shift: float) -> None:
    """Of 200 long runs at most about one in twenty may ever leave the true value out."""
    rng, wrong = Random(1), 0
    for _ in range(200):
        sequence = Sequence(error=0.05, aim=0.1, unit=2)
        values = (2 * (rng.random() < 0.5 + shift / 2) - 1 for _ in range(600))
        missed = False
        for value in values:
            sequence.add(2 * value)
            found = sequence.interval
            missed |= sequence.count >= 20 and not found.low <= shift <= found.high
        wrong += missed
    assert wrong <= 14  # 10 on the mean; more than 14 in one of ten honest seeds


def test_a_sequence_becomes_narrow() -> None:
    sequence = Sequence(error=0.05, aim=0.05, unit=1)
    for number in range(10_000):
        sequence.add(number % 2)
    found = sequence.interval
    assert found.value == 0.5
    assert 0.01 < found.high - 0.5 < 0.025
