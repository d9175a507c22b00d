"""A diagram: boxes and arrows, and its text in Mermaid."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.analysis.effects.definitions import Definition
from ruleforge.support.records import dataclass

_SHAPES = {
    "action": ("([", "])"),
    "event": ("(", ")"),
    "rule": ("{{", "}}"),
    "keyword": ("{{", "}}"),
    "counter": ("[(", ")]"),
    "place": ("[(", ")]"),
}
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Box:
    """A named box; `sort` is its kind of definition, `notes` are small print, `inside` are nested boxes."""

    id: str
    label: str
    sort: str
    notes: tuple[str, ...] = ()
    inside: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class Arrow:
    start: str
    end: str
    label: str = ""
    dotted: bool = False


@dataclass(frozen=True, slots=True)
class Diagram:
    """Boxes in reading order and the arrows between them."""

    title: str
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...] = ()

    def around(self, name: str) -> Diagram:
        """The boxes of this name, those joined to them by one arrow, and their arrows."""
        middle = {box.id for box in self.boxes if name in (box.label, box.id.partition(" ")[2])}
        arrows = tuple(a for a in self.arrows if a.start in middle or a.end in middle)
        joined_boxes = middle | {end for a in arrows for end in (a.start, a.end)}
        return Diagram(self.title, tuple(b for b in self.boxes if b.id in joined_boxes), arrows)


def box_of(sort: str, name: str, title: str = "") -> Box:
    """A title that is a whole sentence says less in a box than the name; one that is the name says nothing."""
    words = name.replace("_", " ").replace(".", ": ")
    is_titled = title != name and 0 < len(title) <= _LONGEST
    return Box(f"{sort} {name}", title if is_titled else words, sort)


def definition_box(definition: Definition) -> Box:
    if definition.sort == "setup":
        return Box("setup", "set-up", "phase")
    return box_of(definition.sort, definition.name, definition.title)


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
