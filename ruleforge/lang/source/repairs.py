"""Edits that make YAML of a line again: other indentation, quotation marks around a value, a sign put in."""

from __future__ import annotations

import re

from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

INDENT = 2
_COMMENT = re.compile(r"\s+#.*$")


@dataclass(frozen=True, slots=True)
class Change:
    """Another text in the place of a stretch of one line; all counted from 0, the end exclusive."""

    row: int
    column: int
    end: int
    text: str

    @property
    def longer(self) -> int:
        """By so much the line gets longer."""
        return len(self.text) - (self.end - self.column)

    def made(self, line: str) -> str:
        return f"{line[: self.column]}{self.text}{line[self.end :]}"

    def keeps_places(self, line: str) -> bool:
        """Is the whole line moved by it? What a sign that is put in closes or opens may lack more than the sign."""
        return "\n" not in self.text and not line[: self.end].strip(" -")

    def span(self, file: str) -> Span:
        return Span(file, self.row + 1, self.column + 1, self.row + 1, self.end + 1)


@dataclass(frozen=True, slots=True)
class Changed:
    """All lines of a file after a change; `rows` is where each of them stood, `longer` by how much some have grown."""

    lines: tuple[str, ...]
    rows: tuple[int, ...]
    longer: tuple[tuple[int, int], ...] = ()


def inserted(row: int, column: int, text: str) -> Change:
    return Change(row, column, column, text)


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def end_of(line: str) -> int:
    """Where a line ends, the comment behind it left out."""
    comment = _COMMENT.search(line)
    return comment.start() if comment else len(line.rstrip())


def says_something(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def filled_above(lines: list[str], row: int) -> int | None:
    """The nearest line above that says something."""
    return next((r for r in range(row - 1, -1, -1) if says_something(lines[r])), None)


def aligned(lines: list[str], row: int, nearest: bool = False) -> Change | None:
    """The line as deep as the one above, or under it if that opens something; or as deep as the `nearest` that is open.

    Only a line that is one space beside another one is sure to be meant there.
    """
    above = filled_above(lines, row)
    if above is None or row >= len(lines):
        return None
    own = indent_of(lines[row])
    wanted = depth_under(lines[above])
    if nearest:
        beside = next((depth for depth in open_depths(lines, row) if abs(depth - own) == 1), None)
        if beside is None:
            return None
        wanted = beside
    return Change(row, 0, own, " " * wanted)


def shallower(lines: list[str], row: int) -> Change | None:
    """The line as deep as what it lies in now."""
    own = indent_of(lines[row])
    around = next((depth for depth in open_depths(lines, row) if depth < own), None)
    return None if around is None else Change(row, 0, own, " " * around)


def quoted(lines: list[str], at: tuple[int, int], inner: str | None = None) -> Change:
    """The rest of a line in quotation marks; `inner` is what is meant if some are there already."""
    row, column = at
    line = lines[row][: end_of(lines[row])]
    text = line[column:] if inner is None else inner
    marked = f"'{text}'" if '"' in text or "\\" in text else f'"{text}"'
    if '"' in text and "'" in text:
        marked = "'" + text.replace("'", "''") + "'"
    return Change(row, column, len(line), marked)


def is_flow(before: str) -> bool:
    """Is a bracket or brace open at the end of this piece of a line?"""
    return sum(before.count(sign) for sign in "[{") > sum(before.count(sign) for sign in "]}")


def opens_more(lines: list[str], row: int) -> bool:
    """Does what follows a line lie under it?"""
    below = next((line for line in lines[row + 1 :] if says_something(line)), "")
    return indent_of(below) > indent_of(lines[row]) or below.lstrip().startswith("- ")


def is_item_below(lines: list[str], row: int, depth: int) -> bool:
    """Does a list item follow that is exactly so deep, before anything that is less deep?"""
    for line in filter(says_something, lines[row + 1 :]):
        if indent_of(line) <= depth:
            return indent_of(line) == depth and line.lstrip().startswith("- ")
    return False


def open_depths(lines: list[str], row: int) -> list[int]:
    """How deep the line above is, and all that it lies in."""
    depths: list[int] = []
    above = filled_above(lines, row)
    while above is not None:
        depth = indent_of(lines[above])
        if not depths or depth < depths[-1]:
            depths.append(depth)
        above = filled_above(lines, above)
    return depths


def depth_under(line: str) -> int:
    deeper = INDENT if line.rstrip().endswith((":", "|")) else 0
    return indent_of(line) + deeper
