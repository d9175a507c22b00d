"""Places the labels of arrows on their arrows without overlap."""

from __future__ import annotations

from ruleforge.tools.graph.canvas import LABEL, label_width

_TRIES = tuple(0.5 + side * 0.04 * step for step in range(12) for side in (1, -1))  # shares of the way
_BESIDE = (0, LABEL, -LABEL, 2 * LABEL, -2 * LABEL)  # where the way itself is full
_MARGIN = 2.0

Point = tuple[float, float]
_Frame = tuple[float, float, float, float]


class Words:
    """A placed label: its centre and its text."""

    def __init__(self) -> None:
        self.placed: list[tuple[float, float, str]] = []
        self._frames: list[_Frame] = []

    def add(self, start: Point, end: Point, text: str) -> None:
        """Between two layers, at the first share of the way where nothing stands yet; else in the middle."""
        ways = [_on_curve(start, end, share) for share in _TRIES]
        inside = [(x, y) for x, y in ways if _fits(x, start[0], end[0], text)] or ways[:1]
        tried = ((x, y + aside) for aside in _BESIDE for x, y in inside)
        x, y = next((at for at in tried if not self._taken(_frame(*at, text))), inside[0])
        self.placed.append((x, y, text))
        self._frames.append(_frame(x, y, text))

    def _taken(self, frame: _Frame) -> bool:
        return any(_meet(frame, other) for other in self._frames)


def _on_curve(start: Point, end: Point, share: float) -> Point:
    """A point of the curve that leaves and arrives level (`svg.py` draws it)."""
    (x0, y0), (x1, y1), rest = start, end, 1 - share
    middle = (x0 + x1) / 2
    ends, between = (rest**3, share**3), 3 * rest * share
    x = ends[0] * x0 + between * middle + ends[1] * x1
    return x, (ends[0] + between * rest) * y0 + (ends[1] + between * share) * y1


def _fits(x: float, one: float, other: float, text: str) -> bool:
    half = label_width(text) / 2
    return min(one, other) <= x - half and x + half <= max(one, other)


def _frame(x: float, y: float, text: str) -> _Frame:
    half = label_width(text) / 2
    return x - half, y - LABEL / 2, x + half, y + LABEL / 2


def _meet(one: _Frame, other: _Frame) -> bool:
    left, top, right, bottom = other
    return one[0] < right + _MARGIN and left < one[2] + _MARGIN and one[1] < bottom and top < one[3]
