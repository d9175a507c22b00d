"""Mends texts that YAML cut at a comma inside `{...}` or `[...]`, and says so."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.diagnostics import Report, Span
from ruleforge.source.scalar_origin import text_at
from ruleforge.source.tree import ScalarNode, SourceNode


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
            node = _joined(node, nodes[end], lines)
            help = "put the whole text in quotes, or write one `key: value` a line without braces"
            report.add("RF123", "YAML cuts this text at the comma", node.span, help)
            position = end
        kept.append(node)
        position += 1
    return kept


def _end_of_cut(nodes: Sequence[SourceNode], position: int) -> int | None:
    """Where the bracket opened in this text is closed again, if that is in a later text of the same line."""
    depth = _open_brackets(nodes[position])
    if depth <= 0:
        return None
    line = nodes[position].span.line
    for later in range(position + 1, len(nodes)):
        if nodes[later].span.end_line != line:
            return None
        depth += _open_brackets(nodes[later])
        if depth <= 0:
            # The rest of a cut text is a key without a value: that nothing belongs to it.
            follower = nodes[later + 1] if later + 1 < len(nodes) else None
            is_gap = isinstance(follower, ScalarNode) and follower.kind == "null" and not follower.text
            return later + 1 if is_gap else later
    return None


def _open_brackets(node: SourceNode) -> int:
    if not isinstance(node, ScalarNode) or node.style != "plain":
        return 0
    return node.text.count("(") - node.text.count(")")


def _joined(first: ScalarNode, last: SourceNode, lines: list[str]) -> ScalarNode:
    span = Span(first.span.file, first.span.line, first.span.column, first.span.line, last.span.end_column)
    text = lines[span.line - 1][span.column - 1 : span.end_column - 1].rstrip()
    span = Span(span.file, span.line, span.column, span.line, span.column + len(text))
    return ScalarNode(span, text, "str", "plain", text_at(text, span))
