"""Names of the columns that the engine makes for itself: each has a space in it, which no name of an author has."""

from __future__ import annotations

KNOWN = "known to"  # to whom a thing was shown
EXISTS = "exists"  # of the things of a pool; authors ask for it, so it is a name like theirs that they cannot declare


def used(name: str) -> str:
    """How often something with a limit was used."""
    return f"used {name}"
