"""The rule files as they were when the game was loaded: the author's own words at a place."""

from __future__ import annotations

from collections.abc import Mapping

from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class Texts:
    """Text by file name, as spans name files."""

    files: Mapping[str, str]

    def at(self, span: Span) -> str:
        """What is written there, on one line; the place itself where the text is not at hand."""
        lines = self.files.get(span.file, "").splitlines()[span.line - 1 : span.end_line]
        if not lines:
            return f"{span.file}:{span.line}"
        if len(lines) == 1:
            return lines[0][span.column - 1 : span.end_column - 1].strip()
        cut = [lines[0][span.column - 1 :], *lines[1:-1], lines[-1][: span.end_column - 1]]
        return " ".join(line.strip() for line in cut)
