"""Maps places inside a YAML scalar to places in its file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ruleforge.support.diagnostics import Span
from ruleforge.support.diagnostics.diagnostic import new_span
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class SourceText:
    """The text of one scalar; `starts[i]` is the (line, column) in the file where its line i begins.

    Without `starts`, its places are unknown; a diagnostic reported this, and no later stage reads the text.
    `folds` lists lines that were joined from several places of the file, as (line and column in the text,
    line and column in the file).
    """

    text: str
    span: Span
    starts: tuple[tuple[int, int], ...]
    folds: tuple[tuple[int, int, int, int], ...] = ()

    def span_at(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        """The file span of a stretch inside the text; all counted from 1, end column exclusive."""
        if line == end_line and column <= end_column and line <= len(self.starts) and not self.folds:
            file_line, file_column = self.starts[line - 1]  # as most
            before = file_column - 1
            return new_span((self.span[0], file_line, before + column, file_line, before + end_column))
        first = self._place(line, column)
        if (end_line, end_column) > (line, column):
            last_line, last_column = self._place(end_line, end_column - 1 if end_column > 1 else 1)
            last = (last_line, last_column + (end_column > 1))
        else:
            last = first
        return Span(self.span.file, *first, *last)

    def _place(self, line: int, column: int) -> tuple[int, int]:
        if line > len(self.starts):
            return (self.span.end_line, self.span.end_column)
        file_line, file_column = self.starts[line - 1]
        origin = 1
        for text_line, text_column, folded_line, folded_column in self.folds:
            if text_line == line and text_column <= column:
                origin, file_line, file_column = text_column, folded_line, folded_column
        return (file_line, file_column + column - origin)


_WORD = re.compile(r'"[^"\n]*"|#.*|(?P<word>[A-Za-z_]\w*)')  # quoted words and comments are no names
_NUMBERED = re.compile(r"(?:_[0-9]+|_option)\Z")  # behind the name of a kind or thing


def words_in(text: str) -> frozenset[str]:
    """The names in an effect text; not those behind a dot, which belong to something."""
    found = ((word, text[word.start() - 1 : word.start()]) for word in _WORD.finditer(text) if word["word"])
    return frozenset(_NUMBERED.sub("", word[0]) for word, before in found if before != ".")


def renamed(name: str, names: Mapping[str, str]) -> str:
    """A name, or one of several copies, as `names` has it."""
    number = _NUMBERED.search(name)
    stem = name[: number.start()] if number else name
    if name in names:
        return names[name]
    return names[stem] + number[0] if number and stem in names else name


def renamed_in(text: str, names: Mapping[str, str]) -> str:
    return _WORD.sub(lambda word: renamed(word[0], names) if word["word"] else word[0], text)


def with_names(source: SourceText, names: Mapping[str, str]) -> SourceText:
    """The text with other names in it, each at the place of the old one."""
    text = renamed_in(source.text, names)
    if text == source.text or not source.starts:
        return source if text == source.text else SourceText(text, source.span, source.starts)
    folds = [
        fold
        for row, line in enumerate(source.text.split("\n"), 1)
        for fold in _shifted(source, row, line, names)
    ]
    return SourceText(text, source.span, source.starts, tuple(folds))


def _shifted(
    source: SourceText, row: int, line: str, names: Mapping[str, str]
) -> list[tuple[int, int, int, int]]:
    """The folds of one line once its names are others: where a name begins, where it ends, and what is behind it."""
    stops = {fold[1]: 0 for fold in source.folds if fold[0] == row}
    folds, shift = [], 0
    changed = {
        word.start() + 1: (len(word[0]), len(renamed(word[0], names)))
        for word in _WORD.finditer(line)
        if word["word"] and renamed(word[0], names) != word[0]
    }
    for start, (old, _) in changed.items():
        stops |= {start: 0, start + old: 0}
    for column in sorted(stops):
        folds.append((row, column + shift, *source._place(row, column)))
        if column in changed:
            old, new = changed[column]
            folds.append((row, column + shift + new - 1, *source._place(row, column + old - 1)))
            shift += new - old
    return folds


def text_at(text: str, span: Span) -> SourceText:
    """A one-line text that stands in the file exactly as it is."""
    return SourceText(text, span, ((span.line, span.column),))


def listed_text(items: Sequence[SourceText], span: Span) -> SourceText:
    """The items of a YAML list as one text `[a, b]` in which every item keeps its own place."""
    return _woven([(", " if number else "", item) for number, item in enumerate(items)], "[]", span)


def tabled_text(entries: Sequence[tuple[SourceText, SourceText]], span: Span) -> SourceText:
    """The entries of a YAML mapping as one text `{a: 1, b: 2}` in which keys and values keep their own places."""
    pieces: list[tuple[str, SourceText]] = []
    for key, value in entries:
        pieces += [(", " if pieces else "", key), (": ", value)]
    return _woven(pieces, "{}", span)


def _woven(pieces: Sequence[tuple[str, SourceText]], brackets: str, span: Span) -> SourceText:
    """Texts, each behind what parts it from the one before."""
    text, folds = brackets[0], [(1, 1, span.line, span.column)]
    for parted, piece in pieces:
        text += parted
        first = piece.starts[0] if piece.starts else (piece.span.line, piece.span.column)
        own = piece.folds or ((1, 1, *first),)
        folds += [(1, len(text) + column, line, place) for _, column, line, place in own]
        text += piece.text
    folds.append((1, len(text) + 1, span.end_line, max(span.end_column - 1, 1)))
    return SourceText(text + brackets[1], span, ((span.line, span.column),), tuple(folds))
