"""`styled_text` arranges pieces of text with a style as lines of a width, and gives players their colours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from unicodedata import combining, east_asian_width

from ruleforge.support.records import dataclass

PALETTE = ("red", "blue", "green", "magenta", "cyan", "yellow")
NAMED = {*PALETTE, "white", "black"}


@dataclass(frozen=True, slots=True)
class Mark:
    """A piece of text; `of` names the player or colour it stands for, `dim` marks mere filling."""

    text: str
    of: str = ""
    dim: bool = False
    bold: bool = False
    changed: bool = False


Line = tuple[Mark, ...]
Chunk = tuple[Mark, ...]  # what is kept on one line if it can be


def width_of(marks: Iterable[Mark]) -> int:
    return sum(text_width(mark.text) for mark in marks)


def text_width(text: str) -> int:
    """Columns on a terminal."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def text_of(line: Line) -> str:
    return "".join(mark.text for mark in line).rstrip()


def padded(line: Line, width: int) -> Line:
    room = width - width_of(line)
    return (*line, Mark(" " * room)) if room > 0 else line


def centred(marks: Sequence[Mark], width: int) -> Line:
    room = max(width - width_of(marks), 0)
    return (Mark(" " * (room // 2)), *marks, Mark(" " * (room - room // 2)))


def flow(
    chunks: Iterable[Chunk], width: int, first: Line = (), indent: int = 2, gap: str = "  "
) -> list[Line]:
    """Chunks one after the other behind a head, further lines indented; one longer than a line is broken at spaces."""
    lines: list[Line] = []
    line: list[Mark] = list(first)
    filled, fresh = width_of(first), not first
    for chunk in chunks:
        pieces = [chunk] if width_of(chunk) <= width - indent else [(word,) for word in _words(chunk)]
        for number, piece in enumerate(pieces):
            between = "" if fresh else (gap if number == 0 else " ")
            if not fresh and filled + len(between) + width_of(piece) > width:
                lines.append(tuple(line))
                line, filled, between = [Mark(" " * indent)], indent, ""
            line += [Mark(between), *piece] if between else piece
            filled += len(between) + width_of(piece)
            fresh = False
    if line:
        lines.append(tuple(line))
    return lines


def _words(chunk: Chunk) -> list[Mark]:
    return [replace(mark, text=word) for mark in chunk for word in mark.text.split()]


def beside(left: Sequence[Line], right: Sequence[Line], gap: int = 3) -> list[Line]:
    """Two blocks next to one another."""
    width = max(map(width_of, left), default=0) + gap
    height = max(len(left), len(right))
    rows = [(left[n] if n < len(left) else (), right[n] if n < len(right) else ()) for n in range(height)]
    return [(*padded(one, width), *other) if other else one for one, other in rows]


def cut(text: str, width: int) -> str:
    """A text no wider than so much."""
    return text if text_width(text) <= width else text[: max(width - 1, 0)] + "…"


# Colours for players and marks, the same on every device; never the only sign of a difference.


def colour_of(of: str, players: tuple[str, ...]) -> str:
    """The colour named by a player or mark; a player without one gets a free colour; empty for other marks."""
    if of in NAMED:
        return of
    if of not in players:
        return ""
    free = [colour for colour in PALETTE if colour not in players]
    return (free or list(PALETTE))[players.index(of) % len(free or PALETTE)]
