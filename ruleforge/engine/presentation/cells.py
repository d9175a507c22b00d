"""`cells` draws a cell of a board as marks: the things on it, and below them its counts."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.engine.presentation.scene import Board, Cell
from ruleforge.engine.presentation.styled_text import Chunk, Mark

EMPTY = "·"
Rows = tuple[Chunk, Chunk]


def signs(cell: Cell, plain: bool) -> Chunk:
    marks: list[Mark] = []
    for number, token in enumerate(cell.tokens):
        sign = token.letters if plain else token.sign
        hurt = token.changed or cell.changed
        apart = " " if number and len(sign) > 1 else ""
        marks.append(Mark(apart + sign, of=token.of, changed=hurt, bold=bool(token.of)))
    return tuple(marks)


def counts(cell: Cell, short: dict[str, str]) -> Chunk:
    return tuple(
        Mark(f"{short.get(f.label, '')}{f.text or 'x'}", of=f.of, changed=f.changed) for f in cell.counts
    )


def empty(plain: bool) -> Mark:
    return Mark("." if plain else EMPTY, dim=True)


def rows_of(board: Board, plain: bool) -> dict[tuple[int, ...], Rows]:
    labels = {f.label for cell in board.cells.values() for f in cell.counts if f.of}
    short = {name: letter.lower() for name, letter in initials(sorted(labels)).items()}
    found: dict[tuple[int, ...], Rows] = {}
    for place, cell in board.cells.items():
        stands, counted = signs(cell, plain), counts(cell, short)
        if not labels:
            stands, counted = (*stands, *counted), ()
        found[place] = (stands or (empty(plain),), counted)
    return found


def letters(column: int) -> str:
    found = ""
    while column:
        column, digit = divmod(column - 1, 26)
        found = chr(ord("a") + digit) + found
    return found


# A few signs for each name, for narrow cells.


def initials(names: Sequence[str]) -> dict[str, str]:
    """For each of some names as few letters as tell it apart from the others."""
    return {name: _initial(name, names) for name in names}


def _initial(name: str, names: Sequence[str]) -> str:
    for length in range(1, len(name)):
        if sum(other.startswith(name[:length]) for other in names) == 1:
            return name[:length].upper()
    return name


def letters_of(name: str) -> str:
    """Two letters, or a letter and the number that tells one of several alike apart."""
    head, _, number = name.rpartition("_")
    if len(head) > 2 and number.isdecimal():
        return head[0] + number
    return name[:2]
