"""Marks of a program for versions, around two texts between which it could not choose -> the line of the first."""

from __future__ import annotations

import re

_CONFLICT = re.compile(r"(<<<<<<<|>>>>>>>)( |\Z)|=======\Z")
_MARKS = ("<<<<<<<", ">>>>>>>", "\n=======\n")


def conflict_in(text: str, lines: list[str]) -> int | None:
    """The first line that a program for versions wrote around two texts between which it could not choose."""
    if not any(mark in text for mark in _MARKS):
        return None
    return next((row for row, line in enumerate(lines) if _CONFLICT.match(line)), None)
