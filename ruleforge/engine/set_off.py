"""Which of the rules that wait were set off unseen by a viewer: the steps since nothing waited tell it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ruleforge.engine.event import Event
from ruleforge.engine.retelling import Retelling
from ruleforge.engine.runs import Unseen
from ruleforge.engine.trail import Trail, row_of
from ruleforge.engine.witness import Witness

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant

Since = tuple[Trail, ...] | None  # None: rules wait, and how they were set off is not known any more


def retold(variant: Variant, trail: Trail, since: Since, viewer: int) -> Iterator[Event]:
    """What a viewer is told of the step at the end of a trail."""
    return _Step(variant, trail, viewer, unseen(variant, since, viewer)).events()


def unseen(variant: Variant, since: Since, viewer: int) -> Unseen:
    """The rules that wait after these steps and were set off unseen."""
    if since is None:
        return None
    waiting: Unseen = Counter()
    for trail in since:
        step = _Step(variant, trail, viewer, waiting)
        for _ in step.events():
            pass
        waiting = step.retelling.unseen
    return waiting


class _Step:
    def __init__(self, variant: Variant, trail: Trail, viewer: int, waiting: Unseen) -> None:
        before, self._code = trail
        self._runtime, self._row = variant.runtime, row_of(variant.runtime, before)
        self.retelling = Retelling(variant, Witness(variant, viewer, self._row), waiting)

    def events(self) -> Iterator[Event]:
        _, notes = self._runtime.record(self._row, self._code)
        return self.retelling.events(notes)
