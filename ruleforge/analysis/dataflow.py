"""Solve equations between facts: compute their least solution.

Two tools cover every fixed point of RuleForge. `reach` collects everything that can be reached from a start.
`Solver` handles facts that depend on one another, for example summaries of functions that call each other.
Both use a queue in a fixed order, so results do not depend on hashes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import partial
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Fact = TypeVar("Fact")

PATIENCE = 16  # growths of a fact before it is widened


def reach(starts: Iterable[Key], successors: Callable[[Key], Iterable[Key]]) -> dict[Key, None]:
    """The starts and everything their successors lead to, each once, in order of discovery."""
    found = dict.fromkeys(starts)
    queue = list(found)
    for key in queue:  # the queue grows while it is read
        for successor in successors(key):
            if successor not in found:
                found[successor] = None
                queue.append(successor)
    return found


class Solver(Generic[Key, Fact]):
    """The least facts that satisfy `fact(key) = transfer(key, read)`, computed for the requested keys.

    `transfer` reads the facts of other keys through `read`. The solver runs it again when one of them grows.
    It must be monotone, and chains of facts must be finite. Until a key is solved, its fact is `bottom`.

    If chains are long, `widen` replaces `join` after a fact has grown `PATIENCE` times. Its result must lie
    above both facts, and its chains must be short.
    """

    def __init__(
        self,
        transfer: Callable[[Key, Callable[[Key], Fact]], Fact],
        bottom: Fact,
        join: Callable[[Fact, Fact], Fact],
        widen: Callable[[Fact, Fact], Fact] | None = None,
    ) -> None:
        self._transfer, self._bottom, self._join, self._widen = transfer, bottom, join, widen or join
        self._facts: dict[Key, Fact] = {}
        self._growths: dict[Key, int] = {}
        self._readers: dict[Key, dict[Key, None]] = {}  # by key, the keys whose facts depend on it
        self._queue: dict[Key, None] = {}

    def __getitem__(self, key: Key) -> Fact:
        if key not in self._facts:
            self._enter(key)
        if self._queue:
            self._run()
        return self._facts[key]

    def solve(self, keys: Iterable[Key]) -> dict[Key, Fact]:
        """The facts of several keys."""
        wanted = list(keys)
        for key in wanted:
            if key not in self._facts:
                self._enter(key)
        self._run()
        return {key: self._facts[key] for key in wanted}

    @property
    def facts(self) -> dict[Key, Fact]:
        """All computed facts, also of keys that other keys read."""
        return dict(self._facts)

    def raise_to(self, key: Key, fact: Fact) -> None:
        """Join a fact to the fact of a key, for equations that push facts instead of reading them.

        A transfer function may call this. Outside of one, the next query computes the consequences.
        """
        if key not in self._facts:
            self._enter(key)
        self._grow(key, fact)

    def _enter(self, key: Key) -> None:
        self._facts[key] = self._bottom
        self._queue[key] = None

    def _grow(self, key: Key, fact: Fact) -> None:
        old, growths = self._facts[key], self._growths.get(key, 0)
        joined = (self._join if growths < PATIENCE else self._widen)(old, fact)
        if joined != old:
            self._facts[key], self._growths[key] = joined, growths + 1
            self._queue.update(self._readers.get(key, {}))

    def _run(self) -> None:
        """Solve the newest key first, so that the inputs of a fact are mostly solved before it."""
        while self._queue:
            key, _ = self._queue.popitem()
            fact = self._transfer(key, partial(self._read, key))
            if key not in self._queue:
                self._grow(key, fact)

    def _read(self, reader: Key, key: Key) -> Fact:
        if key not in self._facts:
            self._queue[reader] = None  # again, after those that it reads
            self._enter(key)
        self._readers.setdefault(key, {})[reader] = None
        return self._facts[key]
