"""Functions about boards and directions: precomputed tables, and lookups in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from ruleforge.compiler import ir
from ruleforge.compiler.lower.branches import lookup
from ruleforge.compiler.lower.context import Lowering, add, digits, times
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.borders import joining
from ruleforge.lang.checker.geometry import distances_from, opposites, turns, walk_of
from ruleforge.lang.checker.types import NumberT, ThingT

SMALL = 1 << 14  # entries of a table of steps; more are reckoned


def seats_on(low: Lowering, seat: ir.Expr, further: ir.Expr) -> ir.Expr:
    """The seat a number of places further round the table."""
    length = ir.Const(low.layout.players)
    return add(ir.Binary("%", ir.Binary("+", add(seat, -1), ir.Binary("%", further, length)), length), 1)


def numbered(low: Lowering, node: t.Builtin, number: ir.Expr) -> ir.Expr:
    """The thing of a kind that has a number; none beyond the last."""
    assert node.kind is not None and isinstance(node.arguments[0].type, NumberT)
    size, bounds = low.size(node.kind), node.arguments[0].type
    if bounds.low >= 1 and bounds.high <= size:
        return number
    return lookup(low, (*range(size + 1), 0), _cut(number, node.arguments[0], 0, size + 1))


def on_board(low: Lowering, node: t.Builtin, arguments: list[ir.Expr]) -> ir.Expr:
    assert node.kind is not None
    boards, directions = low.rules.geometry, low.rules.kinds.get("direction")
    match node.name:
        case "opposite":
            return lookup(low, (0, *opposites(low.kind("direction"), boards)), arguments[0])
        case "turned":
            return _turned(low, arguments[0], arguments[1])
        case "step":
            assert directions is not None
            return _table(low, boards[node.kind.name].steps, node.kind.size, directions, arguments)
        case "steps_on":
            return _steps_on(low, node, arguments)
        case "distance":
            table = [0]
            for start in range(1, node.kind.size + 1):
                table += distances_from(boards[node.kind.name], start)
            return lookup(low, tuple(table), digits(tuple(arguments), (node.kind.size, node.kind.size)))
        case "cell":
            return _cell(low, boards[node.kind.name], node, arguments)
    return _border(low, node, arguments)


def _table(
    low: Lowering, rows: Mapping[str, Sequence[int]], cells: int, directions: t.Kind, key: list[ir.Expr]
) -> ir.Expr:
    """The target of a direction from a cell, by the rows of directions."""
    known = [rows.get(name, (0,) * cells) for name in directions.things]
    table = (0, *(row[cell] for cell in range(cells) for row in known))
    return lookup(low, table, digits(tuple(key), (cells, directions.size)))


def _turned(low: Lowering, way: ir.Expr, further: ir.Expr) -> ir.Expr:
    """Directions lie on circles; what is on none cannot be turned and gives none."""
    rows = turns(low.kind("direction"), low.rules.geometry)
    whole = max(map(len, rows))
    table = tuple(to for row in ((), *rows) for to in row or (0,) * whole)
    return lookup(low, table, ir.Binary("+", times(way, whole), ir.Binary("%", further, ir.Const(whole))))


# --- several steps ---


def _steps_on(low: Lowering, node: t.Builtin, arguments: list[ir.Expr]) -> ir.Expr:
    """The cell a number of steps in a direction: from a table if the number is small, else by a loop."""
    assert node.kind is not None and isinstance(node.arguments[2].type, NumberT)
    board, directions = low.rules.geometry[node.kind.name], low.kind("direction")
    bounds, rows = node.arguments[2].type, node.kind.size * directions.size
    walks = [walk_of(board, cell, way) for cell in range(1, node.kind.size + 1) for way in directions.things]
    cell, way, number = arguments
    if bounds.low >= 0 and rows * (bounds.high - bounds.low + 1) <= SMALL:
        counts = range(bounds.low, bounds.high + 1)
        table = (0, *(_after(walk, count) for walk in walks for count in counts))
        sizes = (node.kind.size, directions.size, len(counts))
        return lookup(low, table, digits((cell, way, add(number, 1 - bounds.low)), sizes))
    key = digits((cell, way), (node.kind.size, directions.size))
    return ir.CallExpr(_walker(low, node, walks), (key, number))


Walk = tuple[tuple[int, ...], int | None]


def _after(walk: Walk, count: int) -> int:
    """The cell of a walk after a number of steps. 0 if the walk has left the board."""
    cells, again = walk
    if count < len(cells):
        return cells[count]
    return 0 if again is None else cells[again + (count - again) % (len(cells) - again)]


def _walker(low: Lowering, node: t.Builtin, walks: list[Walk]) -> str:
    """A function of a walk and a number of steps."""
    begins, at = [0], 0
    for cells, _ in walks:
        begins.append(at)
        at += len(cells)
    met = low.table(tuple(cell for cells, _ in walks for cell in cells))
    lengths = low.table((0, *(len(cells) for cells, _ in walks)))
    returns = low.table((0, *(len(cells) if again is None else again for cells, again in walks)))
    key, steps = ir.Local("key"), ir.Local("steps")
    length, again = ir.Table(lengths, key), ir.Table(returns, key)
    round_ = ir.Binary(
        "+", again, ir.Binary("%", ir.Binary("-", steps, again), ir.Binary("-", length, again))
    )
    body = (
        ir.If(ir.Binary("<", steps, ir.Const(0)), (ir.Return(ir.Const(0)),)),
        ir.If(
            ir.Binary(">=", steps, length),
            (
                ir.If(ir.Binary("==", again, length), (ir.Return(ir.Const(0)),)),
                ir.Set("steps", round_),
            ),
        ),
        ir.Return(ir.Table(met, ir.Binary("+", ir.Table(low.table(tuple(begins)), key), steps))),
    )
    return low.define(low.fresh("steps_on"), ("key", "steps"), body, node.span)


# --- cells, edges and corners by what lies beside them ---


def _cell(low: Lowering, board: t.Geometry, node: t.Builtin, arguments: list[ir.Expr]) -> ir.Expr:
    """The cell at a column, a row and a level; off the board is none. The table has a rim, so that cutting suffices."""
    sizes = (board.columns, board.rows, board.levels)[: len(arguments)]
    firsts = (1, board.first_row, 1)
    places = product(
        *(range(first - 1, first + size + 1) for first, size in zip(firsts, sizes, strict=False))
    )
    key: ir.Expr = ir.Const(0)
    for given, value, size, first in zip(node.arguments, arguments, sizes, firsts, strict=False):
        cut = add(_cut(value, given, first - 1, first + size), 1 - first)
        key = cut if key == ir.Const(0) else ir.Binary("+", times(key, size + 2), cut)
    return lookup(low, tuple(board.at.get(place, 0) for place in places), key)


def _cut(number: ir.Expr, node: t.Expr, low: int, high: int) -> ir.Expr:
    """A number cut to a range, unless it is known to lie in it."""
    if isinstance(node.type, NumberT) and low <= node.type.low and node.type.high <= high:
        return number
    return ir.Binary("max", ir.Const(low), ir.Binary("min", number, ir.Const(high)))


def _border(low: Lowering, node: t.Builtin, arguments: list[ir.Expr]) -> ir.Expr:
    """The edge or corner on a side of a cell, between two cells, or joining two corners."""
    assert node.kind is not None
    made = low.rules.geometry[node.kind.name]
    assert made.border is not None
    cells = made.border.board.size
    if node.name == "border_on":
        rows: dict[str, list[int]] = {}
        for (side, cell), number in made.border.sides.items():
            rows.setdefault(side, [0] * cells)[cell - 1] = number
        return _table(low, rows, cells, low.kind("direction"), arguments)
    pairs = made.border.between
    if node.name == "edge_joining":
        corners = low.rules.geometry[_kind_of(node.arguments[0])]
        cells = corners.kind.size
        pairs = {way: n for n, (a, b) in enumerate(joining(made, corners), 1) for way in ((a, b), (b, a))}
    numbers = range(1, cells + 1)
    table = (0, *(pairs.get((a, b), 0) for a in numbers for b in numbers))
    return lookup(low, table, digits(tuple(arguments), (cells, cells)))


def _kind_of(node: t.Expr) -> str:
    assert isinstance(node.type, ThingT)
    return node.type.kind
