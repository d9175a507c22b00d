"""Edits that make a line valid YAML again: indentation, quotation marks, an inserted sign, a text cut at a comma."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ruleforge.lang.source.tree import ScalarNode, SourceNode
from ruleforge.support.diagnostics import Edit, Report, Span
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
        """Whether the edit only changes the start of the line, so that its whole text moves."""
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
    """The end of a line without its comment."""
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
    """Whether the next lines belong under a line."""
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


# Repairs texts that YAML cut at a comma inside `{...}` or `[...]`, and says so.


def repaired(nodes: Sequence[SourceNode], lines: list[str], report: Report) -> list[SourceNode]:
    """The nodes with `f(a` and `b)` joined again to `f(a, b)`; each such place is reported once.

    Later stages then see the text the author wrote, so one slip gives one diagnostic.
    """
    nodes_left: list[SourceNode] = []
    position = 0
    while position < len(nodes):
        node = nodes[position]
        end = _end_of_cut(nodes, position)
        if end is not None and isinstance(node, ScalarNode):
            whole = position == 0 and end == len(nodes) - 1  # then braces were meant as part of the text
            node = _joined(node, nodes[end], lines)
            if not whole:
                _report_comma(node, report)
            position = end
        nodes_left.append(node)
        position += 1
    return nodes_left


def _report_comma(node: ScalarNode, report: Report) -> None:
    if node.text.replace(",", "").isdigit():
        message, instead = "YAML cuts this number at the comma", node.text.replace(",", "")
        help = f"write `{instead}`"
    else:
        message, instead = "YAML cuts this text at the comma", f'"{node.text}"'
        help = "put the whole text in quotes, or write one `key: value` a line without braces"
    fix = (Edit(node.span, instead),) if instead.count('"') in (0, 2) else ()
    report.add("RF123", message, node.span, help, fix=fix)


def _end_of_cut(nodes: Sequence[SourceNode], position: int) -> int | None:
    """The position at which the bracket opened in this text closes in a later text of the same line."""
    depth = _open_brackets(nodes[position])
    if depth <= 0:
        return _end_of_number(nodes, position)
    line = nodes[position].span.line
    for later in range(position + 1, len(nodes)):
        if nodes[later].span.end_line != line:
            return None
        depth += _open_brackets(nodes[later])
        if depth <= 0:
            return _with_gap(nodes, later)
    return None


def _end_of_number(nodes: Sequence[SourceNode], position: int) -> int | None:
    """The end of a number such as `1,000`: digits, then three more right behind the comma."""
    end = position
    while end + 1 < len(nodes) and _is_digits(nodes[end]) and _is_digits(nodes[end + 1], 3):
        if nodes[end + 1].span.column != nodes[end].span.end_column + 1:
            break
        end = _with_gap(nodes, end + 1)
    return end if end > position else None


def _is_digits(node: SourceNode, number: int | None = None) -> bool:
    plain = isinstance(node, ScalarNode) and node.style == "plain" and node.text.isdigit()
    return plain and (number is None or node.span.end_column - node.span.column == number)


def _with_gap(nodes: Sequence[SourceNode], last: int) -> int:
    """The rest of a cut text is a key without a value: that nothing belongs to it."""
    follower = nodes[last + 1] if last + 1 < len(nodes) else None
    is_gap = isinstance(follower, ScalarNode) and follower.kind == "null" and not follower.text
    return last + 1 if is_gap else last


def _open_brackets(node: SourceNode) -> int:
    if not isinstance(node, ScalarNode) or node.style != "plain":
        return 0
    return node.text.count("(") - node.text.count(")")


def _joined(first: ScalarNode, last: SourceNode, lines: list[str]) -> ScalarNode:
    span = Span(first.span.file, first.span.line, first.span.column, first.span.line, last.span.end_column)
    text = lines[span.line - 1][span.column - 1 : span.end_column - 1].rstrip()
    span = Span(span.file, span.line, span.column, span.line, span.column + len(text))
    if text.replace(",", "").isdigit():
        return ScalarNode(span, text, "str", "plain", None, text.replace(",", ""))
    return ScalarNode(span, text, "str", "plain")
