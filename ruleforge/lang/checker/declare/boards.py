"""Kinds that form boards: the names of their things, their geometry, and the facts that follow from it."""

from __future__ import annotations

from ruleforge.lang.checker import board_shapes
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.board_shapes import joined, track_of
from ruleforge.lang.checker.borders import corners_of, edges_of, joining, names_of
from ruleforge.lang.checker.declare.base import Declaring
from ruleforge.lang.checker.expressions.checker import Expressions
from ruleforge.lang.checker.geometry import (
    RING_DIRECTIONS,
    SHAPES,
    SIDES,
    cells_of,
    geometry_of,
    graph_of,
    lines_of,
    rings_of,
    vectors_of,
)
from ruleforge.lang.checker.symbols import Symbols
from ruleforge.lang.checker.types import NumberT, SetT, ThingT
from ruleforge.lang.model import ruleset as m
from ruleforge.lang.model.board_names import cell_name, places_of, ring_names, spaces_of
from ruleforge.lang.source.error_nodes import ErrorNodes
from ruleforge.support.diagnostics import Span


class Boards(Declaring):
    def __init__(self, ruleset: m.Ruleset, symbols: Symbols, expressions: Expressions) -> None:
        super().__init__(ruleset, symbols, expressions)
        self._cut: dict[Span, frozenset[str]] = {}  # cells that are left out, by grid
        self._kinds = {kind.id: kind for kind in ruleset.kinds}

    # --- how much there is to be made ---

    def most(self, kind: m.Kind) -> int | None:
        """How many things a board makes at most: cells left out are counted. None of a kind whose things are named."""
        if kind.grid:
            return kind.grid.columns * kind.grid.rows * kind.grid.levels
        if kind.rings:
            return sum(kind.rings)
        if kind.track and kind.track.stretches:
            return sum(stretch.length for stretch in kind.track.stretches)
        if borders := kind.edges or kind.corners:
            return self._most_borders(borders)
        return None

    def _most_borders(self, borders: m.Borders) -> int:
        board = self._kinds.get(borders.of.text.strip())
        if board is None or board.edges or board.corners:
            return 0
        if board.graph:
            return sum(len(others) for _, others in board.graph.links)
        cells = self.most(board) or len(board.things) + (board.count or 0)
        return cells * (len(SIDES["hex"]) + 2 if board.grid else len(RING_DIRECTIONS))

    def entries(self, kind: m.Kind) -> int:
        """How many numbers steps and neighbours of a board are at most."""
        count = self.most(kind) or 0
        if kind.grid and kind.grid.shape in SHAPES:
            return count * (len(vectors_of(kind.grid.shape, kind.grid.levels)) * 2 + len(kind.grid.leaps))
        if kind.graph:
            return 2 * sum(len(others) for _, others in kind.graph.links)
        return count * 2 * len(RING_DIRECTIONS)

    # --- what is made ---

    def names(self, kind: m.Kind) -> list[str] | None:
        """The things of a board; None of a kind whose things are said otherwise."""
        if kind.grid:
            return [*map(cell_name, cells_of(kind.grid, self._outside(kind.grid)))]
        if kind.rings:
            return ring_names(kind.rings)
        if kind.graph:
            others = [name.text.strip() for _, names in kind.graph.links for name in names]
            linked = {*(name for name, _ in kind.graph.links), *others}
            return [thing.id for thing in kind.things if thing.id in linked]
        if kind.track and kind.track.stretches:
            return [name for stretch in kind.track.stretches for name in spaces_of(stretch)]
        if kind.edges or kind.corners:
            return self._border_names(kind)
        return None

    def declare(self) -> None:
        """The geometry of all boards, then what is made of it: lines, edges and corners."""
        for kind in self.ruleset.kinds:
            typed = self.symbols.kinds.get(kind.id)
            board = self._built(kind, typed) if typed and typed.things else None
            if board is not None:
                self._judge(kind, board)
                self.symbols.geometry[kind.id] = board
                self._lines(kind, board)
        borders = [
            kind for kind in self.ruleset.kinds if kind.id not in self.symbols.geometry
        ]  # else it is told
        for kind in borders:
            if kind.corners:
                self._border(kind, kind.corners)
        for kind in borders:
            if kind.edges and not kind.corners:  # they know the corners at their ends
                self._border(kind, kind.edges)

    def _built(self, kind: m.Kind, typed: t.Kind) -> t.Geometry | None:
        if kind.grid and kind.grid.shape in SHAPES:
            return geometry_of(typed, kind.grid, cells_of(kind.grid, self._outside(kind.grid)))
        if kind.rings:
            return rings_of(typed, kind.rings)
        if kind.graph:
            return graph_of(typed, _links(kind.graph, frozenset(typed.things)), kind.graph.one_way)
        if kind.track and not typed.pool:
            return track_of(typed, kind.track)
        return None

    def _outside(self, grid: m.Grid) -> frozenset[str]:
        """The cells that are left out; asked for twice, and worked out once."""
        if grid.span not in self._cut:
            self._cut[grid.span] = board_shapes.outside(grid, self.symbols)
        return self._cut[grid.span]

    def _judge(self, kind: m.Kind, board: t.Geometry) -> None:
        if kind.grid:
            self._judge_grid(kind.grid)
        for stretch, a, b in joined(kind.track.stretches) if kind.track else ():
            for name, text in ((a, stretch.start), (b, stretch.to)):
                if text is not None and name == text.text.strip() and name not in board.kind.things:
                    self.symbols.unknown("space", name, text.span, list(board.kind.things))
                    self.symbols.lost(stretch.name)

    def _judge_grid(self, grid: m.Grid) -> None:
        left_out = board_shapes.named(grid)
        everywhere = {*map(cell_name, places_of(grid))} if left_out else set()
        for cell in left_out:
            if cell.text.strip() not in everywhere:
                self.symbols.unknown("cell", cell.text.strip(), cell.span, sorted(everywhere))
        if grid.shape == "hex" and grid.neighbours != "all" and grid.levels == 1:
            message, help = "hexagons have neighbours in all six directions", "leave out `neighbours`"
            self.symbols.error("RF502", message, grid.span, help)

    def _lines(self, kind: m.Kind, board: t.Geometry) -> None:
        for name, length, span in kind.lines if board.shape in SHAPES else ():
            most = board.kind.size * (len(vectors_of(board.shape, board.levels)) // 2)
            if not self.symbols.room.room_for_table(
                2 * most * min(length, board.kind.size), f"`{name}`", span
            ):
                self.symbols.lost(name, f"{name}s")
                continue
            lines = lines_of(board, length)
            if not self.symbols.room.room_for_things(len(lines), f"`{name}`", span):
                self.symbols.lost(name, f"{name}s")
                continue
            names = [f"{name}_{i}" for i in range(1, len(lines) + 1)]
            line_kind = t.Kind(name, f"{name}s", tuple(names), span)
            self.add(line_kind)
            self._touching(line_kind, board.kind, lines)

    def _touching(self, made: t.Kind, of: t.Kind, parts: list[tuple[int, ...]]) -> None:
        """Facts both ways: the cells of a line, and the lines through a cell."""
        self.fact(made, of.plural, SetT(of.name), parts)
        through: list[list[int]] = [[] for _ in of.things]
        for number, part in enumerate(parts, 1):
            for cell in part:
                through[cell - 1].append(number)
        self.fact(of, made.plural, SetT(made.name), map(tuple, through))

    # --- edges and corners ---

    def _border_names(self, kind: m.Kind) -> list[str]:
        """The board may be declared further down, so its geometry is worked out for the names alone."""
        borders = kind.edges or kind.corners
        board = self._kinds.get(borders.of.text.strip()) if borders else None
        if board is None or board.edges or board.corners or (kind.corners and not board.grid):
            return []
        names = self.names(board)
        names = listed(board) if names is None else names
        provisional = t.Kind(board.id, board.plural, tuple(names), board.span)
        geometry = self._built(board, provisional) if names else None
        return names_of(geometry, _border_of(kind, provisional, geometry)) if geometry else []

    def _border(self, kind: m.Kind, borders: m.Borders) -> None:
        typed, board = self.symbols.kinds.get(kind.id), self._board_of(kind, borders)
        if typed is None or board is None or kind.id in self.symbols.room.refused:
            self.symbols.lost("grid", kind.id, kind.plural)  # what they are called is not known
            self.symbols.error_nodes |= ErrorNodes(anything=True)
            return
        made = _border_of(kind, typed, board)
        assert made.border is not None
        self.symbols.geometry[kind.id] = made
        self._touching(typed, board.kind, [*made.border.cells])
        if kind.corners:
            return
        for other in self.symbols.geometry.values():
            if other.shape == "corners" and other.border and other.border.board is board.kind:
                self._touching(typed, other.kind, joining(made, other))

    def _board_of(self, kind: m.Kind, borders: m.Borders) -> t.Geometry | None:
        """The board whose edges or corners are asked for; None after a diagnostic."""
        name = borders.of.text.strip()
        board = self.symbols.geometry.get(name)
        help = "name a kind with a `grid`, `rings`, a `graph` or a `track`"
        if name not in self._kinds:
            self.symbols.unknown("kind", name, borders.of.span, list(self._kinds))
        elif (
            board is not None and not board.border and (self._kinds[name].edges or self._kinds[name].corners)
        ):
            pass  # it is told that it is a board and a border
        elif board is None or board.border:
            if self.symbols.kinds[name].things:
                self.symbols.error(
                    "RF502", f"`{name}` is no board, it has no edges and corners", borders.of.span, help
                )
        elif kind.corners and board.shape not in SIDES:
            message = f"only the cells of a `grid` have corners, `{name}` has none"
            self.symbols.error("RF502", message, borders.of.span, "name a kind with a `grid`")
        elif borders.rim and board.shape not in SIDES:
            message = f"only a `grid` has a rim, `{name}` has none"
            self.symbols.error("RF502", message, borders.span, "leave out `rim`")
        else:
            return board
        return None

    # --- facts ---

    def facts(self) -> None:
        for geometry in self.symbols.geometry.values():
            kind, cells = geometry.kind, geometry.cells
            named = _COORDINATES.get(geometry.shape, ("column", "row", "level"))
            for at, (name, values) in enumerate(zip(named, zip(*cells, strict=True), strict=False)):
                first = 0 if name == "sector" else 1
                most = (
                    max(values)
                    if at == 2 or geometry.shape == "track"
                    else (geometry.columns, geometry.rows)[at]
                )
                if name:
                    self.fact(kind, name, NumberT(first, most + first - 1), values)
            if geometry.shape == "rings":
                sizes = [sum(1 for r, _ in cells if r == ring) for ring, _ in cells]
                self.fact(kind, "sectors", NumberT(1, geometry.rows), sizes)
            for direction in geometry.steps:
                self.fact(kind, direction, ThingT(kind.name, True), geometry.steps[direction])
            if geometry.border and geometry.shape == "edges":
                self._sides(geometry)

    def _sides(self, edges: t.Geometry) -> None:
        """On which side of its first cell an edge lies."""
        assert edges.border is not None
        sides, cells = edges.border.sides, edges.border.cells
        first = {edge: side for (side, cell), edge in sides.items() if cells[edge - 1][0] == cell}
        if first:
            number = {name: at for at, name in enumerate(self.symbols.kinds["direction"].things, start=1)}
            found = [number.get(first.get(edge, ""), 0) for edge in range(1, edges.kind.size + 1)]
            self.fact(edges.kind, "side", ThingT("direction", 0 in found), found)


_COORDINATES = {"rings": ("ring", "sector"), "track": ("", "position")}


def _border_of(kind: m.Kind, typed: t.Kind, board: t.Geometry) -> t.Geometry:
    return edges_of(typed, board, kind.edges.rim) if kind.edges else corners_of(typed, board)


def _links(graph: m.Graph, there: frozenset[str]) -> dict[str, list[str]]:
    """The links between things that there are: a graph makes its things, so the others were reported."""
    return {
        name: [other for text in others if (other := text.text.strip()) in there]
        for name, others in graph.links
        if name in there
    }


def copies_of(kind: m.Kind) -> list[tuple[str, m.Thing]]:
    """The things that are listed, each copy with a name of its own."""
    return [
        (thing.id if thing.copies == 1 else f"{thing.id}_{copy}", thing)
        for thing in kind.things
        for copy in range(1, thing.copies + 1)
    ]


def listed(kind: m.Kind) -> list[str]:
    """The names of things that are listed, then of those that are only counted."""
    counted = [f"{kind.id}_{i}" for i in range(1, (kind.count or 0) + 1)]
    return [*(name for name, _ in copies_of(kind)), *counted]
