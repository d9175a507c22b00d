"""A deterministic force layout: linked places lie near each other, others apart."""

from __future__ import annotations

import math
import re
from functools import lru_cache

from ruleforge.frontends.web.outlines import Spot
from ruleforge.support.records import dataclass

ROUNDS = 150
MOST = 80  # places that are moved about; more of them lie on a circle
_SQUARE = re.compile("([a-z])([1-9][0-9]?)")
APART = 1.7  # how far joined places want to be apart


@dataclass(frozen=True, slots=True)
class Links:
    """The neighbours of each place."""

    of: tuple[tuple[str, tuple[str, ...]], ...]


@lru_cache(maxsize=16)
def placed(links: Links) -> dict[str, Spot]:
    """Where names are those of squares, as on those; else by forces (Fruchterman and Reingold): all push one another
    away, links pull, and moves become smaller."""
    names = [name for name, _ in links.of]
    squares = [_SQUARE.fullmatch(name) for name in names]
    if all(squares):
        return {m[0]: (APART * (ord(m[1]) - ord("a")), -APART * int(m[2])) for m in squares if m}
    radius = max(1.0, len(names) * APART / math.tau)
    spots = [
        complex(math.sin(n * math.tau / len(names)), -math.cos(n * math.tau / len(names))) * radius
        for n in range(len(names))
    ]
    index = {name: n for n, name in enumerate(names)}
    joined = {tuple(sorted((index[a], index[b]))) for a, others in links.of for b in others if a != b}
    for turn in range(ROUNDS if len(names) <= MOST else 0):
        spots = _moved(spots, sorted(joined), APART * (1 - turn / ROUNDS))
    return {name: (spot.real, spot.imag) for name, spot in zip(names, spots, strict=True)}


def _moved(spots: list[complex], joined: list[tuple[int, ...]], most: float) -> list[complex]:
    """One round: every place goes where it is pushed and pulled, at the most so far."""
    force = [0j] * len(spots)
    for a, here in enumerate(spots):
        for b in range(a + 1, len(spots)):
            way = here - spots[b]
            push = way * APART**2 / max(abs(way) ** 2, 0.01)
            force[a] += push
            force[b] -= push
    for a, b in joined:
        way = spots[b] - spots[a]
        pull = way * abs(way) / APART
        force[a] += pull
        force[b] -= pull
    return [spot + f * min(1.0, most / max(abs(f), 1e-9)) for spot, f in zip(spots, force, strict=True)]
