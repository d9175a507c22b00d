"""Diagnostics: message, place, fix, and the report that every stage adds to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from functools import partial
from typing import Literal, NamedTuple

from ruleforge.support.diagnostics.codes import CODES
from ruleforge.support.records import dataclass

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement for a stretch of text.

    If `word` is given, it replaces the first separate `word` in the stretch.
    """

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


Fix = tuple[Edit, ...]  # all of them together repair the mistake


def apply_edits(text: str, file: str, edits: Iterable[Edit]) -> str:
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


class Span(NamedTuple):
    """A stretch of one file. Lines and columns count from 1, the end column is exclusive.

    It is a tuple because spans are the most frequent objects: tuples are fast to make, compare and sort.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def to(self, other: Span) -> Span:
        """The stretch from the start of this span to the end of another one of the same file."""
        return new_span((self[0], self[1], self[2], other[3], other[4]))

    def holds(self, other: Span) -> bool:
        """Whether this stretch contains the other one."""
        return self[0] == other[0] and self[1:3] <= other[1:3] and other[3:] <= self[3:]


# The span of five parts, for those who make thousands: Python itself takes one step less.
new_span: Callable[[tuple[str, int, int, int, int]], Span] = partial(tuple.__new__, Span)


def start_of(file: str) -> Span:
    """The place of a diagnostic about a file as a whole."""
    return Span(file, 1, 1, 1, 1)


NOWHERE = start_of("<built in>")


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A mistake in the rules: message, place, help and fix, in the author's words."""

    code: str
    message: str
    span: Span
    help: str | None = None
    notes: tuple[tuple[str, Span], ...] = ()
    fix: Fix = ()  # what the help says, as edits; none where it takes an author to know

    @property
    def severity(self) -> Severity:
        return CODES[self.code].severity


@dataclass
class Report:
    """An append-only list of diagnostics. A repeated diagnostic is stored once, with the latest fix."""

    _items: dict[tuple[str, Span, str], Diagnostic] = field(default_factory=dict)

    def add(
        self,
        code: str,
        message: str,
        span: Span,
        help: str | None = None,
        notes: tuple[tuple[str, Span], ...] = (),
        fix: Fix = (),
    ) -> None:
        self.include(Diagnostic(code, message, span, help, notes, fix))

    def include(self, *diagnostics: Diagnostic) -> None:
        """Add diagnostics from another stage."""
        for d in diagnostics:
            if self._items.setdefault((d.code, d.span, d.message), d) is not d and d.fix:
                self._items[d.code, d.span, d.message] = d

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return tuple(sorted(self._items.values(), key=lambda d: (d.span, d.code)))

    @property
    def has_errors(self) -> bool:
        return any(d.severity == "error" for d in self._items.values())

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.diagnostics)
