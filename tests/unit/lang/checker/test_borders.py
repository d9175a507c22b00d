"""Edges, corners and levels: counts that geometry itself prescribes, on boards of all shapes and sizes."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

import ruleforge
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.borders import corners_of, edges_of, joining
from ruleforge.lang.checker.geometry import cells_of, geometry_of, lines_of, opposites
from ruleforge.lang.model import ruleset as m
from ruleforge.lang.model.board_names import cell_name
from ruleforge.support.ceilings import CEILINGS
from ruleforge.support.diagnostics import NOWHERE
from tests.unit.small_games import rules_file

SIZES = [(1, 1), (1, 4), (3, 2), (4, 4)]
BOARDS = [(shape, *size, north) for shape, size, north in product(("square", "hex"), SIZES, (False, True))]


def kind(name: str, *things: str) -> t.Kind:
    return t.Kind(name, f"{name}s", things, NOWHERE)


def board(shape: str, columns: int, rows: int, north_first: bool = False, levels: int = 1) -> t.Geometry:
    first_row = "north" if north_first else "south"
    grid = m.Grid(NOWHERE, shape, columns, rows, first_row=first_row, levels=levels)
    cells = cells_of(grid, frozenset())
    return geometry_of(kind("cell", *map(cell_name, cells)), grid, cells)


def border(made: t.Geometry) -> t.Border:
    assert made.border is not None
    return made.border


@pytest.mark.parametrize(("shape", "columns", "rows", "north"), BOARDS)
def test_corners_edges_and_cells_make_a_disc(shape: str, columns: int, rows: int, north: bool) -> None:
    """Euler: of what has no hole there are as many corners and cells together as edges, and one more."""
    cells = board(shape, columns, rows, north)
    edges, corners = edges_of(kind("edge"), cells, rim=True), corners_of(kind("corner"), cells)
    assert len(border(corners).cells) - len(border(edges).cells) + len(cells.cells) == 1
    assert {len(pair) for pair in joining(edges, corners)} == {2}
    assert {len(touched) for touched in border(edges).cells} <= {1, 2}
    sides = 4 if shape == "square" else 6
    assert sum(len(touched) for touched in border(edges).cells) == sides * len(cells.cells)
    assert sum(len(touched) for touched in border(corners).cells) == sides * len(cells.cells)


@pytest.mark.parametrize(("shape", "columns", "rows", "north"), BOARDS)
def test_an_edge_parts_two_cells_that_a_side_joins(shape: str, columns: int, rows: int, north: bool) -> None:
    cells = board(shape, columns, rows, north)
    edges = border(edges_of(kind("edge"), cells, rim=False))
    for (side, cell), number in edges.sides.items():
        other = cells.steps[side][cell - 1]
        assert sorted((cell, other)) == sorted(edges.cells[number - 1])
        assert edges.between[cell, other] == edges.between[other, cell] == number


@pytest.mark.parametrize(("shape", "columns", "rows", "north"), BOARDS)
def test_a_step_of_an_edge_is_a_step_of_its_cells(shape: str, columns: int, rows: int, north: bool) -> None:
    cells = board(shape, columns, rows, north)
    edges = edges_of(kind("edge"), cells, rim=False)
    for way, row in edges.steps.items():
        for number, to in enumerate(row, start=1):
            moved = {cells.steps[way][cell - 1] for cell in border(edges).cells[number - 1]}
            assert (set(border(edges).cells[to - 1]) if to else 0 in moved) == (moved if to else True)


@pytest.mark.parametrize(("shape", "levels"), [*product(("square", "hex"), (1, 3))])
def test_the_way_back_leads_back(shape: str, levels: int) -> None:
    cells = board(shape, 3, 3, levels=levels)
    ways = kind("direction", *cells.steps)
    for way, back in zip(cells.steps, opposites(ways, {"cell": cells}), strict=True):
        returning = cells.steps[ways.things[back - 1]]
        assert all(returning[to - 1] == at for at, to in enumerate(cells.steps[way], start=1) if to)


@pytest.mark.parametrize(("size", "lines"), [(2, 28), (3, 49), (4, 76), (5, 109)])
def test_a_cube_has_as_many_lines_as_is_known(size: int, lines: int) -> None:
    """((n + 2)^3 - n^3) / 2"""
    assert len(lines_of(board("square", size, size, levels=size), size)) == lines


def test_a_cube_of_four_has_seven_lines_through_corners_and_middle_and_four_elsewhere() -> None:
    cube = board("square", 4, 4, levels=4)
    found = lines_of(cube, 4)
    through = [sum(number in line for line in found) for number in range(1, 65)]
    assert sorted(set(through)) == [4, 7]
    assert through.count(7) == 16


@pytest.mark.parametrize("first", ["edge", "corner"])
def test_a_border_that_has_no_room_is_refused_in_words(first: str) -> None:
    """Whichever of board, edges and corners comes to the ceiling."""
    borders = {"edge": "edge: {edges: {of: cell, rim: true}}", "corner": "corner: {corners: cell}"}
    order = [borders.pop(first), *borders.values()]
    text = f"""
game: {{id: borders, title: Borders, version: "1.0", text: Borders., players: 2}}
kinds:
  player: {{things: [ann, ben]}}
  {order[0]}
  cell: {{grid: {{shape: square, columns: 3, rows: 3}}}}
  {order[1]}
flow: [{{phase: turn, each: me in players, window: one}}]
actions: {{pass_on: {{during: turn, do: skip}}}}
endings: {{over: {{text: Over.}}}}
"""
    codes = set()
    for most in range(2, 200, 9):
        try:
            ruleforge.load(rules_file(text), ceilings=replace(CEILINGS, things=most))
        except ruleforge.RulesetError as refused:
            codes |= {complaint.code for complaint in refused.diagnostics if complaint.severity == "error"}
    assert codes == {"RF511"}


WITHOUT = ("grid: {shape: square, columns: 3, rows: 3}", "rings: [3, 6]", "track: {length: 4}")


@pytest.mark.parametrize(("board", "border"), [*product(WITHOUT, ("edges", "corners"))])
def test_what_is_a_board_and_the_border_of_one_is_told_once(board: str, border: str) -> None:
    """And nothing breaks that would be made of it."""
    text = f"""\
game: {{id: both, title: Both, version: "1.0", text: Both., players: 2}}
kinds:
  player: {{things: [ann, ben]}}
  box: {{{board}, {border}: box}}
  dot: {{corners: box}}
  dash: {{edges: box}}
flow: [{{phase: turn, do: finish over}}]
endings: {{over: {{text: Over.}}}}
"""
    with pytest.raises(ruleforge.RulesetError) as refused:
        ruleforge.load(rules_file(text))
    both = [d for d in refused.value.diagnostics if "has both" in d.message]
    assert [d.code for d in both] == ["RF304"]
