"""A board with what is on it -> lines of marks."""

from __future__ import annotations

from ruleforge.engine.table.marks import EMPTY_MARK, Mark, marks_of
from ruleforge.engine.table.seen import SeenBoard, Table

Line = tuple[Mark, ...]
Marks = dict[str, tuple[Mark, ...]]


def picture(board: SeenBoard, table: Table) -> tuple[Line, ...]:
    """Rings one under the other from the outside in; grids with letters and numbers beside them."""
    marks: Marks = dict.fromkeys(board.info.cells.values(), (EMPTY_MARK,))
    for cell in board.cells:
        found = tuple(m for seen in cell for m in marks_of(seen, table.players))
        marks[cell.name] = found or (EMPTY_MARK,)
    title = ((Mark(board.info.kind, dim=True),),) if len(table.boards) > 1 else ()
    return (*title, *(_rings(board, marks) if board.info.shape == "rings" else _grid(board, marks)))


def _width(marks: Marks) -> int:
    return max((sum(len(mark.text) for mark in cell) for cell in marks.values()), default=1)


def _rings(board: SeenBoard, marks: Marks) -> tuple[Line, ...]:
    width = _width(marks)
    lines = []
    for ring in range(board.info.columns, 0, -1):
        cells = sorted((sector, name) for (r, sector), name in board.info.cells.items() if r == ring)
        padded = [mark for _, name in cells for mark in _centred(marks.get(name, ()), width)]
        lines.append((Mark(f"r{ring}", dim=True), *padded))
    return tuple(lines)


def _grid(board: SeenBoard, marks: Marks) -> tuple[Line, ...]:
    info = board.info
    width = max(_width(marks), len(_letters(info.columns)))
    rows = range(1, info.rows + 1) if info.north_first else range(info.rows, 0, -1)
    lines = [_row(board, row, marks, width) for row in rows]
    margin = " " * (len(str(info.rows)) + 1)
    letters = " ".join(_letters(column).center(width) for column in range(1, info.columns + 1))
    return (*lines, (Mark(margin + letters, dim=True),))


def _row(board: SeenBoard, row: int, marks: Marks, width: int) -> Line:
    info = board.info
    line = [Mark(str(row).rjust(len(str(info.rows))), dim=True)]
    if info.shape == "hex":  # each row is half a cell further to the right than the one below it
        line.append(Mark(" " * ((width + 1) * (row - 1) // 2)))
    for column in range(1, info.columns + 1):
        line += _centred(marks.get(info.cells.get((column, row), ""), ()), width)
    return tuple(line)


def _centred(marks: tuple[Mark, ...], width: int) -> tuple[Mark, ...]:
    """Marks in a field of a width, with a space before it."""
    pad = width - sum(len(mark.text) for mark in marks)
    return (Mark(" " * (1 + pad // 2)), *marks, Mark(" " * (pad - pad // 2)))


def _letters(column: int) -> str:
    letters = ""
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters
