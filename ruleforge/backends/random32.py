"""The random generator inside the row: xoroshiro64** over two signed words, the same in every backend."""

from __future__ import annotations

from typing import Any

from ruleforge.compiler.ir import RNG_A, RNG_B

_MASK = 0xFFFFFFFF


def draw(row: list[Any], bound: int) -> int:
    """A number in 0..bound-1, each equally likely."""
    while True:
        a, b = row[RNG_A] & _MASK, row[RNG_B] & _MASK
        x = a * 0x9E3779BB & _MASK
        x = ((x << 5 | x >> 27) & _MASK) * 5 & _MASK
        b ^= a
        a = ((a << 26 | a >> 6) ^ b ^ b << 9) & _MASK
        b = (b << 13 | b >> 19) & _MASK
        row[RNG_A] = a if a < 0x80000000 else a - 0x100000000
        row[RNG_B] = b if b < 0x80000000 else b - 0x100000000
        # The upper half of the product is the number: a multiplication, which every backend has, instead of a division.
        product: int = x * bound
        low = product & _MASK
        # redraw the few numbers that would make small results more likely
        if low >= bound or low >= (0x100000000 - bound) % bound:
            return product >> 32


def seed_words(seed: int) -> tuple[int, int]:
    """The two words of the generator for a seed of any size or sign, by splitmix32; never both 0."""
    words = 0, 1 if seed < 0 else 0
    rest = abs(seed)
    while True:  # fold in 32 bits a time
        words = _fold(words, rest & _MASK)
        rest >>= 32
        if not rest:
            return _as_words(words)


def folded(words: tuple[int, int], number: int) -> tuple[int, int]:
    """The words of another generator, for a number below 2^32: one for each of many games of a seed."""
    first, second = words
    return _as_words(_fold((first & _MASK, second & _MASK), number))


def _fold(words: tuple[int, int], number: int) -> tuple[int, int]:
    first = _mix(words[0] + number + 0x9E3779B9 & _MASK)
    return first, _mix(words[1] + first + 0x9E3779B9 & _MASK)


def _as_words(words: tuple[int, int]) -> tuple[int, int]:
    first, second = words
    if not first and not second:
        first = 1
    return _signed(first), _signed(second)


def _mix(z: int) -> int:
    z = (z ^ z >> 16) * 0x21F0AAAD & _MASK
    z = (z ^ z >> 15) * 0x735A2D97 & _MASK
    return z ^ z >> 15


def _signed(word: int) -> int:
    return word if word < 0x80000000 else word - 0x100000000
