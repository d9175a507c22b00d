"""Versions of a core, and the ranges of them that a pack is written for: `1.0`, `1.x`, `0.5 to 0.9`."""

from __future__ import annotations

import re
from itertools import zip_longest

Part = tuple[int, str]  # `2a` is behind `2` and before `3`
Version = tuple[Part, ...]

ZERO: Part = (0, "")
_PART = re.compile(r"([0-9]+)([a-z]?)")


def fits(version: str, versions: str) -> bool:
    """Whether a version lies in a range; `1.0` and `1.0.0` are the same version."""
    low, between, high = versions.partition(" to ")
    if between:
        return _parts(low) <= _as_long(version, low) and _as_long(version, high) <= _parts(high)
    stem = low.removesuffix(".x")
    return _as_long(version, stem) == _parts(stem) and (stem != low or _is_same(version, low))


def _parts(version: str) -> Version:
    return tuple((int(number), letter) for number, letter in _PART.findall(version))


def _as_long(version: str, other: str) -> Version:
    """As many parts of a version as another one has, so that `0.9.3` is within `0.5 to 0.9`."""
    wanted = len(_parts(other))
    return (_parts(version) + (ZERO,) * wanted)[:wanted]


def _is_same(one: str, other: str) -> bool:
    return all(a == b for a, b in zip_longest(_parts(one), _parts(other), fillvalue=ZERO))
