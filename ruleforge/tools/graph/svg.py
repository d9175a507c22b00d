"""Writes a diagram as SVG: nested boxes as a column, arrows in layers; text is escaped."""

from __future__ import annotations

from dataclasses import replace
from html import escape

from ruleforge.tools.graph.diagram import Box, Diagram
from ruleforge.tools.graph.layers import LABEL, LINE, Picture, Shape, label_width, layered, shape_at

_COLOURS = {  # of what a box is: a fill that dark text can be read on, told apart also without colours by the legend
    "phase": "#dbe9f6",
    "window": "#e7e1f3",
    "action": "#d9efdc",
    "event": "#fdf0cf",
    "rule": "#f9dcd3",
    "keyword": "#f9dcd3",
    "counter": "#ececec",
    "place": "#e3f1f1",
    "thing": "#ffffff",
    "formula": "#ececec",
    "moment": "#ffffff",
}
_STYLE = (
    "text{font:13px sans-serif;fill:#1b1b1b}.note{font-size:11px;fill:#4a4a4a}.label{font-size:11px;fill:#333}"
    ".title{font-size:16px;font-weight:bold}.box{stroke:#5a6672}.arrow{stroke:#5a6672;fill:none}"
    ".dotted{stroke-dasharray:5 4}.back{fill:#ffffff}"
)
_GAP = 10.0
_WIDTH = 640.0  # a row of small boxes ends here


def svg(diagram: Diagram) -> str:
    """The whole picture, with its title and a legend; it needs nothing beside itself."""
    picture = nested(diagram) if any(box.inside for box in diagram.boxes) else layered(diagram)
    sorts = tuple(dict.fromkeys(shape.sort for shape in picture.shapes))
    width = max(picture.width, 24 + 110 * len(sorts), 8 * len(diagram.title)) + 24
    height = picture.height + 84
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}">',
        f"<title>{escape(diagram.title)}</title><style>{_STYLE}</style>",
        '<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" '
        'orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#5a6672"/></marker></defs>',
        f'<rect class="back" width="{width:.0f}" height="{height:.0f}"/>',
        f'<text class="title" x="12" y="26">{escape(diagram.title)}</text>',
        *_legend(sorts if len(sorts) > 1 else ()),
        '<g transform="translate(12 72)">',
        *(_path(path) for path in picture.paths),
        *(_shape(shape) for shape in picture.shapes),
        *(_label(x, y, text) for x, y, text in picture.labels),
        "</g></svg>",
    ]
    return "\n".join(parts) + "\n"


def _legend(sorts: tuple[str, ...]) -> list[str]:
    return [
        f'<rect class="box" x="{12 + 110 * i}" y="40" width="14" height="14" rx="3" fill="{_COLOURS[sort]}"/>'
        f'<text class="note" x="{32 + 110 * i}" y="51">{sort}</text>'
        for i, sort in enumerate(sorts)
    ]


def _shape(shape: Shape) -> str:
    """A box with its text: a title, and small print below it."""
    lines = [
        f'<text x="{shape.x + 8:.1f}" y="{shape.y + 17 + LINE * i:.1f}"{style}>{escape(text)}</text>'
        for i, (text, style) in enumerate(
            [(text, "") for text in shape.label] + [(note, ' class="note"') for note in shape.notes]
        )
    ]
    return (
        f'<rect class="box" x="{shape.x:.1f}" y="{shape.y:.1f}" width="{shape.width:.1f}" '
        f'height="{shape.height:.1f}" rx="5" fill="{_COLOURS[shape.sort]}"/>' + "".join(lines)
    )


def _path(path: tuple[tuple[tuple[float, float], ...], bool]) -> str:
    points, dotted = path
    (x, y), *rest = points
    parts = [f"M{x:.1f} {y:.1f}"]
    for (x0, y0), (x1, y1) in zip(points, rest, strict=False):
        middle = (x0 + x1) / 2  # leaves and arrives level, so that arrows into one box can be told apart
        parts.append(f"C{middle:.1f} {y0:.1f} {middle:.1f} {y1:.1f} {x1:.1f} {y1:.1f}")
    style = "arrow dotted" if dotted else "arrow"
    return f'<path class="{style}" marker-end="url(#head)" d="{" ".join(parts)}"/>'


def _label(x: float, y: float, text: str) -> str:
    width = label_width(text)
    return (
        f'<rect x="{x - width / 2:.1f}" y="{y - LABEL / 2:.1f}" width="{width:.1f}" height="{LABEL:.0f}" fill="#ffffff" '
        f'fill-opacity="0.8"/><text class="label" text-anchor="middle" x="{x:.1f}" y="{y + 4:.1f}">'
        f"{escape(text)}</text>"
    )


# A layout of nested boxes: in a column, with small contents side by side.


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
