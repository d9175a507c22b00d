"""The effect runner runs effects typed by a user at a position, as a small game of their own on the same row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.backends.api import Row, words
from ruleforge.backends.faults import Trapped
from ruleforge.compiler.ir import (
    ANSWER,
    CHAIN_LENGTH,
    OUTCOME,
    RET,
    SITE,
    SP,
    WHO,
    WORK_DONE,
    Program,
)
from ruleforge.engine.bound_state import bound_state
from ruleforge.engine.breakpoints import RunPoints, Stop, run_row
from ruleforge.engine.errors import ExpressionError, PathError
from ruleforge.engine.trace import Ran
from ruleforge.engine.variant import Variant
from ruleforge.support.records import dataclass

if TYPE_CHECKING:
    from ruleforge.engine.state import State

# Words of the head that belong to the waiting question or the present step, not to the position.
_OWN = (SITE, WHO, SP, RET, ANSWER, CHAIN_LENGTH, WORK_DONE)


@dataclass(frozen=True, slots=True)
class Effect:
    """Effects ready to be run at a position."""

    at: State
    states: type[State]  # of the small game

    def run(self, looks: RunPoints | None = None, dice: tuple[str, ...] = ()) -> Ran | Stop:
        """Run to the end or to the first question."""
        program = self.states._variant.program
        own = words(self.at._row, self.at._variant.program)[: self._common]
        row: Row = [*own, *program.start[len(own) :]]
        for slot in _OWN:
            row[slot] = 0
        row[SP], row[program.stack] = program.stack, 1
        return run_row(self.states, row, None, looks, dice)

    def is_over(self, state: State) -> bool:
        """Whether the effects have ended in a state of their run."""
        return not state._row[SITE]

    def after(self, state: State) -> State:
        """The position after the effects, from their last state."""
        return self.outcome(state._row)

    def outcome(self, row: Row) -> State:
        """The position after the effects; it waits for the same answer as before them."""
        variant = self.at._variant
        before = words(self.at._row, variant.program)
        after = [*row[: self._common], *before[self._common :]]
        for slot in _OWN:
            after[slot] = before[slot]
        if after[OUTCOME]:
            after[SITE] = after[WHO] = after[SP] = 0
            after[variant.program.stack :] = [0] * (variant.program.row_size - variant.program.stack)
        attached = variant.runtime.attach(after)
        try:
            choices = variant.runtime.listing(attached)
        except Trapped as trapped:
            raise variant.refusal(trapped) from None
        if not choices and not after[OUTCOME]:
            raise PathError("RF832", "after this the waiting decision has no choice")
        return type(self.at)._of_row(attached, choices)

    @property
    def _common(self) -> int:
        """How many words both programs have for the position itself: only what trials need may be lacking."""
        return min(self.at._variant.program.stack, self.states._variant.program.stack)


def effect(state: State, text: str) -> Effect:
    """Raises ExpressionError for mistakes in the text."""
    setup = state._variant.setup
    found = state.game.compiled.effect(setup, text)
    if not isinstance(found, Program):
        raise ExpressionError(found)
    return Effect(state.copy(), bound_state(state.game, Variant(state.game.compiled, setup, found)))
