"""`Pseudonyms` makes invented words from a seed; `Wording` puts them in place of the old ones in prose."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping

from ruleforge.support.resources import reserved_words

CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"
SHORTEST = 3  # letters of a name that prose is searched for


class Pseudonyms:
    """New names, each given once. `taken` are the names that are there already."""

    def __init__(self, seed: int, taken: Iterable[str]) -> None:
        self._random = random.Random(seed)
        self._taken = {*taken, *reserved_words()}

    def next(self) -> str:
        while True:
            syllables = self._random.choice((2, 3))
            word = "".join(
                self._random.choice(CONSONANTS) + self._random.choice(VOWELS) for _ in range(syllables)
            )
            word += self._random.choice(CONSONANTS)
            if not {word, f"{word}s"} & self._taken:
                self._taken |= {word, f"{word}s"}
                return word


class Wording:
    """Prose with new words for names: `put_in` is found as `put in`, `card` also as `Cards`."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._new = {
            old.replace("_", " ").casefold(): new for old, new in names.items() if len(old) >= SHORTEST
        }
        longest_first = sorted(self._new, key=len, reverse=True)
        self._pattern = re.compile(
            rf"\b({'|'.join(map(re.escape, longest_first)) or '(?!)'})(s?)\b", re.IGNORECASE
        )

    def changes(self, text: str) -> Iterator[tuple[int, int, str]]:
        """The start and end of each name, and the word that replaces it."""
        for found in self._pattern.finditer(text):
            new = self._new[found[1].casefold()] + found[2]
            yield found.start(), found.end(), new.capitalize() if found[0][0].isupper() else new
