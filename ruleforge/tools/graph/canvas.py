"""Positions of boxes, arrows and labels, in points."""

from __future__ import annotations

import textwrap

from ruleforge.support.records import dataclass
from ruleforge.tools.graph.diagram import Box

LINE = 16.0
SIGN = 7.4  # a letter of the title of a box is about so wide
WIDE, NARROW = "mwMW%@—…", "iljtf.,:;'!| ()[]"
LABEL = 14.0  # the height of the words at an arrow
_WIDEST = 30  # letters in a line of a box


@dataclass(frozen=True, slots=True)
class Shape:
    """A box with its lines of text."""

    x: float
    y: float
    width: float
    height: float
    label: tuple[str, ...]
    notes: tuple[str, ...]
    sort: str


@dataclass(frozen=True, slots=True)
class Picture:
    width: float
    height: float
    shapes: tuple[Shape, ...]
    paths: tuple[tuple[tuple[tuple[float, float], ...], bool], ...] = ()  # points, and whether dotted
    labels: tuple[tuple[float, float, str], ...] = ()


def shape_at(box: Box, x: float, y: float) -> Shape:
    """The smallest box that holds its text."""
    label, notes = _lines(box.label), tuple(line for note in box.notes for line in _lines(note))
    longest = max(map(_width, (*label, *notes)), default=0)
    return Shape(x, y, longest + 16, LINE * (len(label) + len(notes)) + 10, label, notes, box.sort)


def label_width(text: str) -> float:
    """Of the words at an arrow, which are smaller than those in boxes."""
    return 0.85 * _width(text)


def _width(text: str) -> float:
    return sum(SIGN * (1.6 if sign in WIDE else 0.7 if sign in NARROW else 1.0) for sign in text)


def _lines(text: str) -> tuple[str, ...]:
    return tuple(textwrap.wrap(text, _WIDEST)) or ("",)
