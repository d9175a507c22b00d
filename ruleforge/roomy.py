"""A call -> the same call, with room for the frames of all that is called from it.

Python keeps the frames of running functions in chunks of 16 KB, and gives a chunk back to the system when the first
frame in it returns. A loop that runs just at the end of a chunk asks for memory at every call and gives it back: a third
of the time of whatever runs there. A large frame gets a chunk of at least twice its size, and what is called from it has
the rest; memory that nobody touches costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
WORDS = 2**16  # more than a thousand frames take, which is as many as Python allows


def with_room(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    return work(*args, **kwargs)


with_room.__code__ = with_room.__code__.replace(co_stacksize=WORDS)
