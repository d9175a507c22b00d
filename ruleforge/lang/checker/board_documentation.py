"""A board -> what it is made of, and what its own facts and functions mean, in one line each for people."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import SetT

_FACTS = {
    "column": "which column it lies in, from 1",
    "row": "which row it lies in, from 1",
    "level": "how high it lies, from 1",
    "ring": "which ring it lies in, from 1 on the inside",
    "sector": "which sector of its ring, from 0",
    "sectors": "how many sectors its ring has",
    "position": "how far along its stretch, from 1",
    "side": "on which side of its first cell the edge lies",
}


def made_of(rules: t.Checked, kind: str) -> str:
    """What a board is: its form and size, or whose edges or corners they are."""
    made = rules.geometry.get(kind)
    if made is None:
        return ""
    if made.border is not None:
        return f"{made.shape} of `{made.border.board.name}`"
    if made.shape in ("square", "hex"):
        levels = f", {made.levels} levels" if made.levels > 1 else ""
        return f"a grid: {made.shape}, {made.columns} columns, {made.rows} rows{levels}"
    if made.stretches:
        return f"a track: {', '.join(made.stretches)}"
    return f"a board: {made.shape}"


def places_by_function(rules: t.Checked) -> Iterator[tuple[str, str]]:
    """The functions that are called as a board is, and find one of its things."""
    for name, made in rules.geometry.items():
        if made.border is not None:
            yield name, _by_cells(name, made, made.border.board.name)
        elif made.shape in ("square", "hex"):
            level = ", level" if made.levels > 1 else ""
            yield name, f"{name}(column, row{level}): the one at that place, or none"


def _by_cells(name: str, made: t.Geometry, board: str) -> str:
    beside = f"{name}({board}, direction): the one on that side, or none"
    if made.shape == "corners":
        return beside
    between = f"{name}({board}, {board}): the edge between two, or none"
    return f"{between}; {beside}" if made.border is not None and made.border.sides else between


def said_of_fact(rules: t.Checked, column: t.Column) -> str:
    """What a fact means that a board makes and no author; empty of others."""
    made = rules.geometry.get(column.kind.name)
    if made is not None and column.name in made.steps:
        return "one step in that direction, or none"
    if made is not None and column.name in _FACTS:
        return _FACTS[column.name]
    if isinstance(column.type, SetT) and rules.kinds[column.type.kind].plural == column.name:
        return "what touches it, in the order of their kind"
    return ""
