"""This module makes arrays of the words of rows: numpy arrays if numpy can be imported, else Python's own."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import accumulate
from typing import Any


@cache
def numpy() -> Any:
    return import_module("numpy") if find_spec("numpy") is not None else None


def numbers(words: array[int]) -> Any:
    return words if numpy() is None else numpy().frombuffer(words, "i4")


def sums(words: array[int]) -> Any:
    """The sums of all words before each one, and of all of them."""
    if numpy() is None:
        return array("i", accumulate(words, initial=0))
    found = numpy().zeros(len(words) + 1, "i4")
    numbers(words).cumsum(out=found[1:])
    return found


def table(words: array[int], rows: int, columns: int) -> Any:
    """A row behind the other; without numpy a list of arrays."""
    if numpy() is not None:
        return numbers(words).reshape(rows, columns)
    return [words[row * columns : (row + 1) * columns] for row in range(rows)]


def mask(codes: array[int], counts: array[int], firsts: array[int], width: int) -> Any:
    """For each list of codes a row of bytes, 1 at each code; what a list begins with is added to its codes."""
    cells = bytearray(len(counts) * width)
    if numpy() is not None:
        rows = numpy().frombuffer(cells, "u1").reshape(len(counts), width)
        begins = numbers(firsts) + width * numpy().arange(len(counts), dtype="i8")
        rows.reshape(-1)[numbers(codes) + numpy().repeat(begins, numbers(counts))] = 1
        return rows
    for row, (end, count) in enumerate(zip(accumulate(counts), counts, strict=True)):
        for code in codes[end - count : end]:
            cells[row * width + firsts[row] + code] = 1
    return [cells[row * width : (row + 1) * width] for row in range(len(counts))]


def words(given: Sequence[int]) -> array[int]:
    """Whole numbers in any form; TypeError, ValueError or OverflowError for others."""
    if numpy() is None or not isinstance(given, numpy().ndarray):
        return array("i", given)
    if given.dtype.kind not in "iu":
        raise TypeError("not whole numbers")
    found = array("i")
    found.frombytes(
        given.astype("i4", casting="same_kind" if given.dtype.kind == "i" else "unsafe").tobytes()
    )
    return found
