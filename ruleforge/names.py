"""Names and numbers as people type them: their shape, and which known name an unknown one was meant to be."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache

ID = re.compile(r"[a-z][a-z0-9_]*\Z")
NUMBER = re.compile(r"-?[0-9]{1,10}\Z")


def is_id(word: str) -> bool:
    """Whether a word has the shape of a name in a rule file: lower snake case."""
    return bool(ID.match(word))


def as_number(word: str) -> int | None:
    """The number that a word typed by somebody stands for; None if it is none, or more than a game can count."""
    return int(word) if NUMBER.match(word) else None


def with_article(noun: str) -> str:
    """A noun behind its article."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The known name an author most likely meant, or None if nothing is close."""
    wanted = _folded(word)
    letters = _letters(wanted)
    best, score = None, 0.6
    for name in sorted(set(candidates)):
        likeness = _likeness(wanted, letters, _folded(name), score)
        if likeness > score or (best is None and likeness >= score):
            best, score = name, likeness
    return best


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """A help text that proposes the nearest name, or None."""
    found = nearest(word, candidates)
    return f"did you mean `{found}`?" if found else None


def listed(words: Iterable[str], last: str = "or") -> str:
    """`a`, `b` or `c`: names quoted and joined for a sentence."""
    quoted = [f"`{word}`" for word in words]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} {last} {quoted[-1]}"


def _folded(word: str) -> str:
    return word.lower().replace("-", "_")


@lru_cache(maxsize=10_000)
def _letters(word: str) -> str:
    return "".join(sorted(word))


def _likeness(a: str, letters: str, b: str, least: float) -> float:
    """From 0 to 1; 0 also where it is surely below `least`, which costs less to see."""
    if a == b:
        return 1.0
    both = len(a) + len(b)
    if 2 * min(len(a), len(b)) < least * both:
        return 0.0
    others = _letters(b)
    if letters == others and len(a) > 2:  # letters swapped
        return 0.95
    if 2 * _common(letters, others) < least * both:
        return 0.0
    return SequenceMatcher(None, a, b, autojunk=False).ratio()


def _common(one: str, other: str) -> int:
    """How many letters two sorted words share."""
    found = i = j = 0
    while i < len(one) and j < len(other):
        if one[i] == other[j]:
            found, i, j = found + 1, i + 1, j + 1
        elif one[i] < other[j]:
            i += 1
        else:
            j += 1
    return found
