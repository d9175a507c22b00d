"""How much of what is drawn at random is tried: what fits into `make test`, or with THOROUGH set all of it."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from typing import TypeVar

One = TypeVar("One")

THOROUGH = bool(os.environ.get("THOROUGH"))


def most(few: int, many: int) -> int:
    """So many games, positions or changes."""
    return many if THOROUGH else few


def some_of(items: Sequence[One], few: int, seed: str) -> list[One]:
    """So many of them in their order, the same for a seed; all of them where all is tried."""
    if THOROUGH or len(items) <= few:
        return list(items)
    chosen = random.Random(seed).sample(range(len(items)), few)
    return [items[number] for number in sorted(chosen)]
