"""Where something stands in an author's file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of one file; lines and columns count from 1, the end column is exclusive.

    A tuple, as there are more of these than of anything else: quick to make, to compare and to sort.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def to(self, other: Span) -> Span:
        """The stretch from the start of this span to the end of another one of the same file."""
        return new_span((self[0], self[1], self[2], other[3], other[4]))

    def holds(self, other: Span) -> bool:
        """Does the other stretch lie in this one?"""
        return self[0] == other[0] and self[1:3] <= other[1:3] and other[3:] <= self[3:]


# The span of five parts, for those who make thousands: Python itself takes one step less.
new_span: Callable[[tuple[str, int, int, int, int]], Span] = partial(tuple.__new__, Span)


def start_of(file: str) -> Span:
    """The place of a diagnostic about a file as a whole."""
    return Span(file, 1, 1, 1, 1)


NOWHERE = start_of("<built in>")
