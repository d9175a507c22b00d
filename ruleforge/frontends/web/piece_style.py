"""Shared display of components: colours, choices, labels."""

from __future__ import annotations

from collections.abc import Iterable

from ruleforge.engine.presentation.scene import Cell, Token
from ruleforge.engine.presentation.styled_text import colour_of

Players = tuple[str, ...]


def classes(*names: str) -> str | None:
    """The names that are not empty, as a class; none at all if there is none."""
    return " ".join(filter(None, names)) or None


def painted(of: str, players: Players) -> str:
    """The class of a colour; empty for none."""
    colour = colour_of(of, players)
    return f"c-{colour}" if colour else ""


def numbers(choices: Iterable[int]) -> str | None:
    """Choices that something belongs to, as an attribute."""
    return " ".join(map(str, choices)) or None


def words(token: Token) -> str:
    """A thing by its name, with its face and what lies in it."""
    name = "something hidden" if token.hidden else token.name
    inside = [words(inner) for inner in token.holds]
    return "; ".join([name, *token.face, *(["with " + ", ".join(inside)] if inside else [])])


def words_of_cell(cell: Cell, name: str = "") -> str:
    """What a place is called, or else this name, and all that is there."""
    there = [*(words(token) for token in cell.tokens), *(f"{f.label} {f.text}".strip() for f in cell.counts)]
    called = cell.id or name
    return f"{called}: {', '.join(there)}" if there else called
