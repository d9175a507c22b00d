"""Names and numbers as people type them: their shape, and which known name an unknown one was meant to be."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

ID = re.compile(r"[a-z][a-z0-9_]*\Z")
NUMBER = re.compile(r"-?[0-9]{1,10}\Z")


def is_id(word: str) -> bool:
    """Whether a word has the shape of a name in a rule file: lower snake case."""
    return bool(ID.match(word))


def as_number(word: str) -> int | None:
    """The number that a word typed by somebody stands for; None if it is none, or more than a game can count."""
    return int(word) if NUMBER.match(word) else None


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The known name an author most likely meant, or None if nothing is close."""
    wanted = _folded(word)
    best: tuple[float, str] | None = None
    for name in sorted(set(candidates)):
        score = _likeness(wanted, _folded(name))
        if best is None or score > best[0]:
            best = (score, name)
    return best[1] if best and best[0] >= 0.6 else None


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


def _likeness(a: str, b: str) -> float:
    if a == b:
        return 1.0
    if sorted(a) == sorted(b) and len(a) > 2:  # letters swapped
        return 0.95
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    if matcher.quick_ratio() < 0.6:
        return 0.0
    return matcher.ratio()
