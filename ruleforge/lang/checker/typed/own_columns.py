"""Names of the columns that the engine makes itself: each has a space, which no name of an author has."""

from __future__ import annotations

from collections.abc import Container

from ruleforge.support.spelling import DISCLOSED

KNOWN = "known to"  # to whom a thing was shown
EXISTS = "exists"  # of the things of a pool; authors ask for it, so it is a name like theirs that they cannot declare
UNDER_WAY = "during "  # of the game: whether a phase or window is under way, where rules ask


def path_name(kind: str, name: str, columns: Container[tuple[str, str]]) -> str:
    """How a column is written in paths: `known` and `used_hunt`; with its space where an author has such a name."""
    if name.startswith(UNDER_WAY):  # the flow alone changes it, and it shows in what is asked
        return name
    plain = "known" if name == KNOWN else name.replace(" ", "_")
    return name if plain != name and (kind, plain) in columns else plain


def under_way(name: str) -> str:
    """Whether a phase or window is under way."""
    return UNDER_WAY + name


def disclosure_name(fact: str) -> str:
    """The name of the column that stores which values of a fact players were told."""
    return DISCLOSED + fact


def used(name: str) -> str:
    """How often something with a limit was used."""
    return f"used {name}"
