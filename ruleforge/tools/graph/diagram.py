"""The product of this folder: boxes and arrows, which know no output format."""

from __future__ import annotations

from ruleforge.analysis.effects.definitions import Definition
from ruleforge.support.records import dataclass

_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Box:
    """Something named; `sort` says what it is, `notes` are small print, `inside` are boxes that lie in it."""

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
    """Boxes in reading order and arrows between them; `sorts` are what boxes are, with words for a legend."""

    title: str
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...] = ()

    def around(self, name: str) -> Diagram:
        """What is joined to the boxes of this name by one arrow, and nothing else."""
        middle = {box.id for box in self.boxes if name in (box.label, box.id.partition(" ")[2])}
        arrows = tuple(a for a in self.arrows if a.start in middle or a.end in middle)
        joined_boxes = middle | {end for a in arrows for end in (a.start, a.end)}
        return Diagram(self.title, tuple(b for b in self.boxes if b.id in joined_boxes), arrows)


def box_of(sort: str, name: str, title: str = "") -> Box:
    """A title that is a whole sentence says less in a box than the name; one that is the name says nothing."""
    words = name.replace("_", " ").replace(".", ": ")
    telling = title != name and 0 < len(title) <= _LONGEST
    return Box(f"{sort} {name}", title if telling else words, sort)


def definition_box(definition: Definition) -> Box:
    if definition.sort == "setup":
        return Box("setup", "set-up", "phase")
    return box_of(definition.sort, definition.name, definition.title)
