"""Tokens with file positions; line ends and indentation become NEWLINE, INDENT and DEDENT."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from ruleforge.lang.parser.syntax_problem import Problem
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

MAX_BRACKETS = 50

# These never begin a statement, so a line that begins with one goes on with the line above.
CONTINUING = frozenset({"AND", "OR", "WHERE", "UNTIL", "BY", "THEN"})

_CLOSER = {"OPEN": "CLOSE", "OPEN_SQUARE": "CLOSE_SQUARE", "OPEN_CURLY": "CLOSE_CURLY"}
_SIGN = {
    "OPEN": "(",
    "OPEN_SQUARE": "[",
    "OPEN_CURLY": "{",
    "CLOSE": ")",
    "CLOSE_SQUARE": "]",
    "CLOSE_CURLY": "}",
}


class Token(NamedTuple):
    """A stretch of text: its terminal, its start and its end, counted from 1 except for the offset."""

    type: str
    text: str
    offset: int
    line: int
    column: int
    end_line: int
    end_column: int


# The token of seven parts, for a lexer that makes thousands.
new_token: Callable[[tuple[str, str, int, int, int, int, int]], Token] = partial(tuple.__new__, Token)


@dataclass(frozen=True, slots=True)
class Word:
    """A word or sign as the parser sees it; `offset` is its place in the text, `type` its terminal."""

    type: str
    text: str
    span: Span
    offset: int


class Lines:
    """The words of one text in order; remembers the brackets that are open, for messages."""

    def __init__(self, source: SourceText, tokens: Iterable[Token], lines_matter: bool) -> None:
        self._source = source
        self._tokens = tokens
        self._lines_matter = lines_matter
        self._indents = [0]
        self.open: list[Word] = []

    def __iter__(self) -> Iterator[Word]:
        line_end: Word | None = None
        started = False
        for token in self._tokens:
            word = self._word(token)
            if word.type == "NEWLINE":
                line_end = word
                continue
            if line_end is not None and self._lines_matter and not self.open:
                yield from self._next_line(line_end, word, started)
            elif not started and self._lines_matter:
                self._indents = [0]
            line_end, started = None, True
            self._count_bracket(word)
            yield word
        yield from self._end(started)

    def end_word(self, type: str = "$END") -> Word:
        """A word at the end of what was written, blank lines and comments left out."""
        text = self._source.text.rstrip()
        line = text.count("\n") + 1
        column = len(text) - (text.rfind("\n") + 1) + 1
        return Word(type, "", self._source.span_at(line, column, line, column), len(text))

    def _word(self, token: Token) -> Word:
        type_, text, offset, line, column, end_line, end_column = token
        if type_ == "NEWLINE":  # only its start is a place an author can see
            end_line, end_column = line, column
        return Word(type_, text, self._source.span_at(line, column, end_line, end_column), offset)

    def _next_line(self, line_end: Word, first: Word, started: bool) -> Iterator[Word]:
        indent = line_end.text.rpartition("\n")[2]
        if "\t" in indent:
            raise Problem(
                "RF403",
                "a tab in the indentation",
                first.span,
                "indent with spaces; two for each level are usual",
            )
        depth = len(indent)
        if not started:
            self._indents = [depth]
            return
        if first.type in CONTINUING:
            return
        yield Word("NEWLINE", "", line_end.span, line_end.offset)
        if depth > self._indents[-1]:
            self._indents.append(depth)
            yield Word("INDENT", indent, first.span, first.offset)
        while len(self._indents) > 1 and depth < self._indents[-1]:
            self._indents.pop()
            yield Word("DEDENT", "", first.span, first.offset)
        if depth != self._indents[-1]:
            raise Problem(
                "RF403",
                "this line is not aligned with any line above it",
                first.span,
                f"begin it {_spaces(self._indents[-1] - depth)} further right, "
                "or where another open block begins",
            )

    def _count_bracket(self, word: Word) -> None:
        if word.type in _CLOSER:
            self.open.append(word)
            if len(self.open) > MAX_BRACKETS:
                raise Problem(
                    "RF409",
                    f"more than {MAX_BRACKETS} brackets are open here",
                    word.span,
                    "split the text: name parts with `let` or with formulas",
                )
        elif word.type in _CLOSER.values():
            self._close(word)

    def _close(self, word: Word) -> None:
        if not self.open:
            message = f"`{word.text}` closes a bracket that was never opened"
            raise Problem("RF404", message, word.span, "delete it", instead="")
        opened = self.open.pop()
        wanted = _CLOSER[opened.type]
        if wanted != word.type:
            raise Problem(
                "RF404",
                f"`{opened.text}` is closed by `{word.text}`",
                word.span,
                f"write `{_SIGN[wanted]}` here, or open with `{_opener(word.type)}`",
                ((f"`{opened.text}` is opened here", opened.span),),
            )

    def _end(self, started: bool) -> Iterator[Word]:
        if started and self._lines_matter and not self.open:
            yield self.end_word("NEWLINE")
            for _ in self._indents[1:]:
                yield self.end_word("DEDENT")
        yield self.end_word()


def _opener(closer: str) -> str:
    return next(_SIGN[opener] for opener, wanted in _CLOSER.items() if wanted == closer)


def _spaces(number: int) -> str:
    return "1 space" if number == 1 else f"{number} spaces"
