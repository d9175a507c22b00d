"""Random numbers: xoroshiro64** over two words, as `backends/random32.py` says."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ruleforge.backends.native.library.words import (
        below,
        high_word,
        load,
        rest,
        rotated,
        shifted,
        store,
    )


def draw(words: int, bound: int) -> int:
    """A number in 0..bound-1, each equally likely; `words` is the address of the generator."""
    while True:
        x = drawn_word(words)
        low = x * bound
        # redraw the few numbers that would make small results more likely
        if not below(low, bound) or not below(low, rest(0 - bound, bound)):
            return high_word(x, bound)


def drawn_word(words: int) -> int:
    """The next 32 bits."""
    a = load(words)
    b = load(words + 4) ^ a
    store(words, rotated(a, 26) ^ b ^ (b << 9))
    store(words + 4, rotated(b, 13))
    return rotated(a * 0x9E3779BB, 5) * 5


def fold(words: int, number: int) -> None:
    """Mix a number into two words, which become the state of a generator."""
    first = mixed(load(words) + number + 0x9E3779B9)
    second = mixed(load(words + 4) + first + 0x9E3779B9)
    if first == 0 and second == 0:
        first = 1
    store(words, first)
    store(words + 4, second)


def mixed(z: int) -> int:
    z = (z ^ shifted(z, 16)) * 0x21F0AAAD
    z = (z ^ shifted(z, 15)) * 0x735A2D97
    return z ^ shifted(z, 15)
