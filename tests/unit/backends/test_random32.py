"""The generator in the row."""

from __future__ import annotations

from collections import Counter

import pytest

from ruleforge.backends.random32 import draw, seed_words


def test_numbers_are_those_of_xoroshiro64starstar() -> None:
    row = [1, 0]
    assert [draw(row, 2**31) for _ in range(3)] == _expected(1, 0, 3)


def _expected(a: int, b: int, count: int) -> list[int]:
    """The published algorithm, written down once more; the upper 31 bits of each number."""
    mask, out = 0xFFFFFFFF, []

    def turn(x: int, k: int) -> int:
        return (x << k | x >> (32 - k)) & mask

    for _ in range(count):
        out.append((turn(a * 0x9E3779BB & mask, 5) * 5 & mask) >> 1)
        b ^= a
        a, b = (turn(a, 26) ^ b ^ (b << 9)) & mask, turn(b, 13)
    return out


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 10, 1000, 2**31 - 1])
def test_numbers_stay_below_the_bound_and_words_stay_signed(bound: int) -> None:
    row = list(seed_words(bound))
    for _ in range(500):
        assert 0 <= draw(row, bound) < bound
        assert all(-(2**31) <= word < 2**31 for word in row)


def test_a_die_is_fair() -> None:
    row = list(seed_words(4))
    counts = Counter(draw(row, 6) for _ in range(12_000))
    assert sorted(counts) == [0, 1, 2, 3, 4, 5]
    assert all(1_800 < count < 2_200 for count in counts.values())


def test_every_seed_gives_words_of_its_own() -> None:
    seeds = [*range(-200, 200), 2**32, 2**32 + 1, 2**64, -(2**64), 2**64 + 2**32, 10**40]
    words = {seed_words(seed) for seed in seeds}
    assert len(words) == len(seeds)
    assert (0, 0) not in words
