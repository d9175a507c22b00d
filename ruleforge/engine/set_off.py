"""What a step is inside of, and which of the rules that wait were set off unseen: the steps before it tell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ruleforge.engine.event import Event
from ruleforge.engine.retelling import Retelling
from ruleforge.engine.runs import Carried
from ruleforge.engine.trail import Trail, row_of
from ruleforge.engine.witness import Witness

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant

# The steps since nothing was under way that may have been steered or set off unseen; None: they are not known any more.
Since = tuple[Trail, ...] | None
MOST = 200  # steps that are remembered: each of them is gone through again for what a later one is told as


def retold(variant: Variant, trail: Trail, since: Since, viewer: int) -> Iterator[Event]:
    """What a viewer is told of the step at the end of a trail."""
    return _Step(variant, trail, viewer, carried(variant, since, viewer)).events()


def carried(variant: Variant, since: Since, viewer: int) -> Carried | None:
    """What the step after these is inside of, for a viewer."""
    if since is None:
        return None
    found: Carried | None = Carried()
    for trail in since:
        step = _Step(variant, trail, viewer, found)
        for _ in step.events():
            pass
        found = step.retelling.carried
    return found


class _Step:
    def __init__(self, variant: Variant, trail: Trail, viewer: int, inside: Carried | None) -> None:
        before, self._code = trail
        self._runtime, self._row = variant.runtime, row_of(variant.runtime, before)
        self.retelling = Retelling(variant, Witness(variant, viewer, self._row), inside)

    def events(self) -> Iterator[Event]:
        _, notes = self._runtime.record(self._row, self._code)
        return self.retelling.events(notes)
