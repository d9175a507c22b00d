"""Tree search that runs inside the module; the host gives it rows and time, and reads what it found."""

from __future__ import annotations

import time
from collections.abc import Sequence

from ruleforge.backends.native.batch_playouts import Mailbox, Slices, put_row
from ruleforge.backends.native.host import Door
from ruleforge.backends.native.memory import Memory

ENTRY_WORDS = 6  # code, visits, node, a short real number, a real number
USED, ENTRIES = 1, 3  # words of a node


class Tree:
    """One search tree. It lies in the instance's pool: a new one takes its place."""

    def __init__(self, words: memoryview, memory: Memory, begin: Door, search: Door) -> None:
        self._words, self._memory, self._search = words, memory, search
        self._mailbox, self._slices = Mailbox(words), Slices()
        self._root = begin() // 4

    def seed(self, pair: tuple[int, int]) -> None:
        """The generator's words, not both 0."""
        self._mailbox.put_pair("generator", pair)

    def simulate(self, row: Sequence[int], simulations: int, most: int, until: float = float("inf")) -> int:
        """Go through the tree from a row so many times, or until `time.monotonic()` is past a moment.

        Beyond the tree at most so many decisions are played. Gives the number of simulations.
        """
        put_row(self._words, self._memory, self._memory.start, row)
        self._mailbox.put(most=most)
        done = 0
        while done < simulations and (done == 0 or time.monotonic() < until):
            self._mailbox.put(wanted=simulations - done)
            done += self._slices.run(self._search)
        return done

    def visits(self) -> dict[int, int]:
        """How often each choice of the root was tried, by code."""
        words, root = self._words, self._root
        first = words[root + ENTRIES] // 4
        entries = range(first, first + ENTRY_WORDS * words[root + USED], ENTRY_WORDS)
        return {words[entry]: words[entry + 1] for entry in entries}
