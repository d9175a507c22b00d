"""What a block of effect text may do besides the usual, and what was learnt of it on the way."""

from __future__ import annotations

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import NOTHING, Type
from ruleforge.support.records import dataclass


@dataclass
class Frame:
    """Whether and what a text may `return`, what it did return, and which of its locals are written again."""

    returns: bool = False
    result: Type = NOTHING
    proceeds: tuple[t.Variable, ...] | None = None  # what a replaced event was called with
    reassigned: frozenset[str] = frozenset()
