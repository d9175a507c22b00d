"""A board with what is on it -> lines of marks."""

from __future__ import annotations

from ruleforge.present.lines import Chunk, Line, Mark, centred, flow, width_of
from ruleforge.present.marks import initials
from ruleforge.present.scene import Board, Cell

EMPTY = "·"
Rows = tuple[Chunk, Chunk]  # what stands on a cell, and under it what is counted there


def picture(board: Board, plain: bool, width: int) -> list[Line]:
    """Grids with letters and numbers beside them; rings one under the other from the outside in."""
    if board.shape == "rings":
        return _rings(board, plain, width)
    if board.near is not None:
        return _graph(board, plain, width)
    return _grid(board, plain)


def signs(cell: Cell, plain: bool) -> Chunk:
    marks: list[Mark] = []
    for number, token in enumerate(cell.tokens):
        sign = token.letters if plain else token.sign
        hurt = token.changed or cell.changed
        apart = " " if number and len(sign) > 1 else ""
        marks.append(Mark(apart + sign, of=token.of, changed=hurt, bold=bool(token.of)))
    return tuple(marks)


def _counts(cell: Cell, short: dict[str, str]) -> Chunk:
    return tuple(
        Mark(f"{short.get(f.label, '')}{f.text or 'x'}", of=f.of, changed=f.changed) for f in cell.counts
    )


def _empty(plain: bool) -> Mark:
    return Mark("." if plain else EMPTY, dim=True)


def _rows(board: Board, plain: bool) -> dict[tuple[int, int], Rows]:
    labels = {f.label for cell in board.cells.values() for f in cell.counts if f.of}
    short = {name: letter.lower() for name, letter in initials(sorted(labels)).items()}
    found: dict[tuple[int, int], Rows] = {}
    for place, cell in board.cells.items():
        stands, counted = signs(cell, plain), _counts(cell, short)
        if not labels:
            stands, counted = (*stands, *counted), ()
        found[place] = (stands or (_empty(plain),), counted)
    return found


def _grid(board: Board, plain: bool) -> list[Line]:
    rows = _rows(board, plain)
    width = max((width_of(part) for cell in rows.values() for part in cell), default=1)
    width = max(width, len(letters(board.columns)))
    margin = len(str(board.rows)) + 1
    lines: list[Line] = []
    deep = any(counted for _, counted in rows.values())
    order = range(1, board.rows + 1) if board.north_first else range(board.rows, 0, -1)
    for row in order:
        # each row of a hex board is half a cell further to the right than the one below it
        shift = " " * ((width + 1) * (row - 1) // 2) if board.shape == "hex" else ""
        for part in range(2 if deep else 1):
            head = str(row).rjust(margin - 1) if part == 0 else " " * (margin - 1)
            line: list[Mark] = [Mark(head + " " + shift, dim=True)]
            for column in range(1, board.columns + 1):
                cell = rows.get((column, row), ((), ()))
                line += [*centred(cell[part], width), Mark(" ")]
            lines.append(tuple(line))
    foot = " ".join(letters(column).center(width) for column in range(1, board.columns + 1))
    return [*lines, (Mark(" " * margin + foot, dim=True),)]


def _rings(board: Board, plain: bool, room: int) -> list[Line]:
    bars = ("|", "|") if plain else ("▏", "▕")
    titles = board.lanes or {ring: f"r{ring}" for ring in range(1, board.columns + 1)}
    head = max(map(len, titles.values()))
    width = max((width_of(signs(cell, plain)) for cell in board.cells.values()), default=1)
    lines: list[Line] = []
    for ring in range(board.columns, 0, -1):
        own = sorted(((s, cell) for (r, s), cell in board.cells.items() if r == ring), key=lambda at: at[0])
        line: list[Mark] = [Mark(titles[ring].ljust(head), dim=True), Mark(f" {bars[0]}", dim=True)]
        apart = " " if head + 4 + len(own) * (width + 1) <= room else ""  # long ones are drawn more closely
        for number, (_, cell) in enumerate(own):
            line += [
                *([Mark(apart)] if number else []),
                *centred(signs(cell, plain) or (_empty(plain),), width),
            ]
        lines.append((*line, Mark(bars[1], dim=True)))
    return lines


def _graph(board: Board, plain: bool, width: int) -> list[Line]:
    """Where something is: the rest can be asked for."""
    chunks = []
    for cell in board.cells.values():
        said = [Mark(" "), *signs(cell, plain)] if cell.tokens else []
        said += [m for f in cell.counts for m in (Mark(f" {f.label} {f.text}", of=f.of, changed=f.changed),)]
        if said:
            chunks.append((Mark(cell.id, bold=True), *said))
    return flow(chunks, width, gap="   ")


def letters(column: int) -> str:
    found = ""
    while column:
        column, digit = divmod(column - 1, 26)
        found = chr(ord("a") + digit) + found
    return found
