"""Run playouts, counts and tree search inside the module, in slices of bounded work."""

from __future__ import annotations

import time
from array import array
from collections.abc import Iterator, Sequence
from typing import Any

from ruleforge.backends.api import Row
from ruleforge.backends.native.host import Export
from ruleforge.backends.native.mailbox import ADDRESS
from ruleforge.backends.native.memory import Memory
from ruleforge.backends.playouts import Plan, Records
from ruleforge.backends.random32 import seed_words

SLICE_SECONDS = 0.05
FIRST_BUDGET = 200  # what a unit of work costs is not known yet
ENTRY_WORDS = 6  # code, visits, node, a short real number, a real number
USED, ENTRIES = 1, 3  # words of a node


class Slices:
    """The budget of a call, adapted so that a call takes about SLICE_SECONDS."""

    def __init__(self) -> None:
        self.budget = FIRST_BUDGET

    def run(self, export: Export) -> int:
        began = time.perf_counter()
        result = export(self.budget)
        spent = max(time.perf_counter() - began, 1e-6)
        faster = SLICE_SECONDS / spent
        self.budget = max(1, min(int(self.budget * min(faster, 4)), 1 << 28))
        return result


class Mailbox:
    """The words of the mailbox, by name."""

    def __init__(self, words: memoryview) -> None:
        self._words = words

    def put(self, **values: int) -> None:
        for name, value in values.items():
            self._words[ADDRESS[name] // 4] = value

    def put_pair(self, name: str, pair: tuple[int, int]) -> None:
        first = ADDRESS[name] // 4
        self._words[first], self._words[first + 1] = pair

    def real(self, name: str) -> float:
        first = ADDRESS[name]
        return float(self._words.cast("B")[first : first + 8].cast("d")[0])


def put_row(words: memoryview, memory: Memory, address: int, row: Sequence[int]) -> None:
    """Write a row that is an array. The data behind it become invalid."""
    put_words(words, address, row)
    for tail in memory.group_indexes:
        words[(address + tail.at) // 4] = 0


def put_words(words: memoryview, address: int, some: Sequence[int]) -> None:
    whole: Any = some
    words[address // 4 : address // 4 + len(some)] = whole


def playouts(words: memoryview, memory: Memory, export: Export, row: Row, plan: Plan) -> Iterator[Records]:
    """The records of a plan, as many at a time as a slice of work gives."""
    mailbox, slices = Mailbox(words), Slices()
    put_row(words, memory, memory.start, row)
    mailbox.put_pair("seed", seed_words(plan.seed))
    mailbox.put(next_game=plan.first, last_game=plan.last, most=plan.most, under_way=0)
    mailbox.put(set_up=plan.set_up, watch=plan.watch, alike=plan.alike)
    first = memory.records // 4
    while words[ADDRESS["next_game"] // 4] < plan.last:
        end = slices.run(export)
        records = array("i")
        records.frombytes(words[first : end // 4].cast("B"))
        yield records


def count_lines(
    words: memoryview, memory: Memory, export: Export, row: Row, codes: Sequence[int], depth: int
) -> int:
    """The number of lines of play of at least two decisions."""
    mailbox, slices = Mailbox(words), Slices()
    put_row(words, memory, memory.pool, row)
    head = (memory.pool + memory.row_bytes) // 4
    words[head], words[head + 1] = 0, len(codes)
    put_words(words, memory.pool + memory.row_bytes + 16, array("i", codes))
    mailbox.put(depth=depth, level=0)
    mailbox.put_pair("total", (0, 0))
    while not slices.run(export):
        pass
    return int(mailbox.real("total"))


# Tree search inside the module. The host gives it rows and time, and reads the result.


class Tree:
    """One search tree in the pool of the instance. A new tree replaces it."""

    def __init__(self, words: memoryview, memory: Memory, begin: Export, search: Export) -> None:
        self._words, self._memory, self._search = words, memory, search
        self._mailbox, self._slices = Mailbox(words), Slices()
        self._root = begin() // 4

    def seed(self, pair: tuple[int, int]) -> None:
        """The generator's words, not both 0."""
        self._mailbox.put_pair("generator", pair)

    def simulate(self, row: Sequence[int], simulations: int, most: int, until: float = float("inf")) -> int:
        """Run a number of simulations from a row, or until `time.monotonic()` passes a moment.

        Beyond the tree, at most `most` decisions are played. Returns the number of simulations.
        """
        put_row(self._words, self._memory, self._memory.start, row)
        self._mailbox.put(most=most)
        done = 0
        while done < simulations and (done == 0 or time.monotonic() < until):
            self._mailbox.put(wanted=simulations - done)
            done += self._slices.run(self._search)
        return done

    def visits(self) -> dict[int, int]:
        """The number of visits of each choice of the root, by code."""
        words, root = self._words, self._root
        first = words[root + ENTRIES] // 4
        entries = range(first, first + ENTRY_WORDS * words[root + USED], ENTRY_WORDS)
        return {words[entry]: words[entry + 1] for entry in entries}
