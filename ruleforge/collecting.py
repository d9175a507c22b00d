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

PAUSE = 1.0  # seconds of such work between two looks at how much there is
FEW = 200_000  # objects that nobody searches through
GROWTH = 1.5  # times as many as were left by the last search


class _Watch:
    """Searches through everything when there is half as much again: what it costs is a part of what was made."""

    worked = 0.0
    left = 0

    def add(self, seconds: float) -> None:
        self.worked += seconds
        if self.worked < PAUSE:
            return
        self.worked = 0.0
        if len(gc.get_objects()) > GROWTH * max(self.left, FEW):
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
        if not gc.get_freeze_count():  # else the host has laid something aside itself
            gc.freeze()
            gc.unfreeze()  # what was made counts as old: it is looked through when all is, not at once
        gc.enable()
        # What counts as old is never seen to grow, so nobody else would search.
        _WATCH.add(process_time() - began)
