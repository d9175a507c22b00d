"""A text that could not be read -> its tree with words of the language as names, where they can be nothing else.

`to` is a word in `move x to y`, and a name in `go(to)`. Texts are read with all words as words first, so that what has
no such names is read once, and what is wrong is told as it was met.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser.grammar import lexer, table
from ruleforge.lang.parser.lines import Lines, Word
from ruleforge.lang.parser.parse_failure import Trouble
from ruleforge.lang.parser.syntax_problem import Problem
from ruleforge.lang.parser.tables import Unexpected, Unreadable
from ruleforge.lang.parser.words import terminals
from ruleforge.support.resources import never_names


def read_with_names(met: Trouble) -> n.Node | Trouble:
    """The tree; or the trouble that was met, the second time where the text itself makes a name of that word."""
    reading = table().begin(met.start)
    before: list[Word] = []
    result: n.Node | None = None
    try:
        tokens = lexer().tokens(met.source.text)
        words = [*Lines(met.source, tokens, lines_matter=met.start == "block")]
        if not any(_may_be_name(word) for word in words):
            return met
        for word, following in pairwise([*words, words[-1]]):
            kept = not _may_be_name(word) or any(reading.fit(word.type, type) for type in _types(following))
            word = word if kept else replace(word, type="NAME")
            result = reading.take(word)
            before.append(word)
    except Unexpected as problem:
        again = Trouble(met.start, met.source, word, tuple(before), problem.expected)
        return again if _is_given(met.word, words) else met
    except (Unreadable, Problem):
        return met
    return met if result is None else result


def _is_given(name: Word, words: list[Word]) -> bool:
    """Is a name given here: `for to in ...`, `let to = ...`?"""
    pairs = pairwise(words)
    return _may_be_name(name) and any(
        (a.text == name.text and b.type == "IN") or (a.type == "LET" and b.text == name.text)
        for a, b in pairs
    )


def _may_be_name(word: Word) -> bool:
    return word.type in terminals() and word.text not in never_names()


def _types(word: Word) -> tuple[str, ...]:
    return (word.type, "NAME") if _may_be_name(word) else (word.type,)
