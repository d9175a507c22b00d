"""Effect text that remembers its file: a place inside a YAML scalar -> a place in the file."""

from __future__ import annotations

from dataclasses import dataclass

from ruleforge.diagnostics import Span


@dataclass(frozen=True, slots=True)
class SourceText:
    """The text of one scalar; `starts[i]` is the (line, column) in the file where its line i begins."""

    text: str
    span: Span
    starts: tuple[tuple[int, int], ...]

    def span_at(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        """The file span of a stretch inside the text; all counted from 1, end column exclusive."""
        first = self._place(line, column)
        last = self._place(end_line, end_column)
        return Span(self.span.file, *first, *last)

    def _place(self, line: int, column: int) -> tuple[int, int]:
        if line > len(self.starts):
            return (self.span.end_line, self.span.end_column)
        file_line, file_column = self.starts[line - 1]
        return (file_line, file_column + column - 1)
