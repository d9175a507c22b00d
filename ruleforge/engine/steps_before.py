"""The steps behind a position that are part of it, because something is still under way <-> plain numbers to be kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.backends.api import Row, words
from ruleforge.engine.trail import Trail, row_of

if TYPE_CHECKING:
    from ruleforge.engine.set_off import Since
    from ruleforge.engine.variant import Variant

Before = tuple[list[int], list[int]]  # the row in which they began, and the codes that were chosen


def before(variant: Variant, since: Since) -> Before | None:
    """What is kept of the steps; nothing if there are none, or they are not known."""
    if not since:
        return None
    first, _ = since[0]
    return words(row_of(variant.runtime, first), variant.program), [code for _, code in since]


def gone_again(variant: Variant, kept: Before, row: Row) -> Since:
    """The steps, gone once more; ValueError if they do not lead to this row, or cannot be gone."""
    runtime, (begun, codes) = variant.runtime, kept
    trail: Trail = runtime.attach(list(begun))
    here, found = runtime.copy(trail), list[Trail]()
    for code in codes:
        if code not in {choice._code for choice in runtime.listing(here)}:
            raise ValueError("what was chosen could not be")
        runtime.resume(here, code)
        trail = (trail, code)
        found.append(trail)
    if words(here, variant.program) != words(row, variant.program):
        raise ValueError("the steps lead elsewhere")
    return tuple(found)
