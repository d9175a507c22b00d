"""A place where reading failed -> what could stand there."""

from __future__ import annotations

from ruleforge.lang.parser.parse_failure import LAYOUT, Trouble
from ruleforge.lang.parser.words import signs, terminals
from ruleforge.support.spelling import listed


def fitting(t: Trouble) -> str | None:
    """What could stand here, if that is short enough to help."""
    shown = {**terminals(), **signs()}
    found = sorted(shown[name] for name in t.expected if name in shown)
    if not 0 < len(found) <= 3 or len(found) < len(t.expected - LAYOUT):
        return None
    return f"expected {listed(found)}"
