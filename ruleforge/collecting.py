"""Work that makes much and throws little away -> the same, without looking for garbage all the while.

Trees, checked rules and programs are kept, all of them: to walk through them again and again on the search for what can
go costs a third of the time of making them. What is not needed any more mostly goes at once, without being searched for;
for the rest whoever does such work again and again, as an editor does, searches now and then.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

OFTEN = 200  # so much work of this kind between two searches through everything
_WORK = count(1)


@contextmanager
def uncollected() -> Iterator[None]:
    """No search for garbage while this lasts, of whoever comes first if there are several at a time."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():  # else the host has laid something aside itself
            gc.freeze()
            gc.unfreeze()  # what was made counts as old: it is looked through when all is, not at once
        gc.enable()
        if next(_WORK) % OFTEN == 0:  # what counts as old is never seen to grow, so nobody else would search
            gc.collect()
