"""Computes the edges and corners of a board (cells, neighbours, positions), and types `wall(a, b)`, `wall(c,
north)`.

On a grid each has a point: cells lie so far apart that half the way to a neighbour is a point again. Two
cells share an edge if both compute the same point for it. The same count therefore serves squares and
hexagons, with and without levels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.geometry import DOWN, SIDES, UP, Vector, vectors_of
from ruleforge.lang.checker.types import ErrorT, ThingT
from ruleforge.lang.parser import nodes as n

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope

Point = tuple[int, int, int]
# The clockwise end of each side, and its distance from the middle of the cell.
CORNERS: dict[str, tuple[tuple[str, Point], ...]] = {
    "square": (
        ("northeast", (1, 1, 0)),
        ("southeast", (1, -1, 0)),
        ("southwest", (-1, -1, 0)),
        ("northwest", (-1, 1, 0)),
    ),
    "hex": (
        ("northeast", (2, 1, 0)),
        ("southeast", (2, -1, 0)),
        ("south", (0, -3, 0)),
        ("southwest", (-2, -1, 0)),
        ("northwest", (-2, 1, 0)),
        ("north", (0, 3, 0)),
    ),
}


def middle(board: t.Geometry, cell: tuple[int, ...]) -> Point:
    """The point of a cell; rows are counted towards the north."""
    column, row, level = (*cell, 1)[:3]
    return _scaled(board.shape, (column, -row if board.north_first else row, level))


def edges_of(kind: t.Kind, board: t.Geometry, rim: bool) -> t.Geometry:
    if board.shape not in SIDES:
        return _links(kind, board)
    seen = _sites(board, _sides(board))
    sites = {point: found for point, found in seen.items() if rim or len(found) > 1}
    ends = [_ends(board.shape, point, found) for point, found in sites.items()]
    between = {
        pair: number
        for number, found in enumerate(sites.values(), start=1)
        for pair in _pairs([cell for cell, _ in found])
    }
    return _border(kind, "edges", board, sites, _touching(ends), between, ends)


def corners_of(kind: t.Kind, board: t.Geometry) -> t.Geometry:
    """Corners are neighbours if an edge joins them."""
    sites = _sites(board, CORNERS[board.shape])
    joined = [_ends(board.shape, point, found) for point, found in _sites(board, _sides(board)).items()]
    number = {point: at for at, point in enumerate(sites, start=1)}
    near: list[set[int]] = [set() for _ in sites]
    for pair in joined:
        for a, b in _pairs([number[point] for point in pair]):
            near[a - 1].add(b)
    return _border(kind, "corners", board, sites, near)


def names_of(board: t.Geometry, made: t.Geometry) -> list[str]:
    """`a1_b1` after the two cells that an edge parts, else a cell and the side on which it lies."""
    assert made.border is not None
    first = {number: side for (side, cell), number in reversed([*made.border.sides.items()])}
    names = board.kind.things
    found = []
    for number, cells in enumerate(made.border.cells, start=1):
        parted = made.shape == "edges" and len(cells) == 2
        found.append(
            "_".join([*(names[c - 1] for c in cells)] if parted else [names[cells[0] - 1], first[number]])
        )
    return found


# How an edge runs that lies on a side of a cell; one between two levels is not drawn.
_RUNS = {
    "square": {"north": "level", "south": "level", "east": "upright", "west": "upright"},
    "hex": {
        "east": "upright",
        "west": "upright",
        "northeast": "falling",
        "southwest": "falling",
        "northwest": "rising",
        "southeast": "rising",
    },
}


def runs_of(made: t.Geometry) -> list[str]:
    """How each edge runs; corners do not."""
    assert made.border is not None
    shape = "hex" if any(side in ("northeast", "southwest") for side, _ in made.border.sides) else "square"
    if made.shape == "corners":
        return ["" for _ in made.border.cells]
    on = {edge: side for (side, _), edge in made.border.sides.items()}
    return [_RUNS[shape].get(on[edge], "") for edge in range(1, made.kind.size + 1)]


def joining(edges: t.Geometry, corners: t.Geometry) -> list[tuple[int, ...]]:
    """For each edge the corners at its ends."""
    assert edges.border is not None and corners.border is not None
    number = {point: at for at, point in enumerate(corners.border.points, start=1)}
    return [tuple(sorted(number[point] for point in ends)) for ends in edges.border.ends]


Sites = Mapping[
    Point, list[tuple[int, str]]
]  # the cells that touch a point, each with the side on which it lies


def _sites(board: t.Geometry, offsets: Iterable[tuple[str, Point]]) -> Sites:
    found: dict[Point, list[tuple[int, str]]] = {}
    for number, cell in enumerate(board.cells, start=1):
        for side, away in offsets:
            found.setdefault(_moved(middle(board, cell), away), []).append((number, side))
    return found


def _sides(board: t.Geometry) -> tuple[tuple[str, Point], ...]:
    vectors = vectors_of(board.shape, board.levels)
    wanted = (*SIDES[board.shape], *((DOWN, UP) if board.levels > 1 else ()))
    half = {side: _scaled(board.shape, vectors[side]) for side in wanted}
    return tuple((side, (x // 2, y // 2, z // 2)) for side, (x, y, z) in half.items())


def _ends(shape: str, point: Point, found: list[tuple[int, str]]) -> tuple[Point, ...]:
    """The corners at the ends of an edge; what lies between two levels has none."""
    side = found[0][1]
    if side not in SIDES[shape]:
        return ()
    at = SIDES[shape].index(side)
    half = _scaled(shape, vectors_of(shape, 1)[side])
    centre = _moved(point, (-half[0] // 2, -half[1] // 2, 0))
    return tuple(_moved(centre, CORNERS[shape][i][1]) for i in (at - 1, at))


def _border(
    kind: t.Kind,
    shape: str,
    board: t.Geometry,
    sites: Sites,
    near: list[set[int]],
    between: Mapping[tuple[int, int], int] = MappingProxyType({}),
    ends: Iterable[tuple[Point, ...]] = (),
) -> t.Geometry:
    number = {point: at for at, point in enumerate(sites, start=1)}
    steps = {
        name: tuple(number.get(_moved(point, _scaled(board.shape, vector)), 0) for point in sites)
        for name, vector in vectors_of(board.shape, board.levels).items()
    }
    border = t.Border(
        board.kind,
        tuple(tuple(cell for cell, _ in found) for found in sites.values()),
        MappingProxyType(between),
        MappingProxyType({(side, cell): number[p] for p, found in sites.items() for cell, side in found}),
        tuple(sites),
        tuple(ends),
    )
    beside = tuple(tuple(sorted(others)) for others in near)
    none: Mapping[tuple[int, ...], int] = MappingProxyType({})
    return t.Geometry(kind, shape, 0, 0, (), none, MappingProxyType(steps), beside, border=border)


def _links(kind: t.Kind, board: t.Geometry) -> t.Geometry:
    """The edges of a board that is no grid are its links; those that meet in a cell are neighbours."""
    pairs = sorted({(min(a, b), max(a, b)) for a, others in enumerate(board.near, start=1) for b in others})
    between = {way: n for n, (a, b) in enumerate(pairs, start=1) for way in ((a, b), (b, a))}
    sides = {
        (name, a): between[a, b]
        for name, row in board.steps.items()
        for a, b in enumerate(row, start=1)
        if (a, b) in between
    }
    border = t.Border(board.kind, tuple(pairs), MappingProxyType(between), MappingProxyType(sides))
    beside = tuple(tuple(sorted(others)) for others in _touching(pairs))
    none: Mapping[tuple[int, ...], int] = MappingProxyType({})
    return t.Geometry(kind, "edges", 0, 0, (), none, MappingProxyType({}), beside, border=border)


def _touching(ends: Iterable[tuple[object, ...]]) -> list[set[int]]:
    """Which of them have an end in common."""
    meeting: dict[object, list[int]] = {}
    listed = [*ends]
    for number, pair in enumerate(listed, start=1):
        for end in pair:
            meeting.setdefault(end, []).append(number)
    return [
        {n for end in pair for n in meeting[end]} - {number} for number, pair in enumerate(listed, start=1)
    ]


def _pairs(cells: list[int]) -> Iterator[tuple[int, int]]:
    return ((a, b) for a in cells for b in cells if a != b)


def _scaled(shape: str, vector: Vector) -> Point:
    column, row, level = vector
    return (4 * column + 2 * row, 4 * row, 2 * level) if shape == "hex" else (2 * column, 2 * row, 2 * level)


def _moved(point: Point, by: Point) -> Point:
    return point[0] + by[0], point[1] + by[1], point[2] + by[2]


# `wall(a, b)`, `wall(c, north)`: edges and corners by what lies beside them, named after their kind.


def check_border(checker: Expressions, node: n.Call, scope: Scope, made: t.Geometry) -> t.Expr:
    """Two cells or two corners, or a cell and a direction."""
    assert made.border is not None
    board, symbols = made.border.board.name, checker.symbols
    wanted = _wanted(checker, made)
    if len(node.arguments) != 2:
        return symbols.error("RF504", f"`{node.name}` takes {wanted}", node.span)
    first = checker.thing(node.arguments[0], scope, ThingT(board))
    second = checker.thing(node.arguments[1], scope, ThingT("direction"))
    kinds = tuple(v.type.kind if isinstance(v.type, ThingT) else "" for v in (first, second))
    for value in (first, second):
        if isinstance(value.type, ErrorT):
            return value
    how = _how(checker, made).get((kinds[0], kinds[1]))
    if how is None:
        message = f"`{node.name}` takes {wanted}, not {first.type} and {second.type}"
        return symbols.error("RF502", message, node.span)
    if how == "border_on" and not made.border.sides:
        return symbols.error("RF502", f"`{board}` has links, but no directions", node.span)
    return t.Builtin(node.span, ThingT(made.kind.name, True), how, (first, second), made.kind)


def _how(checker: Expressions, made: t.Geometry) -> dict[tuple[str, str], str]:
    """The possible kinds of the two arguments."""
    assert made.border is not None
    board = made.border.board
    found = {(board.name, "direction"): "border_on"}
    if made.shape == "edges":
        found[board.name, board.name] = "edge_between"
        found |= {(name, name): "edge_joining" for name in _corners(checker, board)}
    return found


def _corners(checker: Expressions, board: t.Kind) -> list[str]:
    """The kinds of corners that a board has."""
    boards = checker.symbols.geometry.values()
    return [g.kind.name for g in boards if g.shape == "corners" and g.border and g.border.board is board]


def _wanted(checker: Expressions, made: t.Geometry) -> str:
    assert made.border is not None
    board = made.border.board
    given = [f"one of {board.plural} and a direction"]
    if made.shape == "edges":
        corners = (checker.symbols.kinds[name] for name in _corners(checker, board))
        given = [*(f"two {kind.plural}" for kind in (board, *corners)), *given]
    return " or ".join(given)
