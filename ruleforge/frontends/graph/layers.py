"""Boxes and arrows -> a picture in layers from left to right, so that arrows mostly lead one way."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.frontends.graph.diagram import Diagram
from ruleforge.frontends.graph.picture import Picture, Shape, shape_at

_BETWEEN = 70.0  # layers; arrows and their words need room
_LETTER = 6.0  # of the words at an arrow
_LONGEST = 40  # of them
_GAP = 14.0
_BEND = 6.0  # what an arrow that passes a layer takes of it

Point = tuple[float, float]


class NoLayout(Exception):
    """What lays boxes out is not installed."""


def layered(diagram: Diagram) -> Picture:
    try:
        from fast_sugiyama import from_edges
    except ImportError:
        raise NoLayout from None
    shapes = {box.id: shape_at(box, 0, 0) for box in diagram.boxes}
    edges = list(dict.fromkeys((a.start, a.end) for a in diagram.arrows if a.start != a.end))
    parts = from_edges(edges, dummy_vertices=True, check_layout=False) if edges else ()
    longest = max((len(_short(a.label)) for a in diagram.arrows), default=0)
    canvas = _Canvas(shapes, _BETWEEN + _LETTER * longest)
    for positions, _, _, joined in parts:
        canvas.add(dict(positions), list(joined or ()))
    canvas.alone(name for name in shapes if name not in canvas.placed)
    return canvas.picture(diagram)


class _Canvas:
    """One part of the diagram below the other; layers are as wide as their widest box."""

    def __init__(self, sizes: dict[str, Shape], between: float) -> None:
        self._sizes, self._between = sizes, between
        self.placed: dict[str, Shape] = {}
        self._bends: dict[tuple[str, str], list[Point]] = {}
        self._y = self._right = 0.0

    def add(self, positions: dict[object, Point], joined: list[tuple[object, object]]) -> None:
        """A connected part: layers are told apart by their height, boxes within one by their breadth."""
        layers: dict[float, list[object]] = {}
        for name in sorted(positions, key=lambda name: (-positions[name][1], positions[name][0])):
            layers.setdefault(positions[name][1], []).append(name)
        x, middles = 0.0, dict[object, Point]()
        tallest = max(self._heights(names) for names in layers.values())
        for names in layers.values():
            width = max(self._width(name) for name in names)
            y = self._y + (tallest - self._heights(names)) / 2
            for name in names:
                middles[name] = self._place(name, x, y, width)
                y += self._height(name)
            x += width + self._between
        self._follow(middles, joined)
        self._right, self._y = max(self._right, x - self._between), self._y + tallest + 2 * _GAP

    def alone(self, names: Iterator[str]) -> None:
        """Boxes without arrows, at the end."""
        x, row = 0.0, 0.0
        for name in names:
            size = self._sizes[name]
            if x and x + size.width > max(self._right, 640.0):
                x, self._y, row = 0.0, self._y + row, 0.0
            self._place(name, x, self._y, 0.0)
            x, row = x + size.width + _GAP, max(row, size.height + _GAP)
            self._right = max(self._right, x)
        self._y += row

    def picture(self, diagram: Diagram) -> Picture:
        paths, labels = [], []
        for arrow in diagram.arrows:
            points = self._points(arrow.start, arrow.end)
            paths.append((tuple(points), arrow.dotted))
            if arrow.label:
                (x0, y0), (x1, y1) = points[0], points[1]
                labels.append(((x0 + x1) / 2, (y0 + y1) / 2, _short(arrow.label)))
        return Picture(self._right, self._y, tuple(self.placed.values()), tuple(paths), tuple(labels))

    def _place(self, name: object, x: float, y: float, width: float) -> Point:
        size = self._sizes.get(name) if isinstance(name, str) else None
        if size is None:
            return x + width / 2, y + _BEND / 2
        shape = Shape(x, y, size.width, size.height, size.label, size.notes, size.sort)
        self.placed[str(name)] = shape
        return x + size.width / 2, y + size.height / 2

    def _width(self, name: object) -> float:
        return self._sizes[name].width if isinstance(name, str) else 0.0

    def _height(self, name: object) -> float:
        return self._sizes[name].height + _GAP if isinstance(name, str) else _BEND + _GAP / 2

    def _heights(self, names: list[object]) -> float:
        return sum(map(self._height, names))

    def _follow(self, middles: dict[object, Point], joined: list[tuple[object, object]]) -> None:
        """Arrows over several layers go by way of the bends in between."""
        onwards: dict[object, list[object]] = {}
        for start, end in joined:
            onwards.setdefault(start, []).append(end)
        for start in [name for name in onwards if isinstance(name, str)]:
            for step in onwards[start]:
                way: list[Point] = []
                while not isinstance(step, str):
                    way.append(middles[step])
                    (step,) = onwards[step]
                self._bends[start, step] = way

    def _points(self, start: str, end: str) -> list[Point]:
        """From the side of one box that faces the other, over the bends, to the side that faces back."""
        one, other = self.placed[start], self.placed[end]
        bends = self._bends.get((start, end)) or list(reversed(self._bends.get((end, start), [])))
        forwards = one.x < other.x
        leaves = (one.x + one.width if forwards else one.x, one.y + one.height / 2)
        arrives = (other.x if forwards else other.x + other.width, other.y + other.height / 2)
        return [leaves, *bends, arrives]


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST else label[: _LONGEST - 1].rsplit(",", 1)[0] + ", …"
