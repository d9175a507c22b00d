"""`boards` draws a board, with everything on it, as lines of marks."""

from __future__ import annotations

from math import gcd

from ruleforge.engine.presentation.cells import empty, letters, rows_of, signs
from ruleforge.engine.presentation.scene import Board, Border
from ruleforge.engine.presentation.styled_text import Chunk, Line, Mark, beside, centred, flow, width_of

MOST_WITH_LINKS = 20  # places of a network that are shown with what they are joined to


def picture(board: Board, plain: bool, width: int) -> list[Line]:
    """Grids with letters and numbers beside them, levels side by side; rings and stretches one under the other."""
    if board.shape == "rings":
        return _rings(board, plain, width)
    if board.shape == "track":
        return _track(board, plain, width)
    if board.near is not None:
        return _graph(board, plain, width)
    levels = [board.level(n) for n in range(1, board.levels + 1)] if board.levels > 1 else [board]
    drawn = [lattice(level, plain) if board.points else _grid(level, plain) for level in levels]
    return drawn[0] if len(drawn) == 1 else _side_by_side(drawn, width)


def _side_by_side(drawn: list[list[Line]], width: int) -> list[Line]:
    """As many levels in a row as there is room for, the lowest first, each under its number."""
    lines: list[Line] = []
    row: list[Line] = []
    for number, level in enumerate(drawn, start=1):
        block = [(Mark(f"level {number}", dim=True),), *level]
        if row and max(map(width_of, row)) + 3 + max(map(width_of, block)) > width:
            lines, row = [*lines, *row], []
        row = beside(row, block) if row else block
    return [*lines, *row]


def _track(board: Board, plain: bool, room: int) -> list[Line]:
    """Stretches one under the other, cut into rows of a round number of spaces, each behind the number of its first."""
    titles = board.lanes or {}
    head = max(map(len, titles.values()), default=0)
    rows = rows_of(board, plain)
    width = max((width_of(stands) for stands, _ in rows.values()), default=1)
    digits = len(str(board.rows))
    fits = max(1, (room - head - digits - 2) // (width + 1))
    across = fits if fits < 10 else fits - fits % 10
    lines: list[Line] = []
    for stretch, title in titles.items():
        own = [rows[place][0] for place in sorted(board.cells) if place[0] == stretch]
        for start in range(0, len(own), across):
            name = (title if start == 0 else "").ljust(head)
            line = [Mark(f"{name} {str(start + 1).rjust(digits)} ", dim=True)]
            for stands in own[start : start + across]:
                line += [*centred(stands, width), Mark(" ")]
            lines.append(tuple(line))
    return lines


def _grid(board: Board, plain: bool) -> list[Line]:
    rows = rows_of(board, plain)
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
        own = sorted(
            ((at[1], cell) for at, cell in board.cells.items() if at[0] == ring), key=lambda at: at[0]
        )
        line: list[Mark] = [Mark(titles[ring].ljust(head), dim=True), Mark(f" {bars[0]}", dim=True)]
        apart = " " if head + 4 + len(own) * (width + 1) <= room else ""  # long ones are drawn more closely
        for number, (_, cell) in enumerate(own):
            line += [
                *([Mark(apart)] if number else []),
                *centred(signs(cell, plain) or (empty(plain),), width),
            ]
        lines.append((*line, Mark(bars[1], dim=True)))
    return lines


def _graph(board: Board, plain: bool, width: int) -> list[Line]:
    """All cells of a small network with their neighbours; for other networks the cells with contents."""
    small = board.shape == "graph" and len(board.cells) <= MOST_WITH_LINKS
    chunks = []
    for cell in board.cells.values():
        pieces = [Mark(" "), *signs(cell, plain)] if cell.tokens else []
        pieces += [
            m for f in cell.counts for m in (Mark(f" {f.label} {f.text}", of=f.of, changed=f.changed),)
        ]
        if small and board.near is not None:
            pieces.append(Mark(f" ({' '.join(board.near[cell.id])})", dim=True))
        if pieces:
            chunks.append((Mark(cell.id, bold=True), *pieces))
    return flow(chunks, width, gap="   ")


# --- boards with edges and corners ---

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
    """The chunks of cells; empty cells stay blank if the drawn corners show them well enough."""
    cornered = any(not border.run for border in board.borders.values())
    bare = {at for at, cell in board.cells.items() if cornered and not (cell.tokens or cell.counts)}
    return {at: () if at in bare else chunk for at, (chunk, _) in rows_of(board, plain).items()}


def _columns(used: set[int]) -> list[int]:
    """All columns from the first to the last, as far apart as the nearest two of them can be."""
    least = min(used)
    apart = gcd(*(x - least for x in used)) or 1
    return [*range(least, max(used) + 1, apart)]


def _border(border: Border, plain: bool) -> Chunk:
    """The content of an edge or corner; an edge with other marks is a line."""
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
