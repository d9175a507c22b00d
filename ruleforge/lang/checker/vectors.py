"""Directions of grids: how many columns, rows and levels each leads on, and which cells it makes neighbours of."""

from __future__ import annotations

Vector = tuple[int, int, int]

SQUARE = {
    "north": (0, 1),
    "northeast": (1, 1),
    "east": (1, 0),
    "southeast": (1, -1),
    "south": (0, -1),
    "southwest": (-1, -1),
    "west": (-1, 0),
    "northwest": (-1, 1),
}
# A parallelogram of hexagons: columns lean to the left as rows go up.
HEX = {
    "northeast": (0, 1),
    "east": (1, 0),
    "southeast": (1, -1),
    "southwest": (0, -1),
    "west": (-1, 0),
    "northwest": (-1, 1),
}
SHAPES = {"square": SQUARE, "hex": HEX}
SIDES = {"square": ("north", "east", "south", "west"), "hex": tuple(HEX)}  # clockwise
UP, DOWN = "up", "down"
RING_DIRECTIONS = ("clockwise", "anticlockwise", "outward", "inward")
TRACK_DIRECTIONS = ("ahead", "back")
# All that boards know by themselves, in the order in which they are numbered.
DIRECTIONS = (
    *SQUARE,
    *(DOWN, UP),
    *(f"{way}_{name}" for way in (DOWN, UP) for name in SQUARE),
    *RING_DIRECTIONS,
    *TRACK_DIRECTIONS,
)


def vectors_of(shape: str, levels: int) -> dict[str, Vector]:
    """The directions of a grid; with levels also straight up and down, and up and down on a slant."""
    flat = SHAPES[shape]
    found = {name: (dx, dy, 0) for name, (dx, dy) in flat.items()}
    for way, dz in ((DOWN, -1), (UP, 1)) if levels > 1 else ():
        found[way] = (0, 0, dz)
        found |= {f"{way}_{name}": (dx, dy, dz) for name, (dx, dy) in flat.items()}
    return found


def ways_to_neighbours(shape: str, levels: int, wanted: str) -> list[str]:
    """Which directions lead to neighbours, by the key `neighbours` of a grid: all, through a side, or on a slant."""
    straight = {*SIDES[shape], UP, DOWN}
    return [
        name
        for name in vectors_of(shape, levels)
        if wanted == "all" or (name in straight) == (wanted == "orthogonal")
    ]
