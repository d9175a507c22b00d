"""`Determinizer` samples worlds: states that agree with all that a seat knows of the true state.

A world depends only on the seat's observation and on random numbers: hidden information does not change it.
Things that look alike change places; secrets get other values, and sealed answers other answers. An action
begun in secret begins anew. Bookkeeping of the rules, which no seat sees and chance does not set, moves with
its place or thing.
"""

from __future__ import annotations

import random
from functools import cached_property
from typing import TYPE_CHECKING

from ruleforge.backends.api import words
from ruleforge.backends.faults import Trapped
from ruleforge.compiler.ir import RNG_A, RNG_B
from ruleforge.engine.errors import PlayError
from ruleforge.engine.visibility.clues import levelled
from ruleforge.engine.visibility.conditions import PUBLIC
from ruleforge.engine.visibility.deals import Deal
from ruleforge.engine.visibility.frames import possible_answers, sealed_answers
from ruleforge.engine.visibility.pending_answers import PendingAnswers, pending_answers
from ruleforge.engine.visibility.secret_values import SecretValues

if TYPE_CHECKING:
    from ruleforge.engine.state import State

TRIES = 16  # deals drawn until one keeps everything that must hold
Row = list[int]


class Determinizer:
    """The worlds of one seat in one state; made once, drawn from often."""

    def __init__(self, state: State, viewer: int) -> None:
        self._variant, self._viewer = state._variant, viewer
        self._seat = None if viewer == PUBLIC else state.players[viewer - 1]
        hides = self._variant.hides_something and state.choices
        self._way = pending_answers(state, viewer) if hides else PendingAnswers(state)
        self._state = self._way.began  # all that is said here of the state is meant of that one
        self._now = state

    def draw(self, rng: random.Random) -> State:
        """Sample one world. PlayError if no world was found in which a player has a choice."""
        if self._deals or self._secrets or self._way.shown:
            self._view, self._excused  # noqa: B018  a position that cannot be looked at has no worlds: say so at once
        if not self._way.shown:
            return self._begun(rng)
        for _ in range(TRIES):
            world = self._way.again(self._begun(rng), self._viewer, rng)
            if world is not None and self._goes_on_as_now(world):
                return world
        raise _nothing_fits()

    def _begun(self, rng: random.Random) -> State:
        row = levelled(self._variant.program, words(self._state._row, self._variant.program), self._viewer)
        self._seed(row, rng)
        row = self._dealt(self._secrets.emptied(row), rng)
        return self._checked(self._answered(self._secrets.varied(row, rng), rng))

    def _goes_on_as_now(self, world: State) -> bool:
        """Whether the present action looks to the seat in the world as it does now, and a player has a choice."""
        try:
            same = world.view(self._seat) == self._view_now
            return same and bool(world.choices) and set(world.violations()) <= self._excused
        except (Trapped, PlayError):
            return False

    @cached_property
    def _view_now(self) -> dict[str, object]:
        return self._now.view(self._seat)

    # --- what varies ---

    @cached_property
    def _secrets(self) -> SecretValues:
        row = words(self._state._row, self._variant.program)
        return SecretValues(self._variant, self._viewer, row, self._sound, self._fits)

    @cached_property
    def _deals(self) -> tuple[Deal, ...]:
        kinds = range(len(self._variant.program.kinds))
        deals = (Deal(self._state, self._viewer, kind) for kind in kinds)
        return tuple(deal for deal in deals if deal.varies)

    def _dealt(self, row: Row, rng: random.Random) -> Row:
        """Hidden things change places: all that look alike, else those of each place, else in the kind's order."""
        for deal in self._deals:
            drawn = (deal.drawn(row, rng, apart) for apart in (False, True) for _ in range(TRIES))
            found = next((other for other in drawn if self._fits(other)), None)
            row = found if found is not None else deal.in_order(row)
        return row

    def _answered(self, row: Row, rng: random.Random) -> Row:
        for answer in sealed_answers(self._variant, row):
            if answer.player != self._viewer:
                row[answer.slot] = rng.choice(possible_answers(self._variant, row, answer))
        return row

    def _seed(self, row: Row, rng: random.Random) -> None:
        if (row[RNG_A], row[RNG_B]) != (0, 0):
            row[RNG_A], row[RNG_B] = rng.randrange(-(2**31), 2**31), rng.randrange(1, 2**31)

    # --- what must hold ---

    @cached_property
    def _view(self) -> dict[str, object]:
        return self._state.view(self._seat)

    def _fits(self, row: Row) -> bool:
        """Whether the seat sees the same, choices exist as now, and the invariants that hold now still hold."""
        try:
            if not self._sound(row):
                return False
            world = self._world(row)
            return bool(world.choices) == bool(self._state.choices) and world.view(self._seat) == self._view
        except (Trapped, PlayError):
            return False

    def _sound(self, row: Row) -> bool:
        """Whether the invariants hold that hold now."""
        try:
            return set(self._unlisted(row).violations()) <= self._excused
        except (Trapped, PlayError):
            return False

    @cached_property
    def _excused(self) -> frozenset[str]:
        return frozenset(self._state.violations())

    def _world(self, row: Row) -> State:
        attached = self._variant.runtime.attach(list(row))
        return self._state.copy()._put(attached, self._variant.runtime.listing(attached))

    def _unlisted(self, row: Row) -> State:
        """A state for queries about its row; it has the choices of the present state."""
        return self._state.copy()._put(self._variant.runtime.attach(list(row)), self._state.choices)

    def _checked(self, row: Row) -> State:
        try:
            world = self._world(row)
        except Trapped:
            world = None
        if world is None or bool(world.choices) != bool(self._state.choices):
            raise _nothing_fits()
        return world


def _nothing_fits() -> PlayError:
    return PlayError("RF832", "no position that fits what is known here leaves anybody a choice")
