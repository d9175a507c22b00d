"""Mends texts that YAML cut at a comma inside `{...}` or `[...]`, and says so."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.lang.source.tree import ScalarNode, SourceNode
from ruleforge.support.diagnostics import Edit, Report, Span


def mended(nodes: Sequence[SourceNode], lines: list[str], report: Report) -> list[SourceNode]:
    """The nodes with `f(a` and `b)` joined again to `f(a, b)`; each such place is reported once.

    Later stages then see the text the author wrote, so one slip gives one complaint.
    """
    kept: list[SourceNode] = []
    position = 0
    while position < len(nodes):
        node = nodes[position]
        end = _end_of_cut(nodes, position)
        if end is not None and isinstance(node, ScalarNode):
            whole = position == 0 and end == len(nodes) - 1  # then braces were meant as part of the text
            node = _joined(node, nodes[end], lines)
            if not whole:
                _complain(node, report)
            position = end
        kept.append(node)
        position += 1
    return kept


def _complain(node: ScalarNode, report: Report) -> None:
    if node.text.replace(",", "").isdigit():
        message, instead = "YAML cuts this number at the comma", node.text.replace(",", "")
        help = f"write `{instead}`"
    else:
        message, instead = "YAML cuts this text at the comma", f'"{node.text}"'
        help = "put the whole text in quotes, or write one `key: value` a line without braces"
    fix = (Edit(node.span, instead),) if instead.count('"') in (0, 2) else ()
    report.add("RF123", message, node.span, help, fix=fix)


def _end_of_cut(nodes: Sequence[SourceNode], position: int) -> int | None:
    """Where the bracket opened in this text is closed again, if that is in a later text of the same line."""
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
    """Where `1,000` ends: digits, then three more right behind the comma."""
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
