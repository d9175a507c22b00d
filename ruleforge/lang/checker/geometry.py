"""Boards: from the size of a grid to its cells, steps, neighbours, directions, turns and straight lines."""

from __future__ import annotations

from collections.abc import Mapping
from math import lcm
from types import MappingProxyType

from ruleforge.lang.checker import typed as t
from ruleforge.lang.model import ruleset as m
from ruleforge.lang.model.board_names import cell_name, places_of

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
_CLOCKWISE, _ANTICLOCKWISE, _OUTWARD, _INWARD = RING_DIRECTIONS
_ACROSS = dict(zip(SQUARE, [*SQUARE][4:] + [*SQUARE][:4], strict=True))
_PAIRS = (
    *(TRACK_DIRECTIONS, (_CLOCKWISE, _ANTICLOCKWISE), (_OUTWARD, _INWARD), (UP, DOWN)),
    *((f"{UP}_{name}", f"{DOWN}_{back}") for name, back in _ACROSS.items()),
)
_BACK = _ACROSS | dict(_PAIRS) | {back: name for name, back in _PAIRS}


def cells_of(grid: m.Grid, without: frozenset[str]) -> list[tuple[int, ...]]:
    """The cells of a grid in order, without those that are left out by name."""
    return [place for place in places_of(grid) if cell_name(place) not in without]


def geometry_of(kind: t.Kind, grid: m.Grid, cells: list[tuple[int, ...]]) -> t.Geometry:
    """A grid; leaps are further directions, but never lead to neighbours."""
    at = {cell: number for number, cell in enumerate(cells, start=1)}
    north_first = grid.first_row == "north"
    up = -1 if north_first else 1
    leaps = {leap[0]: (leap[1], leap[2], leap[3] if len(leap) == 5 else 0) for leap in grid.leaps}
    vectors = vectors_of(grid.shape, grid.levels) | leaps
    steps = {
        name: tuple(at.get(_away(cell, (dx, up * dy, dz)), 0) for cell in cells)
        for name, (dx, dy, dz) in vectors.items()
    }
    ways = ways_to_neighbours(grid.shape, grid.levels, grid.neighbours)
    near = tuple(tuple(sorted({steps[d][i] for d in ways} - {0})) for i in range(len(cells)))
    return t.Geometry(
        kind,
        grid.shape,
        grid.columns,
        grid.rows,
        tuple(cells),
        MappingProxyType(at),
        MappingProxyType(steps),
        near,
        north_first=north_first,
        levels=grid.levels,
    )


def _away(cell: tuple[int, ...], vector: Vector) -> tuple[int, ...]:
    return tuple(number + by for number, by in zip(cell, vector, strict=False))


def rings_of(kind: t.Kind, sizes: tuple[int, ...]) -> t.Geometry:
    """Concentric rings from the inside out, each cut into its own number of sectors, counted from 0."""
    cells = [(ring, sector) for ring, size in enumerate(sizes, start=1) for sector in range(size)]
    at: dict[tuple[int, ...], int] = {cell: number for number, cell in enumerate(cells, start=1)}

    def facing(ring: int, sector: int, other: int) -> list[int]:
        """The cells of another ring that lie beside a cell."""
        if not 1 <= other <= len(sizes):
            return []
        own, its = sizes[ring - 1], sizes[other - 1]
        return [at[other, s] for s in range(sector * its // own, ((sector + 1) * its - 1) // own + 1)]

    steps: dict[str, list[int]] = {name: [] for name in RING_DIRECTIONS}
    near: list[tuple[int, ...]] = []
    for ring, sector in cells:
        size = sizes[ring - 1]
        ahead, back = at[ring, (sector + 1) % size], at[ring, (sector - 1) % size]
        out, inside = facing(ring, sector, ring + 1), facing(ring, sector, ring - 1)
        here = (ahead, back, (out or [0])[0], (inside or [0])[0])
        for name, cell in zip(RING_DIRECTIONS, here, strict=True):
            steps[name].append(cell)
        near.append(tuple(sorted({ahead, back, *out, *inside} - {at[ring, sector]})))
    stepped = MappingProxyType({name: tuple(row) for name, row in steps.items()})
    return t.Geometry(
        kind,
        "rings",
        len(sizes),
        max(sizes),
        tuple(cells),
        MappingProxyType(at),
        stepped,
        tuple(near),
        first_row=0,
    )


def graph_of(kind: t.Kind, links: dict[str, list[str]], one_way: bool) -> t.Geometry:
    """Things joined by links; they lie nowhere in particular."""
    near: list[set[int]] = [set() for _ in kind.things]
    number = {name: i for i, name in enumerate(kind.things)}
    for name, others in links.items():
        for other in others:
            near[number[name]].add(number[other] + 1)
            if not one_way:
                near[number[other]].add(number[name] + 1)
    ordered = tuple(tuple(sorted(n)) for n in near)
    return t.Geometry(kind, "graph", 0, 0, (), MappingProxyType({}), MappingProxyType({}), ordered)


def lines_of(geometry: t.Geometry, length: int) -> list[tuple[int, ...]]:
    """All straight runs of `length` cells, each once, by first cell and direction."""
    vectors = vectors_of(geometry.shape, geometry.levels)
    axes = [name for name, (dx, dy, dz) in vectors.items() if (dz, dy, dx) > (0, 0, 0)]
    found = []
    for start in range(1, len(geometry.cells) + 1):
        for axis in axes:
            line = [start]
            steps = geometry.steps[axis]
            while len(line) < length and (cell := steps[line[-1] - 1]):
                line.append(cell)
            if len(line) == length:
                found.append(tuple(line))
    return found


def ray_of(geometry: t.Geometry, cell: int, direction: str) -> tuple[int, ...]:
    """The cells met walking from a cell in a direction, the cell itself left out."""
    met = {cell: None}
    steps = geometry.steps.get(direction)
    while steps and (cell := steps[cell - 1]) and cell not in met:  # a ring leads back to its start
        met[cell] = None
    return tuple(met)[1:]


def walk_of(geometry: t.Geometry, cell: int, direction: str) -> tuple[tuple[int, ...], int | None]:
    """A cell and those met walking from it in a direction; and if the way leads back into itself, at which of them."""
    met = {cell: 0}
    steps = geometry.steps.get(direction)
    while steps and (cell := steps[cell - 1]):
        if cell in met:
            return tuple(met), met[cell]
        met[cell] = len(met)
    return tuple(met), None


def distances_from(geometry: t.Geometry, start: int) -> list[int]:
    """Steps from a cell to every other one; -1 where no way leads."""
    distance = [-1] * len(geometry.near)
    distance[start - 1] = 0
    queue = [start]
    for cell in queue:
        for near in geometry.near[cell - 1]:
            if distance[near - 1] < 0:
                distance[near - 1] = distance[cell - 1] + 1
                queue.append(near)
    return distance


# Directions of grids: how many columns, rows and levels each leads on, and which cells it makes neighbours
# of.


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


# Directions of boards: which leads back, and which comes next when turning clockwise.


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
    """For each direction its turns clockwise, once round or more often; empty for a direction without turns.

    A turn is an eighth on squares, a sixth if there are only hexagons, a quarter on rings and half of one on
    tracks. Directions up and down stay the same.
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
