"""A trail records how a row came about: a frozen row and the codes chosen since, to rebuild earlier rows.

A trail is either a frozen row (never changed again) or a pair (the trail before, the code chosen). A step
costs one pair; the engine copies rows only now and then, and when it copies a state.
"""

from __future__ import annotations

from typing import Any

from ruleforge.backends.api import Row, Runtime

Trail = Any  # Row | tuple[Trail, int]
LONGEST = 64  # codes to run again at most


def row_of(runtime: Runtime, trail: Trail) -> Row:
    """The row at the end of a trail; not to be changed."""
    if not isinstance(trail, tuple):
        return trail  # type: ignore[no-any-return]
    codes = []
    while isinstance(trail, tuple):
        trail, code = trail
        codes.append(code)
    row = runtime.copy(trail)
    for code in reversed(codes):
        runtime.resume(row, code)
    return row
