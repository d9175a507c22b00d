"""A layered layout from left to right in which most arrows point one way."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import replace

from ruleforge.support.records import dataclass
from ruleforge.tools.graph.diagram import Box, Diagram

LINE = 16.0
SIGN = 7.4  # a letter of the title of a box is about so wide
WIDE, NARROW = "mwMW%@—…", "iljtf.,:;'!| ()[]"
LABEL = 14.0  # the height of the words at an arrow
_WIDEST = 30  # letters in a line of a box


# Positions of boxes, arrows and labels, in points.


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
    """The width of the words at an arrow, which are smaller than those in boxes."""
    return 0.85 * _width(text)


def _width(text: str) -> float:
    return sum(SIGN * (1.6 if sign in WIDE else 0.7 if sign in NARROW else 1.0) for sign in text)


def _lines(text: str) -> tuple[str, ...]:
    return tuple(textwrap.wrap(text, _WIDEST)) or ("",)


_BETWEEN = 70.0  # layers; arrows and their words need room
_LONGEST = 40  # of them
_GAP = 14.0
_BEND = 6.0  # what an arrow that passes a layer takes of it
Point = tuple[float, float]
_TRIES = tuple(0.5 + side * 0.04 * step for step in range(12) for side in (1, -1))  # shares of the way
_BESIDE = (0, LABEL, -LABEL, 2 * LABEL, -2 * LABEL)  # where the way itself is full
_MARGIN = 2.0
_Frame = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class _Stop:
    """The height at which an arrow passes a layer, from one edge of the layer to the other."""

    y: float
    left: float
    right: float


class NoLayout(Exception):
    """The layout library is not installed."""


def layered(diagram: Diagram) -> Picture:
    try:
        from fast_sugiyama import from_edges
    except ImportError:
        raise NoLayout from None
    diagram = _without_loops(diagram)
    shapes = {box.id: shape_at(box, 0, 0) for box in diagram.boxes}
    names: list[str] = list(
        shapes
    )  # it is given numbers, in whose order it works: the same picture every time
    edges = list(dict.fromkeys((names.index(a.start), names.index(a.end)) for a in diagram.arrows))
    parts = from_edges(edges, dummy_vertices=True, check_layout=False) if edges else ()
    longest = max((label_width(_short(a.label)) for a in diagram.arrows), default=0)
    canvas = _Canvas(shapes, _BETWEEN + longest)
    named: dict[object, str] = dict(enumerate(names))
    for positions, _, _, joined in parts:
        canvas.add(
            {named.get(number, number): at for number, at in positions},
            [(named.get(one, one), named.get(other, other)) for one, other in joined or ()],
        )
    canvas.alone(name for name in shapes if name not in canvas.placed)
    return canvas.picture(diagram)


def _without_loops(diagram: Diagram) -> Diagram:
    """The diagram with self-loops as small print in the box: an arrow would cross it."""
    loops: dict[str, list[str]] = {}
    for arrow in diagram.arrows:
        if arrow.start == arrow.end:
            loops.setdefault(arrow.start, []).append(f"\N{CLOCKWISE OPEN CIRCLE ARROW} {arrow.label}".strip())
    boxes = (replace(box, notes=(*box.notes, *loops.get(box.id, ()))) for box in diagram.boxes)
    return replace(diagram, boxes=tuple(boxes), arrows=tuple(a for a in diagram.arrows if a.start != a.end))


class _Canvas:
    """One part of the diagram below the other; layers are as wide as their widest box."""

    def __init__(self, sizes: dict[str, Shape], between: float) -> None:
        self._sizes, self._between = sizes, between
        self.placed: dict[str, Shape] = {}
        self._bends: dict[tuple[str, str], list[_Stop]] = {}
        self._stops: dict[object, _Stop] = {}
        self._y = self._right = 0.0

    def add(self, positions: dict[object, Point], joined: list[tuple[object, object]]) -> None:
        """A connected part: layers are told apart by their height, boxes within one by their breadth."""
        layers: dict[float, list[object]] = {}
        for name in sorted(positions, key=lambda name: (-positions[name][1], positions[name][0])):
            layers.setdefault(positions[name][1], []).append(name)
        x, stops = 0.0, dict[object, _Stop]()
        tallest = max(self._heights(names) for names in layers.values())
        for names in layers.values():
            width = max(self._width(name) for name in names)
            y = self._y + (tallest - self._heights(names)) / 2
            for name in names:
                stops[name] = _Stop(self._place(name, x, y), x, x + width)
                y += self._height(name)
            x += width + self._between
        self._stops.update(stops)
        self._follow(stops, joined)
        self._right, self._y = max(self._right, x - self._between), self._y + tallest + 2 * _GAP

    def alone(self, names: Iterator[str]) -> None:
        """Boxes without arrows, at the end."""
        x, row = 0.0, 0.0
        for name in names:
            size = self._sizes[name]
            if x and x + size.width > max(self._right, 640.0):
                x, self._y, row = 0.0, self._y + row, 0.0
            self._stops[name] = _Stop(self._place(name, x, self._y), x, x + size.width)
            x, row = x + size.width + _GAP, max(row, size.height + _GAP)
            self._right = max(self._right, x)
        self._y += row

    def picture(self, diagram: Diagram) -> Picture:
        paths, words = [], Words()
        for arrow in diagram.arrows:
            points = self._points(arrow.start, arrow.end)
            paths.append(
                (tuple(dict.fromkeys(points)), arrow.dotted)
            )  # heads point where the last stretch leads
            if arrow.label:
                words.add(points[1], points[2], _short(arrow.label))
        return Picture(self._right, self._y, tuple(self.placed.values()), tuple(paths), tuple(words.placed))

    def _place(self, name: object, x: float, y: float) -> float:
        """The height at which arrows come to it."""
        size = self._sizes.get(name) if isinstance(name, str) else None
        if size is None:
            return y + _BEND / 2
        shape = Shape(x, y, size.width, size.height, size.label, size.notes, size.sort)
        self.placed[str(name)] = shape
        return y + size.height / 2

    def _width(self, name: object) -> float:
        return self._sizes[name].width if isinstance(name, str) else 0.0

    def _height(self, name: object) -> float:
        return self._sizes[name].height + _GAP if isinstance(name, str) else _BEND + _GAP / 2

    def _heights(self, names: list[object]) -> float:
        return sum(map(self._height, names))

    def _follow(self, stops: dict[object, _Stop], joined: list[tuple[object, object]]) -> None:
        """Arrows over several layers go by way of the bends in between."""
        onwards: dict[object, list[object]] = {}
        for start, end in joined:
            onwards.setdefault(start, []).append(end)
        for start in [name for name in onwards if isinstance(name, str)]:
            for step in onwards[start]:
                way: list[_Stop] = []
                while not isinstance(step, str):
                    way.append(stops[step])
                    (step,) = onwards[step]
                self._bends[start, step] = way

    def _points(self, start: str, end: str) -> list[Point]:
        """From the side of one box that faces the other, over the bends, to the side that faces back.

        Arrows bend between layers only, where no box lies: every second stretch is level.
        """
        one, other = self.placed[start], self.placed[end]
        bends = self._bends.get((start, end)) or list(reversed(self._bends.get((end, start), [])))
        forwards = one.x < other.x
        begin, end_ = self._stops[start], self._stops[end]
        points = [(one.x + one.width if forwards else one.x, begin.y)]
        points.append((begin.right if forwards else begin.left, begin.y))
        for bend in bends:
            sides = (bend.left, bend.right) if forwards else (bend.right, bend.left)
            points += [(side, bend.y) for side in sides]
        points.append((end_.left if forwards else end_.right, end_.y))
        points.append((other.x if forwards else other.x + other.width, end_.y))
        return points


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST else label[: _LONGEST - 1].rsplit(",", 1)[0] + ", …"


# Places the labels of arrows on their arrows without overlap.


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
