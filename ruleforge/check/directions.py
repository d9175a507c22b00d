"""Directions of boards: which leads back, and which comes next when turning clockwise."""

from __future__ import annotations

from collections.abc import Mapping

from ruleforge.check import typed as t
from ruleforge.check.geometry import HEX, RING_DIRECTIONS, SQUARE

_BACK = dict(zip(SQUARE, [*SQUARE][4:] + [*SQUARE][:4], strict=True)) | dict(
    zip(RING_DIRECTIONS, [RING_DIRECTIONS[i] for i in (1, 0, 3, 2)], strict=True)
)


def opposites(kind: t.Kind, boards: Mapping[str, t.Geometry]) -> tuple[int, ...]:
    """For each direction the number of the one that leads back; 0 where there is none, as may be of leaps."""
    number = {name: at for at, name in enumerate(kind.things, start=1)}
    return tuple(number.get(_BACK.get(name) or _leap_back(name, boards), 0) for name in kind.things)


def _leap_back(name: str, boards: Mapping[str, t.Geometry]) -> str:
    for board in boards.values():
        there = board.steps.get(name)
        for other, back in board.steps.items() if there else ():
            assert there is not None
            if any(there) and all(back[to - 1] == at for at, to in enumerate(there, start=1) if to):
                return other
    return ""


def turns(kind: t.Kind) -> tuple[int, ...]:
    """For each direction the number of the next one clockwise; 0 where there is no turning."""
    number = {name: at for at, name in enumerate(kind.things, start=1)}
    circle = [*SQUARE] if "north" in number else [*HEX]
    following = dict(zip(circle, circle[1:] + circle[:1], strict=True))
    return tuple(number.get(following.get(name, ""), 0) for name in kind.things)
