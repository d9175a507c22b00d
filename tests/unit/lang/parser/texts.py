"""Effect texts for tests, placed in an imagined file."""

from __future__ import annotations

from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.diagnostics import Span


def source_text(text: str, line: int = 1, column: int = 1) -> SourceText:
    """A text whose lines begin at `line` and, as under `|`, all at the same `column`."""
    lines = text.split("\n")
    span = Span("game.yaml", line, column, line + len(lines) - 1, column + len(lines[-1]))
    return SourceText(text, span, tuple((line + i, column) for i in range(len(lines))))


def underlined(source: SourceText, span: Span) -> str:
    """The characters a span covers."""
    lines = source.text.split("\n")
    line, column = source.starts[0]
    first, last = span.line - line, span.end_line - line
    if first == last:
        return lines[first][span.column - column : span.end_column - column]
    inner = lines[first + 1 : last]
    return "\n".join([lines[first][span.column - column :], *inner, lines[last][: span.end_column - column]])
