"""Work that makes much and throws little away -> the same, without looking for garbage all the while.

Trees, checked rules and programs are kept, all of them: to walk through them again and again on the search for what can
go costs a third of the time of making them. What is not needed any more mostly goes at once, without being searched for;
for the rest whoever does such work again and again searches now and then: at once, or, where somebody waits for answers
as in an editor, when nobody does.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time

LITTLE = 0.005  # seconds in which nothing is made that is worth the trouble
PAUSE = 1.0  # seconds of such work between two looks at how much memory there is
BLOCKS = 2  # of memory that an object takes with all it holds, or more
FEW = 200_000  # objects that nobody searches through
GROWTH = 2  # times as many as were left by the last search
UNRESTED = (
    2  # times as much memory as a search is worth at rest, after which it does not wait for rest any more
)


class _Watch:
    """Counts all objects now and then: that takes long, and a search through them longer.

    How much memory they take Python knows at once, so they are not counted before there can be enough. A search comes
    when there are twice as many as were left by the last one, so it costs a part of what was made.
    """

    worked = 0.0
    room = 0  # in blocks of memory, for so many objects that a search is worth while
    left = 0
    laid_aside = False  # has the host laid something aside itself?
    rests = False  # is there somebody who says when nobody waits?

    def age(self) -> None:
        """What was made counts as old: it is looked through when all is, not at once."""
        if not self.laid_aside:  # while nothing is, Python says so at once; then it counts one by one
            self.laid_aside = gc.get_freeze_count() > 0
        if not self.laid_aside:
            gc.freeze()
            gc.unfreeze()

    def add(self, seconds: float) -> None:
        self.worked += seconds
        if self.worked < PAUSE:
            return
        self.worked, self.laid_aside = 0.0, False
        self.search(UNRESTED if self.rests else 1)

    def search(self, times: int) -> None:
        """If there is this many times as much as is worth it; of another allocator nothing is known but 0."""
        if not 0 < sys.getallocatedblocks() < times * self.room:
            self.count()

    def count(self) -> None:
        found = len(gc.get_objects())
        if found > self.most:
            gc.collect()
            found = self.left = len(gc.get_objects())
        self.room = sys.getallocatedblocks() + BLOCKS * (self.most - found)

    @property
    def most(self) -> int:
        return GROWTH * max(self.left, FEW)


_WATCH = _Watch()


def leave_for_rest() -> None:
    """From now on the search waits until somebody is `at_rest`, unless memory grows too much meanwhile."""
    _WATCH.rests = True


def at_rest() -> None:
    """Nobody waits for anything now: search, if it is worth while."""
    _WATCH.search(1)


@contextmanager
def uncollected() -> Iterator[None]:
    """No search for garbage while this lasts, of whoever comes first if there are several at a time."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    began = process_time()
    try:
        yield
    finally:
        seconds = process_time() - began
        if seconds > LITTLE:
            _WATCH.age()
        gc.enable()
        _WATCH.add(seconds)  # what counts as old is never seen to grow, so nobody else would search
