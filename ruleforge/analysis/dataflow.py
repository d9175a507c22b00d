"""Equations between facts -> their least solution.

Two tools cover every fixed point of RuleForge: `reach` for "everything that can be reached from here", and `Solver` for
facts that depend on one another, as summaries of functions that call each other do. Both work through a queue in a
fixed order, so results do not depend on hashes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Fact = TypeVar("Fact")


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
    """The least facts that satisfy `fact(key) = transfer(key, read)`, worked out for the keys that are asked for.

    `transfer` reads the facts of other keys through `read`; the solver runs it again when one of them grows. It must be
    monotone, and chains of facts must be finite. Until a key is solved, its fact is `bottom`.
    """

    def __init__(
        self,
        transfer: Callable[[Key, Callable[[Key], Fact]], Fact],
        bottom: Fact,
        join: Callable[[Fact, Fact], Fact],
    ) -> None:
        self._transfer, self._bottom, self._join = transfer, bottom, join
        self._facts: dict[Key, Fact] = {}
        self._readers: dict[Key, dict[Key, None]] = {}  # by key, the keys whose facts were worked out from it
        self._queue: dict[Key, None] = {}

    def __getitem__(self, key: Key) -> Fact:
        if key not in self._facts:
            self._enter(key)
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

    def raise_to(self, key: Key, fact: Fact) -> None:
        """Join a fact to what is known of a key, for equations that push facts instead of reading them.

        A transfer function may call this; outside of one, the next question settles what follows from it.
        """
        if key not in self._facts:
            self._enter(key)
        joined = self._join(self._facts[key], fact)
        if joined != self._facts[key]:
            self._facts[key] = joined
            self._queue.update(self._readers.get(key, {}))

    def _enter(self, key: Key) -> None:
        self._facts[key] = self._bottom
        self._queue[key] = None

    def _run(self) -> None:
        while self._queue:
            key = next(iter(self._queue))
            del self._queue[key]
            self.raise_to(key, self._transfer(key, lambda other, reader=key: self._read(other, reader)))  # type: ignore[misc]

    def _read(self, key: Key, reader: Key) -> Fact:
        if key not in self._facts:
            self._enter(key)
        self._readers.setdefault(key, {})[reader] = None
        return self._facts[key]
