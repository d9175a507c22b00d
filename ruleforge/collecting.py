"""Work that makes much and throws little away -> the same, without looking for garbage all the while.

Trees, checked rules and programs are kept, all of them: to walk through them again and again on the search for what can
go costs a third of the time of making them. What is not needed any more mostly goes at once, without being searched for;
for the rest whoever does such work again and again, as an editor does, searches now and then.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time

LITTLE = 0.005  # seconds in which nothing is made that is worth the trouble
PAUSE = 1.0  # seconds of such work, at least, between two looks at how much there is
SHARE = 20  # and so many times as long as a look takes
FEW = 200_000  # objects that nobody searches through
GROWTH = 2  # times as many as were left by the last search


class _Watch:
    """Looks at all objects now and then: to count them takes long, and so does a search through them.

    A search comes when there are twice as many as were left by the last one, so it costs a part of what was made.
    """

    worked = 0.0
    pause = 0.0
    left = 0
    laid_aside: bool | None = None  # has the host laid something aside itself?

    def age(self) -> None:
        """What was made counts as old: it is looked through when all is, not at once."""
        if self.laid_aside is None:
            self.laid_aside = gc.get_freeze_count() > 0
        if not self.laid_aside:
            gc.freeze()
            gc.unfreeze()

    def add(self, seconds: float) -> None:
        self.worked += seconds
        if self.worked < max(self.pause, PAUSE):
            return
        began = process_time()
        found = len(gc.get_objects())
        self.worked, self.pause, self.laid_aside = 0.0, SHARE * (process_time() - began), None
        if found > GROWTH * max(self.left, FEW):
            gc.collect()
            self.left = len(gc.get_objects())


_WATCH = _Watch()


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
