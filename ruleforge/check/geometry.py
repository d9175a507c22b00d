"""Boards: from the size of a grid to its cells, directions, steps and straight lines."""

from __future__ import annotations

from ruleforge.check import typed as t

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
DIRECTIONS = tuple(SQUARE)


def cell_name(column: int, row: int) -> str:
    """`a1`, `b3`, ... `z9`, `aa1`: letters for the column, a number for the row."""
    letters = ""
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return f"{letters}{row}"


def cells_of(columns: int, rows: int, without: frozenset[str]) -> list[tuple[int, int]]:
    """Row by row from row 1, leaving out the named holes."""
    everywhere = [(c, r) for r in range(1, rows + 1) for c in range(1, columns + 1)]
    return [(c, r) for c, r in everywhere if cell_name(c, r) not in without]


def geometry_of(kind: t.Kind, shape: str, columns: int, rows: int, cells: list[tuple[int, int]]) -> t.Geometry:
    at = {cell: number for number, cell in enumerate(cells, start=1)}
    steps = {
        name: [at.get((c + dx, r + dy), 0) for c, r in cells] for name, (dx, dy) in SHAPES[shape].items()
    }
    return t.Geometry(kind, shape, columns, rows, cells, at, steps)


def lines_of(geometry: t.Geometry, length: int) -> list[tuple[int, ...]]:
    """All straight runs of `length` cells, each once, by first cell and direction."""
    vectors = SHAPES[geometry.shape]
    axes = [name for name, (dx, dy) in vectors.items() if (dy, dx) > (0, 0)]
    found = []
    for start in range(1, len(geometry.cells) + 1):
        for axis in axes:
            line = ray_of(geometry, start, axis)[: length - 1]
            if len(line) == length - 1:
                found.append((start, *line))
    return found


def ray_of(geometry: t.Geometry, cell: int, direction: str) -> tuple[int, ...]:
    """The cells met walking from a cell in a direction, the cell itself left out."""
    met = []
    steps = geometry.steps.get(direction)
    while steps and (cell := steps[cell - 1]):
        met.append(cell)
    return tuple(met)


def neighbours_of(geometry: t.Geometry, cell: int) -> tuple[int, ...]:
    return tuple(sorted({s[cell - 1] for s in geometry.steps.values()} - {0}))


def distances_from(geometry: t.Geometry, start: int) -> list[int]:
    """Steps from a cell to every other one; -1 where no way leads."""
    distance = [-1] * len(geometry.cells)
    distance[start - 1] = 0
    queue = [start]
    for cell in queue:
        for near in neighbours_of(geometry, cell):
            if distance[near - 1] < 0:
                distance[near - 1] = distance[cell - 1] + 1
                queue.append(near)
    return distance
