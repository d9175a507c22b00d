"""Explains a syntax error: the first matching hint, or a general message."""

from __future__ import annotations

from ruleforge.lang.parser.hints import (
    binders,
    blocks,
    brackets,
    first_and_last,
    misplaced_words,
    other_languages,
    prose,
    repeated_keys,
)
from ruleforge.lang.parser.hints.hint_table import Hint
from ruleforge.lang.parser.parse_failure import LAYOUT, Trouble, fitting
from ruleforge.lang.parser.syntax_problem import Problem

# The first that recognises a mistake wins: what other languages and rulebooks say comes before what is general.
HINTS: tuple[Hint, ...] = (
    *first_and_last.HINTS,
    *repeated_keys.HINTS,
    *other_languages.HINTS,
    *prose.HINTS,
    *brackets.HINTS,
    *blocks.HINTS,
    *binders.HINTS,
    *misplaced_words.HINTS,
)


def explain(trouble: Trouble) -> Problem:
    """The best explanation for a word that does not fit."""
    for entry in HINTS:
        problem = entry.explain(trouble)
        if problem is not None:
            return problem
    return _plain(trouble)


def _plain(t: Trouble) -> Problem:
    """When no hint knows better."""
    last = t.seen()
    if t.at_end and last is not None:
        return Problem("RF407", f"something is missing after `{last.text}`", last.span, fitting(t))
    after = f" after `{last.text}`" if last is not None and last.type not in LAYOUT else " here"
    return Problem("RF401", f"did not expect {t.met}{after}", t.word.span, fitting(t))
