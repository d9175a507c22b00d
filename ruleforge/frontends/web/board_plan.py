"""The plan of a board: outlines and positions of its cells, edges and corners; graphs get a force layout."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from ruleforge.engine.presentation.cells import letters
from ruleforge.engine.presentation.scene import Board, Cell
from ruleforge.support.records import dataclass

SIDE = 0.98  # of a cell, so that a line is left between two
ACROSS = 12  # spaces of a track in one row
CENTRE = 1.2  # the radius of what lies inside of the innermost ring
GAP = 0.5  # what names and numbers need beside a board
Spot = tuple[float, float]
STEEP = math.sqrt(3) / 2  # how far rows of hexagons are apart
RUNS = {"level": (1.0, 0.0), "upright": (0.0, 1.0), "rising": (0.5, -STEEP), "falling": (0.5, STEEP)}
ROUNDS = 150
MOST = 80  # places that are moved about; more of them lie on a circle
_SQUARE = re.compile("([a-z])([1-9][0-9]?)")
APART = 1.7  # how far joined places want to be apart


@dataclass(frozen=True, slots=True)
class Shape:
    """A cell: its outline as path data, its middle, the room for signs, and its sort."""

    cell: Cell
    outline: str
    middle: Spot
    room: float = 0.8
    sort: str = "square"  # square (`dark` or not), edge, corner, place
    dark: bool = False
    name: str = ""  # of a place that has none in the rules


@dataclass(frozen=True, slots=True)
class Plan:
    """The drawn parts of a board, with the upper left corner and the size of their frame."""

    frame: tuple[float, float, float, float]
    shapes: tuple[Shape, ...]
    labels: tuple[tuple[Spot, str], ...] = ()
    links: tuple[tuple[Spot, Spot], ...] = ()


def plans(board: Board) -> Iterator[tuple[str, Plan]]:
    """The plan of each level of a board, with its name."""
    for level in range(1, board.levels + 1):
        name = f"level {level}" if board.levels > 1 else ""
        yield name, _plan(board if board.levels == 1 else board.level(level))


def _plan(board: Board) -> Plan:
    if board.shape == "rings":
        return _rings(board)
    if board.shape == "track":
        return _track(board)
    if board.near is not None:
        return _network(board)
    if board.points:
        return _lattice(board)
    return _hexagons(board) if board.shape == "hex" else _squares(board)


def _squares(board: Board) -> Plan:
    shapes = []
    for (column, row), cell in board.cells.items():
        at = (column - 0.5, _down(board, row) + 0.5)
        shapes.append(Shape(cell, square(at, SIDE), at, 0.8, dark=(column + row) % 2 == 0))
    numbers = [((-GAP / 2, _down(board, row) + 0.5), str(row)) for row in range(1, board.rows + 1)]
    names = [((n - 0.5, board.rows + GAP / 2), letters(n)) for n in range(1, board.columns + 1)]
    return Plan((-GAP, 0, board.columns + GAP, board.rows + GAP), tuple(shapes), (*numbers, *names))


def _hexagons(board: Board) -> Plan:
    """Each row of hexagons is half a cell further to the right than the one below it, or above it if that is first."""
    shapes = [
        Shape(cell, hexagon(at, SIDE), at, 0.62)
        for (column, row), cell in board.cells.items()
        for at in [_hexagonal(board, column, row)]
    ]
    numbers = [_beside(board, row) for row in sorted({row for _, row in board.cells})]
    names = [_above(board, column) for column in sorted({column for column, _ in board.cells})]
    return _framed(shapes, [*numbers, *names])


def _beside(board: Board, row: int) -> tuple[Spot, str]:
    """The number of a row, to the left of its first cell."""
    first = min(column for column, own in board.cells if own == row)
    x, y = _hexagonal(board, first, row)
    return (x - 0.8, y), str(row)


def _above(board: Board, column: int) -> tuple[Spot, str]:
    """The letter of a column, beyond its upper end, where no numbers of rows are."""
    rows = [row for own, row in board.cells if own == column]
    end, beyond = (min(rows), -1) if board.north_first else (max(rows), 1)
    (x, y), (next_x, next_y) = _hexagonal(board, column, end), _hexagonal(board, column, end + beyond)
    return (x + 0.85 * (next_x - x), y + 0.85 * (next_y - y)), letters(column)


def _hexagonal(board: Board, column: int, row: int) -> Spot:
    return column + (row - 1) / 2, _down(board, row) * STEEP


def _down(board: Board, row: int) -> int:
    """How many rows are above this one."""
    return row - 1 if board.north_first else board.rows - row


def _rings(board: Board) -> Plan:
    """Rings around a gap, the first one inside; the first sector begins at the top, clockwise."""
    sizes = {ring: sum(1 for at in board.cells if at[0] == ring) for ring in range(1, board.columns + 1)}
    shapes = []
    for (ring, number), cell in sorted(board.cells.items()):
        near, far, part = CENTRE + ring - 1, CENTRE + ring, math.tau / sizes[ring]
        middle = turned((near + far) / 2, part * (number + 0.5))
        room = min(0.7, part * near * 0.75)
        outline = sector(near, far, part * number, part)
        name = f"{(board.lanes or {}).get(ring, f'ring {ring}')}, sector {number}"
        shapes.append(Shape(cell, outline, middle, room, dark=ring % 2 == 0, name=name))
    radius = CENTRE + board.columns
    frame = (-radius - 0.1, -radius - 0.1, 2 * radius + 0.2, 2 * radius + 0.2)
    return Plan(frame, tuple(shapes))


def _track(board: Board) -> Plan:
    """Stretches one under the other, in rows of a dozen."""
    shapes, labels = [], []
    y = 0.0
    for stretch, title in (board.lanes or {1: ""}).items():
        own = [board.cells[at] for at in sorted(board.cells) if at[0] == stretch]
        if title:
            labels.append(((len(title) * 0.13, y + 0.25), title))
            y += GAP
        for n, cell in enumerate(own):
            at = (n % ACROSS + 0.5, y + n // ACROSS + 0.5)
            shapes.append(Shape(cell, square(at, SIDE), at, 0.8, dark=n % 2 == 0))
        y += -(-len(own) // ACROSS) + GAP / 2
    width = max((shape.middle[0] + 0.5 for shape in shapes), default=1)
    return Plan((-0.1, 0, width + 0.2, y), tuple(shapes), tuple(labels))


def _network(board: Board) -> Plan:
    cells = {cell.id: cell for cell in board.cells.values()}
    near = {id: tuple(o for o in (board.near or {}).get(id, ()) if o in cells) for id in cells}
    spots = placed(Links(tuple((id, others) for id, others in near.items())))
    shapes = [Shape(cells[id], circle(at, 0.45), at, 0.6, "place") for id, at in spots.items()]
    links = [(spots[a], spots[b]) for a, others in near.items() for b in others if a < b or a not in near[b]]
    labels = [((x, y + 0.62), cells[id].id) for id, (x, y) in spots.items()]
    return replace(_framed(shapes, labels), links=tuple(links))


def _lattice(board: Board) -> Plan:
    """Cells, edges and corners where their points are; two cells beside one another are one unit apart."""
    at = {place: point[:2] for place, point in board.points.items()}
    apart = _nearest(list(at.values()))
    spot = {
        point: (point[0] / apart, -point[1] / apart)
        for point in {*at.values(), *(p[:2] for p in board.borders)}
    }
    outline = hexagon if board.shape == "hex" else square
    shapes = [
        Shape(cell, outline(spot[at[place]], 0.8), spot[at[place]], 0.6)
        for place, cell in board.cells.items()
    ]
    for point, border in board.borders.items():
        x, y = spot[point[:2]]
        if border.run:
            shapes.append(Shape(border.cell, line((x, y), border.run), (x, y), 0.3, "edge"))
        else:
            shapes.append(Shape(border.cell, circle((x, y), 0.14), (x, y), 0.26, "corner"))
    return _framed(shapes, _lattice_labels(board, {place: spot[at[place]] for place in at}))


def _lattice_labels(board: Board, spots: dict[tuple[int, ...], Spot]) -> list[tuple[Spot, str]]:
    left, low = min(x for x, _ in spots.values()), max(y for _, y in spots.values())
    numbers = {place[1]: ((left - 0.8, y), str(place[1])) for place, (_, y) in spots.items()}
    bottom = [(place, x) for place, (x, y) in spots.items() if y == low]
    return [*numbers.values(), *(((x, low + 0.8), letters(place[0])) for place, x in bottom)]


def _nearest(points: Sequence[tuple[int, ...]]) -> float:
    """How far the nearest two of them are apart."""
    found = (math.dist(a, b) for n, a in enumerate(points[:40]) for b in points[n + 1 : 80])
    return min(found, default=1.0) or 1.0


def _framed(shapes: Sequence[Shape], labels: Sequence[tuple[Spot, str]]) -> Plan:
    """A frame around all of it."""
    spots = [*(shape.middle for shape in shapes), *(at for at, _ in labels)] or [(0.0, 0.0)]
    left, top = min(x for x, _ in spots) - 0.7, min(y for _, y in spots) - 0.7
    right, bottom = max(x for x, _ in spots) + 0.7, max(y for _, y in spots) + 0.7
    return Plan((left, top, right - left, bottom - top), tuple(shapes), tuple(labels))


# Outlines of cells as SVG paths; a cell is about one unit wide, south is down.


def square(middle: Spot, side: float) -> str:
    x, y = middle[0] - side / 2, middle[1] - side / 2
    return f"M{x:.3f} {y:.3f}h{side:.3f}v{side:.3f}h{-side:.3f}z"


def hexagon(middle: Spot, width: float) -> str:
    radius = width / math.sqrt(3)
    corners = [
        (middle[0] + x, middle[1] + y) for x, y in (turned(radius, n * math.tau / 6) for n in range(6))
    ]
    return "M" + "L".join(f"{x:.3f} {y:.3f}" for x, y in corners) + "z"


def line(middle: Spot, run: str) -> str:
    dx, dy = (part * 0.4 for part in RUNS[run])
    return f"M{middle[0] - dx:.3f} {middle[1] - dy:.3f}l{2 * dx:.3f} {2 * dy:.3f}"


def circle(middle: Spot, radius: float) -> str:
    x, y = middle
    half = f"a{radius:.3f} {radius:.3f} 0 1 0"
    return f"M{x - radius:.3f} {y:.3f}{half} {2 * radius:.3f} 0{half} {-2 * radius:.3f} 0z"


def sector(near: float, far: float, start: float, part: float) -> str:
    """A piece of a ring; one that goes all the way round is drawn as two halves."""
    if part > math.pi:
        return sector(near, far, start, math.pi) + sector(near, far, start + math.pi, part - math.pi)
    (ax, ay), (bx, by) = turned(far, start), turned(far, start + part)
    (cx, cy), (dx, dy) = turned(near, start + part), turned(near, start)
    outer, inner = f"A{far:.3f} {far:.3f} 0 0 1", f"A{near:.3f} {near:.3f} 0 0 0"
    return f"M{ax:.3f} {ay:.3f}{outer} {bx:.3f} {by:.3f}L{cx:.3f} {cy:.3f}{inner} {dx:.3f} {dy:.3f}z"


def turned(radius: float, angle: float) -> Spot:
    """Clockwise from the top."""
    return radius * math.sin(angle), -radius * math.cos(angle)


# A deterministic force layout: linked places lie near each other, others apart.


@dataclass(frozen=True, slots=True)
class Links:
    """The neighbours of each place."""

    of: tuple[tuple[str, tuple[str, ...]], ...]


@lru_cache(maxsize=16)
def placed(links: Links) -> dict[str, Spot]:
    """Spots for names: those of squares in a grid, else by forces (Fruchterman and Reingold).

    All names push one another away, links pull, and moves become smaller.
    """
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
