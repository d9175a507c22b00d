"""What an author probably meant: a place where reading failed -> a message and advice."""

from __future__ import annotations

from ruleforge.lang.parser.hints import (
    at_ends,
    binders,
    blocks,
    brackets,
    elsewhere,
    in_words,
    misplaced,
    other_order,
    spare_words,
    under_keys,
    values,
)
from ruleforge.lang.parser.hints.fitting import fitting
from ruleforge.lang.parser.hints.hinting import Hint
from ruleforge.lang.parser.problem import Problem
from ruleforge.lang.parser.trouble import LAYOUT, Trouble

# The first that recognises a mistake wins: what other languages and rulebooks say comes before what is general.
HINTS: tuple[Hint, ...] = (
    *at_ends.HINTS,
    *under_keys.HINTS,
    *elsewhere.HINTS,
    *in_words.HINTS,
    *other_order.HINTS,
    *spare_words.HINTS,
    *brackets.HINTS,
    *blocks.HINTS,
    *binders.HINTS,
    *misplaced.HINTS,
    *values.HINTS,
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
