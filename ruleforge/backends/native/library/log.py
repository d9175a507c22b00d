"""Undo a trial: restore the words that it wrote, the last one first."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ruleforge.backends.native.library.words import load, store


def put_back(end: int, mark: int) -> None:
    while end > mark:
        end -= 8
        store(load(end), load(end + 4))
