"""Names -> the few signs that stand for them where there is little room."""

from __future__ import annotations

from collections.abc import Sequence


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
