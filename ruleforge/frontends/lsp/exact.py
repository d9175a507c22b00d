"""Stretches of texts -> the names in them, to the letter."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ruleforge.support.diagnostics import Span

_OPENED = r"\s*[\"'|>+-]*\s*\Z"  # between a key and its text


class Exact:
    """Looks into the texts that spans speak of, by the names that spans have for them."""

    def __init__(self, contents: Mapping[str, str]) -> None:
        self._contents = contents
        self._lines: dict[str, list[str]] = {}

    def lines(self, file: str) -> list[str]:
        if file not in self._lines:
            self._lines[file] = self._contents.get(file, "").split("\n")
        return self._lines[file]

    def name(self, span: Span, name: str) -> Span | None:
        """The first place in a stretch where a name stands by itself."""
        lines = self.lines(span.file)
        if span.line > len(lines):
            return None
        line = lines[span.line - 1]
        if span.line == span.end_line and line[span.column - 1 : span.end_column - 1] == name:
            return span
        return self._word(span, re.escape(name))

    def copy(self, span: Span, name: str) -> Span | None:
        """The first place in a stretch where one of several copies is named."""
        return self._word(span, rf"{re.escape(name)}_[0-9]+")

    def _word(self, span: Span, word: str) -> Span | None:
        by_itself = re.compile(rf"(?<![\w.-]){word}(?![\w-])")
        behind_a_dot = re.compile(rf"(?<=\.){word}(?![\w-])")
        return self._first(span, by_itself) or self._first(span, behind_a_dot)

    def _first(self, span: Span, word: re.Pattern[str]) -> Span | None:
        lines = self.lines(span.file)
        for number in range(span.line, min(span.end_line, len(lines)) + 1):
            text = lines[number - 1]
            start = span.column - 1 if number == span.line else 0
            end = span.end_column - 1 if number == span.end_line else len(text)
            if found := word.search(text, start, max(start, end)):
                return Span(span.file, number, found.start() + 1, number, found.end() + 1)
        return None

    def given(self, span: Span, name: str) -> Span | None:
        """The name to which a value is given, as in `name = value`."""
        lines = self.lines(span.file)
        before = lines[span.line - 1][: span.column - 1].rstrip() if span.line <= len(lines) else ""
        if not before.endswith("="):
            return None
        found = re.search(rf"(?<![\w.-]){re.escape(name)}(?=\s*=\s*\Z)", before)
        return Span(span.file, span.line, found.start() + 1, span.line, found.end() + 1) if found else None

    def declared(self, span: Span, name: str) -> Span | None:
        """Where a local gets its name: as the key right before the text that binds it, in that text, or further up."""
        return self._key(span, name, _OPENED) or self.name(span, name) or self._key(span, name)

    def _key(self, span: Span, name: str, behind: str = "") -> Span | None:
        lines = self.lines(span.file)
        key = re.compile(rf"(?<![\w.-]){re.escape(name)}(?=[\"']?\s*:{behind})")
        for number in range(min(span.line, len(lines)), max(span.line - 2, 0), -1):
            text = lines[number - 1]
            before = text[: span.column - 1] if number == span.line else text
            places = list(key.finditer(before))
            if places:
                return Span(span.file, number, places[-1].start() + 1, number, places[-1].end() + 1)
        return None
