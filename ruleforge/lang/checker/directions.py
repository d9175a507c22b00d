"""Directions of boards: which leads back, and which comes next when turning clockwise."""

from __future__ import annotations

from collections.abc import Mapping
from math import lcm

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.vectors import DOWN, HEX, RING_DIRECTIONS, SQUARE, TRACK_DIRECTIONS, UP

_CLOCKWISE, _ANTICLOCKWISE, _OUTWARD, _INWARD = RING_DIRECTIONS
_ACROSS = dict(zip(SQUARE, [*SQUARE][4:] + [*SQUARE][:4], strict=True))
_PAIRS = (
    *(TRACK_DIRECTIONS, (_CLOCKWISE, _ANTICLOCKWISE), (_OUTWARD, _INWARD), (UP, DOWN)),
    *((f"{UP}_{name}", f"{DOWN}_{back}") for name, back in _ACROSS.items()),
)
_BACK = _ACROSS | dict(_PAIRS) | {back: name for name, back in _PAIRS}


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


def turns(kind: t.Kind, boards: Mapping[str, t.Geometry]) -> tuple[tuple[int, ...], ...]:
    """For each direction all that it is turned to clockwise, once round or more often; empty where there is no turning.

    A turn is an eighth on squares, a sixth where there are only hexagons, a quarter on rings and half of one on tracks;
    what leads up or down keeps doing so.
    """
    number = {name: at for at, name in enumerate(kind.things, start=1)}
    circles = [[number[name] for name in circle if name in number] for circle in _circles(boards)]
    whole = lcm(*(len(circle) for circle in circles if circle))
    return tuple(
        next((_from(circle, way, whole) for circle in circles if way in circle), ())
        for way in range(1, kind.size + 1)
    )


def _circles(boards: Mapping[str, t.Geometry]) -> list[list[str]]:
    shapes = {board.shape for board in boards.values()}
    flat = [*(HEX if "hex" in shapes and "square" not in shapes else SQUARE)]
    slanted = [[f"{way}_{name}" for name in flat] for way in (UP, DOWN)]
    quarters = [_OUTWARD, _CLOCKWISE, _INWARD, _ANTICLOCKWISE]
    return [flat, *slanted, [UP], [DOWN], quarters, [*TRACK_DIRECTIONS]]


def _from(circle: list[int], way: int, whole: int) -> tuple[int, ...]:
    at = circle.index(way)
    return tuple(circle[(at + k) % len(circle)] for k in range(whole))
