"""`bound_state` makes the class of a variant's states: `State` with its functions bound, and additions that
its rules need.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from ruleforge.backends.faults import Trapped
from ruleforge.compiler.ir import RUNAWAY
from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import PathError
from ruleforge.engine.events import Events, StepEvents
from ruleforge.engine.outcome import Draws, Outcome, outcome_of, unfinished
from ruleforge.engine.state import State
from ruleforge.engine.trail import LONGEST

if TYPE_CHECKING:
    from typing import Self

    from ruleforge.engine.game import Game
    from ruleforge.engine.variant import Variant


def bound_state(game: Game, variant: Variant) -> type[State]:
    """The class of a variant's states."""
    bases = (
        *((_HiddenState,) if variant.visibility.choices.sites else ()),
        _plain(game, variant),
    )
    return type("State", bases, {"__slots__": ()})


def _plain(game: Game, variant: Variant) -> type[State]:
    """The class of plain states; this closure binds the functions that are called often."""
    runtime = variant.runtime
    copy_row, resume = runtime.copy, runtime.resume
    new = object.__new__

    class BoundEvents(StepEvents):
        __slots__ = ()

    BoundEvents.variant = variant

    class BoundState(State):
        __slots__ = ()
        _variant = variant

        def apply(self, choice: Choice | str, player: str | None = None) -> Events:
            if player is not None:
                self.check_turn(player)
            if choice not in self.choices:
                return self._apply_other(choice)
            trail = self._trail
            if trail is self._row:
                self._row = copy_row(trail)
            code = choice._code  # a text is never among the choices
            try:
                self.choices = tuple(resume(self._row, code))
            except BaseException as problem:
                self._rewind()
                if isinstance(problem, RecursionError):  # changes that replace one another without end
                    problem = Trapped(RUNAWAY)
                if isinstance(problem, Trapped):
                    raise variant.refusal(problem, choice, self._row) from None
                raise
            events = new(BoundEvents)
            events.trail = self._trail = (trail, code)
            self._age = age = self._age + 1
            if age == LONGEST:
                self._trail = self._row
                self._age = 0
            return events

        def copy(self) -> Self:
            twin = new(type(self))
            twin._row = twin._trail = self._trail = self._row
            twin._age = self._age = 0
            twin.choices = self.choices
            return twin

        def _playout(self, rng: random.Random | int, most: int) -> Outcome:
            row = copy_row(self._row)
            try:
                runtime.playout(row, Draws(random.Random(rng) if isinstance(rng, int) else rng, most))
            except Trapped as trapped:
                raise variant.refusal(trapped) from None
            except StopIteration:
                raise unfinished(most) from None
            return outcome_of(variant, row)

    BoundState._game = game
    return BoundState


class _HiddenState(State):
    """The state of a game in which a player may have to choose among things that the player cannot see."""

    __slots__ = ()

    def apply(self, choice: Choice | str, player: str | None = None) -> Events:
        before, choices = self._trail, self.choices
        events = super().apply(choice, player)
        if not isinstance(choice, str):
            try:
                self.choices = self._variant.visibility.choices.over(self._row, self.choices)
            except PathError:  # it cannot be told what there is to choose now
                self._trail, self.choices = before, choices
                self._rewind()
                raise
        return events
