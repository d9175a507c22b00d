"""The steps behind a position that its next log entry depends on, and how a save keeps them.

A question may be asked inside a branch that depends on hidden information, or while triggered rules wait. The step
after such a question needs to know whether the viewer saw what decided. The position does not say so any more, so the
state keeps the steps since nothing of the sort was open, and this module reads their records again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ruleforge.backends.api import Row, words
from ruleforge.engine.event import Event
from ruleforge.engine.trail import Trail, row_of
from ruleforge.engine.visibility.control import Context
from ruleforge.engine.visibility.observer import Observer
from ruleforge.engine.visibility.redaction import Redaction

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant

History = tuple[Trail, ...] | None  # None: the steps are not known
MOST_STEPS = 200  # a longer history is dropped: each log entry reads all of it again


def log_entry(variant: Variant, trail: Trail, history: History, viewer: int) -> Iterator[Event]:
    """The events of the step at the end of a trail, as a viewer may know them."""
    return _Step(variant, trail, viewer, _context(variant, history, viewer)).events()


def _context(variant: Variant, history: History, viewer: int) -> Context | None:
    """The context in which the step after these begins."""
    if history is None:
        return None
    context: Context | None = Context()
    for trail in history:
        step = _Step(variant, trail, viewer, context)
        for _ in step.events():
            pass
        context = step.redaction.context
    return context


class _Step:
    def __init__(self, variant: Variant, trail: Trail, viewer: int, context: Context | None) -> None:
        before, self._code = trail
        self._runtime, self._row = variant.runtime, row_of(variant.runtime, before)
        self.redaction = Redaction(variant, Observer(variant, viewer, self._row), context)

    def events(self) -> Iterator[Event]:
        _, notes = self._runtime.record(self._row, self._code)
        return self.redaction.events(notes)


# --- saves ---

SavedSteps = tuple[list[int], list[int]]  # the row at the beginning, and the codes of the choices


def saved_steps(variant: Variant, history: History) -> SavedSteps | None:
    """The history as plain numbers; None if it is empty or not known."""
    if not history:
        return None
    first, _ = history[0]
    return words(row_of(variant.runtime, first), variant.program), [code for _, code in history]


def replayed(variant: Variant, saved: SavedSteps, row: Row) -> History:
    """The history from plain numbers. ValueError if a choice is illegal or the steps do not lead to this row."""
    runtime, (begun, codes) = variant.runtime, saved
    trail: Trail = runtime.attach(list(begun))
    here, found = runtime.copy(trail), list[Trail]()
    for code in codes:
        if code not in {choice._code for choice in runtime.listing(here)}:
            raise ValueError("a saved choice is not legal")
        runtime.resume(here, code)
        trail = (trail, code)
        found.append(trail)
    if words(here, variant.program) != words(row, variant.program):
        raise ValueError("the saved steps lead to another position")
    return tuple(found)
