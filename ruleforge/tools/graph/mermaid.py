"""Writes a diagram as Mermaid text."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.tools.graph.diagram import Box, Diagram

_SHAPES = {
    "action": ("([", "])"),
    "event": ("(", ")"),
    "rule": ("{{", "}}"),
    "keyword": ("{{", "}}"),
    "counter": ("[(", ")]"),
    "place": ("[(", ")]"),
}


def mermaid(diagram: Diagram) -> str:
    numbers: dict[str, str] = {}
    lines = [f"---\ntitle: {_text(diagram.title)}\n---", "flowchart LR", *_boxes(diagram.boxes, numbers, 1)]
    for arrow in diagram.arrows:
        line = "-.->" if arrow.dotted else "-->"
        label = f"|{_text(arrow.label)}|" if arrow.label else ""
        lines.append(f"  {numbers[arrow.start]} {line}{label} {numbers[arrow.end]}")
    return "\n".join(lines) + "\n"


def _boxes(boxes: tuple[Box, ...], numbers: dict[str, str], depth: int) -> Iterator[str]:
    indent = "  " * depth
    for box in boxes:
        number = numbers[box.id] = f"b{len(numbers) + 1}"
        label = _text("<br>".join((box.label, *box.notes)))
        if box.inside:
            yield f"{indent}subgraph {number} [{label}]"
            yield from _boxes(box.inside, numbers, depth + 1)
            yield f"{indent}end"
        else:
            left, right = _SHAPES.get(box.sort, ("[", "]"))
            yield f"{indent}{number}{left}{label}{right}"


def _text(text: str) -> str:
    """In quotation marks, with all that Mermaid might read as its own as entities."""
    safe = "".join(_SIGNS.get(sign, sign) for sign in text.replace("<br>", "\n"))
    return f'"{safe}"'


_SIGNS = {
    '"': "#quot;",
    "#": "#35;",
    "<": "#lt;",
    ">": "#gt;",
    "&": "#amp;",
    "\n": "<br>",
    "`": "#96;",
    "\\": "#92;",
}
