"""What an author probably meant: a place where reading failed -> a message and advice."""

from __future__ import annotations

from dataclasses import dataclass

from ruleforge.dsl.layout import Word
from ruleforge.dsl.problem import Problem
from ruleforge.source.scalar_origin import SourceText


@dataclass(frozen=True, slots=True)
class Trouble:
    """Where the parser stopped: the word it met, the words before, and the terminals it would have taken."""

    start: str
    source: SourceText
    word: Word
    before: tuple[Word, ...]
    expected: frozenset[str]
    open: tuple[Word, ...]


def explain(trouble: Trouble) -> Problem:
    return Problem("RF401", f"did not expect `{trouble.word.text}` here", trouble.word.span)


def explain_character(source: SourceText, offset: int) -> Problem:
    line = source.text.count("\n", 0, offset) + 1
    column = offset - (source.text.rfind("\n", 0, offset) + 1) + 1
    span = source.span_at(line, column, line, column + 1)
    return Problem("RF402", f"`{source.text[offset]}` is not a sign of the language", span)
