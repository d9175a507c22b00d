"""The words and signs of an effect text with their places in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.diagnostics import Span

_TOKEN = re.compile(r"[0-9]+d[0-9]+|[A-Za-z_]\w*|[0-9]+|<=|>=|\+=|-=|//|\.\.|[^\s\w]")


class Word(NamedTuple):
    text: str
    span: Span

    @property
    def is_name(self) -> bool:
        return self.text[0].isalpha() or self.text[0] == "_"


def words_of(source: SourceText) -> tuple[Word, ...]:
    """In their order; comments are none."""
    return tuple(_words(source))


def _words(source: SourceText) -> Iterator[Word]:
    for number, line in enumerate(source.text.split("\n"), start=1):
        for found in _TOKEN.finditer(line.partition("#")[0]):
            span = source.span_at(number, found.start() + 1, number, found.end() + 1)
            if span.line == span.end_line and span.end_column - span.column == len(found[0]):
                yield Word(found[0], span)  # in a text with escapes places may be off
