"""`PendingAnswers` finds where an unfinished action began, and which answers a seat was told since.

The answers themselves lie in the frames of the row. A seat may only use the answers that it was told, so the
sampler starts at the beginning and answers again.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from ruleforge.backends.api import words
from ruleforge.backends.faults import Trapped
from ruleforge.compiler.ir import SITE
from ruleforge.engine.errors import PlayError
from ruleforge.engine.presentation.observation import HIDDEN
from ruleforge.engine.visibility.choices import redacted_text
from ruleforge.engine.visibility.conditions import Visibility
from ruleforge.engine.visibility.hidden_locals import Label
from ruleforge.support.records import dataclass

if TYPE_CHECKING:
    from ruleforge.engine.choice import Choice
    from ruleforge.engine.state import State

MOST = 24  # answers taken back at most
Row = list[int]


@dataclass(frozen=True, slots=True)
class Step:
    """An answer as a seat was told of it: who gave it, and its text."""

    who: str
    text: str


@dataclass(frozen=True, slots=True)
class PendingAnswers:
    """The state where the unfinished action began, and the answers that a seat was told since; empty if it
    knows them all.
    """

    began: State
    shown: tuple[Step, ...] = ()

    def again(self, begun: State, viewer: int, rng: random.Random) -> State | None:
        """Answer again from there, so that the seat would have been told the same; None if no answers were found."""
        for step in self.shown:
            followed = self._answered(begun, step, viewer, rng)
            if followed is None:
                return None
            begun = followed
        return begun

    def _answered(self, state: State, step: Step, viewer: int, rng: random.Random) -> State | None:
        for choice in rng.sample(state.choices, len(state.choices)):
            after = answered(state, choice)
            if after is not None and _step(state, after, choice, viewer) == step:
                return after
        return None


def pending_answers(state: State, viewer: int) -> PendingAnswers:
    """As far back as something may lie in the frames that the seat does not know, and it can be said what was asked."""
    variant = state._variant
    known = variant.visibility
    row = words(state._row, variant.program)
    steps: list[Step] = []
    after, now = state, row
    while len(steps) < MOST and _in_the_dark(after, viewer, now):
        given = known.reverse_step.before(now)
        if given is None:
            break
        for answer in reversed(given):
            before = _at(state, answer.row)
            choice = next((c for c in before.choices if c._code == answer.code), None)
            if choice is None:
                return PendingAnswers(state)
            steps.append(_step(before, after, choice, viewer))
            after = before
        now = given[0].row
    if not any(HIDDEN in step.text.split() for step in steps) and not known.locals.keeps(row) & Label.HIDDEN:
        return PendingAnswers(state)
    return PendingAnswers(after, tuple(reversed(steps)))


def _in_the_dark(state: State, viewer: int, row: Row) -> bool:
    """Whether something may lie in the frames, or have led to this question, that the seat does not know."""
    program = state._variant.program
    site = program.sites[row[SITE]]
    opens = any(option.action is not None for option in site.options)
    if not opens and site.sealed is None and not Visibility(state._variant, state._row).answer(viewer):
        return True
    return bool(state._variant.visibility.locals.keeps(row))


def answered(state: State, choice: Choice) -> State | None:
    """The state with the frames as they are after an answer; None if the rules refuse it, or no question follows."""
    after = state.copy()
    program = state._variant.program
    try:
        after.apply(choice)
        row = state._variant.visibility.reverse_step.with_frames(
            words(state._row, program), words(after._row, program)
        )
        return _at(state, row) if after.choices else None
    except (PlayError, Trapped):
        return None


def _step(before: State, after: State, choice: Choice, viewer: int) -> Step:
    decision = before.decision
    assert decision is not None
    return Step(decision.player, redacted_text(before._variant, before._row, after._row, choice, viewer))


def _at(state: State, row: Row) -> State:
    runtime = state._variant.runtime
    attached = runtime.attach(list(row))
    return state.copy()._put(attached, runtime.listing(attached))
