"""A layout of nested boxes: in a column, with small contents side by side."""

from __future__ import annotations

from dataclasses import replace

from ruleforge.tools.graph.canvas import Picture, Shape, shape_at
from ruleforge.tools.graph.diagram import Box, Diagram

_GAP = 10.0
_WIDTH = 640.0  # a row of small boxes ends here


def nested(diagram: Diagram) -> Picture:
    """An arrow leads from each box of the order to the one below it."""
    shapes, y, width = [], 0.0, 0.0
    tops: dict[str, Shape] = {}
    for box in diagram.boxes:
        placed = _placed(box, 0.0, y)
        tops[box.id] = placed[0]
        shapes += placed
        y = placed[0].y + placed[0].height + 2 * _GAP
        width = max(width, placed[0].width)
    joined = ((tops.get(a.start), tops.get(a.end), a.dotted) for a in diagram.arrows)
    paths = tuple(
        (((24.0, one.y + one.height), (24.0, other.y)), dotted)
        for one, other, dotted in joined
        if one and other
    )
    return Picture(width, y, tuple(shapes), paths)


def _placed(box: Box, x: float, y: float) -> list[Shape]:
    """The box, then all that is inside it; it is as large as that needs."""
    own = shape_at(box, x, y)
    inside: list[Shape] = []
    right, bottom = own.width, own.height
    at_x, at_y, row = x + _GAP, y + own.height, 0.0
    for inner in box.inside:
        placed = _placed(inner, at_x, at_y)
        first = placed[0]
        if inner.inside or inner.sort == "phase" or at_x + first.width > x + _WIDTH:
            if at_x > x + _GAP:
                placed = _placed(inner, x + _GAP, at_y + row)
                at_y += row
            first, at_x, row = placed[0], x + _GAP, 0.0
        inside += placed
        right = max(right, first.x + first.width - x)
        bottom = max(bottom, first.y + first.height - y)
        if inner.inside or inner.sort == "phase":
            at_y = first.y + first.height + _GAP
        else:
            at_x, row = first.x + first.width + _GAP, max(row, first.height + _GAP)
    if inside:
        own = replace(own, width=right + _GAP, height=bottom + _GAP)
    return [own, *inside]
