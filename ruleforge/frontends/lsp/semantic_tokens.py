"""Semantic tokens: the words inside effect texts with their classes, in file order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ruleforge.frontends.lsp.symbols import LOCAL, Place
from ruleforge.frontends.lsp.workspace import View
from ruleforge.lang.parser.grammar import RESERVED
from ruleforge.lang.source.scalar_origin import SourceText

# The sort of token by which editors colour each sort of name.
SORTS = {
    "word": "keyword",
    "number_": "number",
    "comment": "comment",
    "question": "string",
    LOCAL: "variable",
    "kind": "class",
    "thing": "enumMember",
    "fact": "property",
    "attribute": "property",
    "place": "property",
    "formula": "function",
    "event": "event",
    "keyword": "enum",
    "number": "macro",
    "option": "macro",
    "phase": "namespace",
    "window": "namespace",
    "ending": "namespace",
}
TOKEN_TYPES = tuple(dict.fromkeys(SORTS.values()))
_WORDS = re.compile(r'#.*|"[^"]*"|[A-Za-z_]\w*|\b[0-9]+\b')


def tokens(view: View, path: Path) -> list[tuple[int, int, int, str]]:
    """Line and column from 1, length and sort of each word."""
    parsed = view.found.analysis.parsed
    named = {
        (span.line, span.column): SORTS[symbol.what]
        for symbol, span in view.index_in(path).everywhere(path)
        if symbol.what in SORTS and span.line == span.end_line
    }
    found: dict[Place, tuple[int, int, int, str]] = {}
    for text in parsed.texts.values() if parsed else ():
        if Path(text.source.span.file).absolute() == path:
            for line, column, word in _words(text.source):
                sort = named.get((line, column)) or _plain(word)
                if sort is not None:
                    found[line, column] = (line, column, len(word), sort)
    return sorted(found.values())


def _words(text: SourceText) -> Iterator[tuple[int, int, str]]:
    for number, line in enumerate(text.text.split("\n"), 1):
        for word in _WORDS.finditer(line):
            span = text.span_at(number, word.start() + 1, number, word.end() + 1)
            if span.line == span.end_line and span.end_column - span.column == len(word[0]):
                yield span.line, span.column, word[0]


def _plain(word: str) -> str | None:
    if word.startswith("#"):
        return SORTS["comment"]
    if word.startswith('"'):
        return SORTS["question"]
    if word[0].isdigit():
        return SORTS["number_"]
    return SORTS["word"] if word in RESERVED else None
