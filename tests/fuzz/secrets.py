"""A random line of a shipped game, alone or with packs -> what a seat is told that it may not know, if anything."""

from __future__ import annotations

import random
from functools import cache, lru_cache

import ruleforge
from ruleforge.support.resources import shipped_games
from tests.fuzz.trial import Finding
from tests.inside import variant_of
from tests.pack_sets import CORES, largest
from tests.property.secrecy import leaks

POSITIONS, APART = 2, 8


@lru_cache(maxsize=6)
def _game(core: str, packs: tuple[str, ...]) -> ruleforge.Game:
    return ruleforge.load(core, packs, backend="python")


@cache
def _examples() -> tuple[str, ...]:
    """The other shipped games that hide something."""
    others = [name for name in sorted(shipped_games()) if name not in CORES]
    return tuple(name for name in others if variant_of(_game(name, ()).start(seed=1)).hides_something)


def secrets_of(number: int) -> tuple[int, Finding | None]:
    """How many positions were looked at, and the first leak; the same for the same number."""
    rng = random.Random(number)
    core = rng.choice([*CORES, *_examples()])
    whole = rng.choice([packs for of, packs in largest() if of == core] or [()])
    packs = tuple(sorted(rng.sample(whole, rng.randint(0, len(whole)))))
    for leak in leaks(_game(core, packs), number, POSITIONS, APART):
        words = (
            f"{leak.interface} of {core} with {', '.join(packs) or 'no pack'} (line {number}): {leak.words}"
        )
        return POSITIONS, Finding(f"secret {core} {leak.interface}", words)
    return POSITIONS, None
