"""A text that could not be read -> its tree with words of the language as names, where they can be nothing else.

`to` is a word in `move x to y`, and a name in `go(to)`. Texts are read with all words as words first, so that what has
no such names is read once, and what is wrong is told as it was met.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from ruleforge.dsl import nodes as n
from ruleforge.dsl.grammar import lexer, table
from ruleforge.dsl.lines import Lines, Word
from ruleforge.dsl.problem import Problem
from ruleforge.dsl.tables import Unexpected, Unreadable
from ruleforge.dsl.words import terminals
from ruleforge.resources import never_names
from ruleforge.source.scalar_origin import SourceText


def read_with_names(start: str, text: SourceText) -> n.Node | None:
    """The tree, or None if it cannot be read so either."""
    reading = table().begin(start)
    result: n.Node | None = None
    try:
        words = [*Lines(text, lexer().tokens(text.text), lines_matter=start == "block")]
        if not any(_may_be_name(word) for word in words):
            return None
        for word, following in pairwise([*words, words[-1]]):
            kept = not _may_be_name(word) or any(reading.fit(word.type, type) for type in _types(following))
            result = reading.take(word if kept else replace(word, type="NAME"))
    except (Unexpected, Unreadable, Problem):
        return None
    return result


def _may_be_name(word: Word) -> bool:
    return word.type in terminals() and word.text not in never_names()


def _types(word: Word) -> tuple[str, ...]:
    return (word.type, "NAME") if _may_be_name(word) else (word.type,)
