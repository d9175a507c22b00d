"""A variant -> the class of its states: `State` with its functions at hand, and what its rules make needful on top."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ruleforge.backends.api import Row
from ruleforge.backends.faults import Trapped
from ruleforge.compiler.ir import RUNAWAY, RuleWaits
from ruleforge.engine.base_state import BaseState
from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import PathError
from ruleforge.engine.events import Events, StepEvents
from ruleforge.engine.outcome import Draws, Outcome, outcome_of, unfinished
from ruleforge.engine.state import State
from ruleforge.engine.trail import LONGEST
from ruleforge.engine.visibility.control import is_inside
from ruleforge.engine.visibility.history import MOST_STEPS, History

if TYPE_CHECKING:
    from typing import Self

    from ruleforge.engine.game import Game
    from ruleforge.engine.variant import Variant


def bound_state(game: Game, variant: Variant) -> type[State]:
    """The class of a variant's states."""
    waits = any(isinstance(info.means, RuleWaits) for info in variant.program.notes)
    bases = (
        *((_WaitingState,) if waits or variant.visibility.branch_sites else ()),
        *((_HiddenState,) if variant.visibility.choices.sites else ()),
        _plain(game, variant),
    )
    return type("State", bases, {"__slots__": ()})


def _plain(game: Game, variant: Variant) -> type[State]:
    """What is called often finds its functions in this closure."""
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
    """Of a game in which somebody may have to choose among things they cannot see."""

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


class _WaitingState(State):
    """Of a game in which rules may be set off unseen and wait, or in which somebody may be asked inside of what hidden
    things steer: it keeps the steps since nothing was under way."""

    __slots__ = ("_since",)
    _since: History

    def apply(self, choice: Choice | str, player: str | None = None) -> Events:
        known = choice in self.choices  # else it is found among them, and applied then
        events = super().apply(choice, player)
        if known:
            assert isinstance(events, StepEvents)
            events.since = self._since
            self._since = self._longer(events)
        return events

    def _longer(self, step: StepEvents) -> History:
        """The steps since nothing was under way, with the one that was made just now."""
        if not is_inside(self._variant, self._row):
            return ()
        if self._since is None or len(self._since) == MOST_STEPS:
            return None
        return (*self._since, step.trail)

    def _steps(self) -> History:
        return self._since

    def _came_by(self, since: History) -> None:
        self._since = since

    def copy(self) -> Self:
        twin = super().copy()
        twin._since = self._since
        return twin

    def _put(self, row: Row, choices: Sequence[Choice]) -> Self:
        self._since = None if is_inside(self._variant, row) else ()
        return super()._put(row, choices)

    def _take(self, other: BaseState) -> None:
        assert isinstance(other, _WaitingState)
        self._since = other._since
        super()._take(other)
