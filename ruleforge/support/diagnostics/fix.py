"""What would mend a mistake, as an edit that a program can make."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ruleforge.support.diagnostics.span import Span
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """Another text in the place of a stretch; of `word`, if one is named, the first in the stretch by itself."""

    span: Span
    text: str
    word: str = ""

    def exact(self, lines: list[str]) -> Span | None:
        """The stretch to replace, in the lines of the file; None if the word is not there."""
        span = self.span
        if not self.word:
            return span
        word = re.compile(rf"(?<![\w-]){re.escape(self.word)}(?![\w-])")
        for number in range(span.line, min(span.end_line, len(lines)) + 1):
            line = lines[number - 1]
            start = span.column - 1 if number == span.line else 0
            end = span.end_column - 1 if number == span.end_line else len(line)
            if found := word.search(line, start, max(start, end)):
                return Span(span.file, number, found.start() + 1, number, found.end() + 1)
        return None


Fix = tuple[Edit, ...]  # all of them together mend the mistake


def mended(text: str, file: str, edits: Iterable[Edit]) -> str:
    """A text with those edits made that are in this file; of edits that overlap the first is made."""
    lines = text.split("\n")
    found = {(span, edit.text) for edit in edits if edit.span.file == file and (span := edit.exact(lines))}
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    end = len(text) + 1
    for span, new in sorted(found, reverse=True):
        first = starts[span.line - 1] + span.column - 1
        last = starts[span.end_line - 1] + span.end_column - 1
        if last <= end:
            text, end = text[:first] + new + text[last:], first
    return text
