"""Names and numbers as people type them: their shape, and the known name that an unknown one was meant to
be.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

ID = re.compile(r"[a-z][a-z0-9_]*\Z")
_DIGIT = re.compile(r"[0-9]")
_SILENT_H = re.compile(r"hour|heir|honou?r|honest")
_AS_YOU_OR_ONE = re.compile(r"uni(?![nm]|dent)|us[aeu]|ut[eio]|ub[ei]|ur[aei]|eu|ewe|on(?:e|ce)(?![a-z])")
NUMBER = re.compile(r"-?[0-9]{1,10}\Z")
DISCLOSED = "told "  # begins the name of what players were told about a part of things: for each player, what it may be


def is_id(word: str) -> bool:
    """Whether a word has the shape of a name in a rule file: lower snake case."""
    return bool(ID.match(word))


def as_number(word: str) -> int | None:
    """The number that a typed word stands for. None if it is no number or too large for a game."""
    return int(word) if NUMBER.match(word) else None


def proper(name: str) -> str:
    """The nearest valid name of a rule file. Empty if there is none."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_0123456789" if not plain[:1].isalpha() else "_")


_NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip


def number_in_words(word: str) -> int | None:
    """The number that a word of everyday language says."""
    return _NUMBERS.index(word.lower()) if word.lower() in _NUMBERS else None


def counted(number: int, noun: str) -> str:
    """`1 value`, `2 values`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def once_more(number: int) -> str:
    """`and once more`, `and 2 more times, next`: before the place of the first of them."""
    return "and once more" if number == 1 else f"and {number} more times, next"


def is_or_are(number: int) -> str:
    """`is 1`, `are 2`."""
    return f"{'is' if number == 1 else 'are'} {number}"


def with_article(noun: str) -> str:
    """A noun with its article, by pronunciation: `an hour`, `a unit`."""
    word = noun.lstrip("`").lower()
    vowel = _SILENT_H.match(word) or (word[:1] in tuple("aeiou") and not _AS_YOU_OR_ONE.match(word))
    return f"{'an' if vowel else 'a'} {noun}"


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The known name an author most likely meant, or None if nothing is close."""
    return _nearest(word, frozenset(candidates))


@lru_cache(maxsize=256)  # a name that is not known is not known in many a place
def _nearest(word: str, candidates: frozenset[str]) -> str | None:
    wanted = _folded(word)
    letters = _letters(wanted)
    best, score = None, 0.6
    # Those of about the same length come first: the likeness that they have spares a look at most of the others.
    for name in sorted(candidates, key=lambda name: abs(len(name) - len(word))):
        likeness = _likeness(wanted, letters, _folded(name), score)
        better = likeness > score or (likeness == score and (best is None or name < best))
        if better and _is_slip(wanted, _folded(name)):
            best, score = name, likeness
    return best


def _is_slip(word: str, name: str) -> bool:
    """Whether a word is a typing error, or has a longer or shorter end or beginning, and is not another
    word.
    """
    short, long = sorted((word, name), key=len)
    if len(short) < 2 and word != name:
        return False  # of one letter nothing is left to go by
    if _DIGIT.sub("0", word) == _DIGIT.sub("0", name) and sorted(word) != sorted(name):
        return False  # another number is another name
    if len(short) > 3 and (long.startswith(short) or long.endswith(short)):
        return True
    if sorted(word.split("_")) == sorted(name.split("_")):
        return True
    allowed = (len(long) + 1) // 3 if len(short) > 3 else 1
    return _slips(word, name) <= max(1, allowed)


def _slips(a: str, b: str) -> int:
    """The number of wrong, missing, extra or swapped letters."""
    older: list[int] = []
    old = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        new = [i]
        for j, y in enumerate(b, 1):
            new.append(min(old[j] + 1, new[j - 1] + 1, old[j - 1] + (x != y)))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                new[j] = min(new[j], older[j - 2] + 1)
        older, old = old, new
    return old[-1]


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
    """The likeness from 0 to 1. It is 0 if it is certainly below `least`, which is faster to decide."""
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
    from difflib import SequenceMatcher  # only mistakes want it

    return SequenceMatcher(None, a, b, autojunk=False).ratio()


def _common(one: str, other: str) -> int:
    """The number of letters that two words share, in any position."""
    letters = set(one)
    return sum(map(min, map(one.count, letters), map(other.count, letters)))


class Several(NamedTuple):
    """A path over several things: the text that selects them, and the path for each."""

    things: str
    member: str


def several(path: str) -> Several | None:
    """`cells.man`, `{c in cells where c.row is 1}.man`, `cells.seen[ann]`; None if it has no member."""
    match = re.match(r"(?P<things>\w+|\{.*\}|\[.*?\])\.(?P<member>\w+(?:\[[^\[\]()]*\])?)\Z", path.strip())
    return Several(match["things"], match["member"]) if match is not None else None
