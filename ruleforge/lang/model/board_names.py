"""The names of the cells of a board, as far as its file gives them directly."""

from __future__ import annotations

import re
from math import prod

from ruleforge.lang.model.ruleset import Grid, Kind, Stretch

CELL = re.compile(r"[a-z]+[0-9]+(_[0-9]+)?")


def cell_name(place: tuple[int, ...]) -> str:
    """`a1`, `b3`, ... `z9`, `aa1`: letters for the column, a number for the row; `b3_2` on the second level."""
    column, row, *level = place
    letters = ""
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return "_".join([f"{letters}{row}", *map(str, level)])


def places_of(grid: Grid) -> list[tuple[int, ...]]:
    """Column, row and, of several, level of all cells that could be: level by level, row by row from row 1."""
    flat = [(c, r) for r in range(1, grid.rows + 1) for c in range(1, grid.columns + 1)]
    return [(*at, z) for z in range(1, grid.levels + 1) for at in flat] if grid.levels > 1 else [*flat]


def ring_names(sizes: tuple[int, ...]) -> list[str]:
    return [f"r{ring}s{sector}" for ring, size in enumerate(sizes, start=1) for sector in range(size)]


def spaces_of(stretch: Stretch) -> list[str]:
    return [f"{stretch.name}_{number}" for number in range(1, stretch.length + 1)]


def drawn(kind: Kind, most: int) -> list[str]:
    """The things of a grid, rings or a track; none of one with more than `most`, or with an outline to be worked out."""
    stretches = kind.track.stretches if kind.track is not None else ()
    if kind.grid and prod((kind.grid.columns, kind.grid.rows, kind.grid.levels)) <= most:
        without = {text.text.strip() for text in kind.grid.without}
        names = [cell_name(place) for place in places_of(kind.grid)]
        return [name for name in names if name not in without] if all(map(CELL.fullmatch, without)) else []
    if kind.rings and sum(kind.rings) <= most:
        return ring_names(kind.rings)
    if sum(stretch.length for stretch in stretches) <= most:
        return [name for stretch in stretches for name in spaces_of(stretch)]
    return []
