"""A board with edges or corners that are things -> lines of marks: each of them stands where it lies."""

from __future__ import annotations

from math import gcd

from ruleforge.engine.presentation.cells import empty, letters, rows_of, signs
from ruleforge.engine.presentation.lines import Chunk, Line, Mark, centred, width_of
from ruleforge.engine.presentation.scene import Board, Border

_RUNS = {"level": ("─", "-"), "upright": ("│", "|"), "rising": ("╱", "/"), "falling": ("╲", "\\")}


def lattice(board: Board, plain: bool) -> list[Line]:
    """Rows from the north down; rows of points on which nothing can be take no room."""
    found = {point[:2]: _border(border, plain) for point, border in board.borders.items()}
    found |= {board.points[place][:2]: chunk for place, chunk in _cells(board, plain).items()}
    across = _columns({x for x, *_ in (*board.points.values(), *board.borders)})
    width = {
        x: max((width_of(chunk) for at, chunk in found.items() if at[0] == x), default=1) for x in across
    }
    lines_at = {point[:2]: border for point, border in board.borders.items() if border.run == "level"}
    numbers = {board.points[place][1]: place[1] for place in board.points}
    margin = len(str(board.rows)) + 1
    lines: list[Line] = []
    for y in sorted({y for _, y, _ in (*board.points.values(), *board.borders)}, reverse=True):
        line = [Mark(str(numbers.get(y, "")).rjust(margin - 1) + " ", dim=True)]
        for x in across:
            chunk = found.get((x, y), ())
            if (x, y) in lines_at and _is_drawn(lines_at[x, y]):
                chunk = _long(chunk, width[x])
            line += centred(chunk, width[x])
        lines.append(tuple(line))
    return [*lines, _foot(board, across, width, margin)]


def _cells(board: Board, plain: bool) -> dict[tuple[int, ...], Chunk]:
    """What stands on cells; where corners are drawn they show well enough where empty ones are."""
    cornered = any(not border.run for border in board.borders.values())
    bare = {at for at, cell in board.cells.items() if cornered and not (cell.tokens or cell.counts)}
    return {at: () if at in bare else chunk for at, (chunk, _) in rows_of(board, plain).items()}


def _columns(used: set[int]) -> list[int]:
    """All columns from the first to the last, as far apart as the nearest two of them can be."""
    least = min(used)
    apart = gcd(*(x - least for x in used)) or 1
    return [*range(least, max(used) + 1, apart)]


def _border(border: Border, plain: bool) -> Chunk:
    """What stands on an edge or corner; an edge that is marked in another way is a line."""
    cell = border.cell
    if cell.tokens:
        return signs(cell, plain)
    if border.run:
        sign = _RUNS[border.run][plain] if cell.counts else " "
        return (Mark(sign, changed=cell.changed),)
    return (Mark("x"),) if cell.counts else (empty(plain),)


def _is_drawn(border: Border) -> bool:
    return bool(border.cell.counts) and not border.cell.tokens


def _long(chunk: Chunk, width: int) -> Chunk:
    """A level line is as long as the cells are wide."""
    (mark,) = chunk
    return (Mark(mark.text * width, mark.of, mark.dim, mark.bold, mark.changed),)


def _foot(board: Board, across: list[int], width: dict[int, int], margin: int) -> Line:
    """The letters of the columns, under the lowest row."""
    lowest = min((point[1] for point in board.points.values()), default=0)
    named = {point[0]: letters(place[0]) for place, point in board.points.items() if point[1] == lowest}
    return (
        Mark(" " * margin + "".join(named.get(x, "").center(width[x]) for x in across).rstrip(), dim=True),
    )
