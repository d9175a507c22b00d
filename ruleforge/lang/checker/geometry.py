"""Boards: from the size of a grid to its cells, steps, neighbours and straight lines."""

from __future__ import annotations

from types import MappingProxyType

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.vectors import RING_DIRECTIONS, Vector, vectors_of, ways_to_neighbours
from ruleforge.lang.model import ruleset as m
from ruleforge.lang.model.board_names import cell_name, places_of


def cells_of(grid: m.Grid, without: frozenset[str]) -> list[tuple[int, ...]]:
    """The cells of a grid in order, leaving out the named holes."""
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
