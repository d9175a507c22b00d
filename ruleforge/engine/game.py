"""`Game` is a ruleset ready for play: it starts and restores states."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol
from uuid import uuid4

from ruleforge.backends.api import Row, words
from ruleforge.backends.artifacts.compiled import Compiled
from ruleforge.backends.artifacts.info import GameInfo, OptionValue
from ruleforge.backends.artifacts.setup import Beginning, Chance, Setup
from ruleforge.backends.faults import OutOfRoom, Trapped
from ruleforge.backends.playouts import Plan, Records
from ruleforge.backends.vector_env import Terms
from ruleforge.compiler.ir import RUNAWAY
from ruleforge.engine import codec
from ruleforge.engine.batch import Batch
from ruleforge.engine.bound_state import bound_state
from ruleforge.engine.errors import StartError
from ruleforge.engine.faults import beginning
from ruleforge.engine.outcome import Outcome
from ruleforge.engine.playouts import Playouts, counted
from ruleforge.engine.state import State
from ruleforge.engine.variant import Variant
from ruleforge.support.ceilings import Ceilings


def check_number(name: str, value: object, low: int | None = None) -> None:
    """StartError unless it is a whole number, and not too small."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise StartError("RF841", f"the {name} is a whole number, not {value!r}")
    if low is not None and value < low:
        raise StartError("RF841", f"the {name} is {low} at least, not {value}")


class Origin(Protocol):
    """The source of a game's rules, from which another process can load them again."""

    def reopen(self, digest: str, key: str) -> Game:
        """The very game of this key if it is still in use here, else one with rules of this digest.

        RestoreError if they are others now.
        """


class Game:
    """The rules of one game. Programs for a number of players and a set of options are compiled on first use."""

    def __init__(self, compiled: Compiled, origin: Origin) -> None:
        self.compiled = compiled
        self.origin = origin
        self.key = uuid4().hex  # of this object: rules that are loaded twice make two games
        self._states: dict[Setup, type[State]] = {}

    @property
    def info(self) -> GameInfo:
        return self.compiled.info

    @property
    def id(self) -> str:
        return self.info.id

    @property
    def title(self) -> str:
        return self.info.title

    @property
    def version(self) -> str:
        return self.info.version

    @property
    def ceilings(self) -> Ceilings:
        """The limits of the host for these rules."""
        return self.compiled.ceilings

    @property
    def digest(self) -> str:
        """A hash of the rules. A saved game fits only rules with the same hash."""
        return self.info.digest

    def start(
        self,
        players: int | None = None,
        seed: int = 0,
        options: Mapping[str, OptionValue] | None = None,
        chance: Chance = "sampled",
        begin: Beginning | None = None,
    ) -> State:
        """Start a new game and run it to its first decision. With `chance="explicit"` dice are decisions of `chance`.

        With `begin`, a phase or `(phase, player)`, the game waits after the set-up for one choice, `begin`. Then the
        flow starts at that phase. Before that choice, `state.patched(...)` can change the position.
        """
        check_number("seed", seed)
        states = self._states_of(self.compiled.setup(players, options, chance, begin))
        variant = states._variant
        try:
            row = variant.runtime.new_row(seed)
            choices = variant.runtime.listing(row)
        except (Trapped, RecursionError) as problem:
            trapped = problem if isinstance(problem, Trapped) else Trapped(RUNAWAY)
            raise variant.refusal(trapped, None, beginning(variant.program, seed)) from None
        return states._of_row(row, choices)

    def restore(self, text: str) -> State:
        """The state of a text from `state.save()`. RestoreError gives the reason if the text does not fit."""
        return codec.restore(self, text)

    def playout(self, state: State, rng: random.Random | int) -> Outcome:
        """The outcome of random play from a state. The state does not change.

        PlayError if the playout does not end within the decisions that the host allows.
        """
        return state._playout(rng, self.compiled.ceilings.decisions)

    def playouts(
        self, state: State, games: int = 1000, seed: int = 0, most: int = 10_000, measure: Sequence[str] = ()
    ) -> Playouts:
        """Play many random games from a state, each of at most `most` decisions. The state does not change.

        The same seed gives the same games on every backend. Each game has its own dice. With observed packs,
        `violations` counts the games with each breach of the contract. `measure` names events, actions and rules to
        count, and expressions to evaluate at the end of each game. The result has them as `measured`.
        """
        variant = state._variant
        plan = Plan(seed, 0, games, most, watch=bool(variant.program.breaches), alike=True)
        runtime = variant.special.measuring(tuple(measure))
        row = state._row if runtime is variant.runtime else runtime.attach(words(state._row, variant.program))
        return counted(runtime.program, runtime.playouts(row, plan))

    def batch(
        self,
        size: int,
        seed: int = 0,
        players: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        chance: Chance = "sampled",
        *,
        most: int = 10_000,
        reset: bool = True,
    ) -> Batch:
        """New games that advance together, for reinforcement learning. Each is truncated after `most` decisions.

        With `reset` a finished game is replaced by the next game of its environment. The same seed and choices give
        the same games on every backend.
        """
        for name, value, low in (("size", size, 1), ("most", most, 1), ("seed", seed, None)):
            check_number(name, value, low)
        states = self._states_of(self.compiled.setup(players, options, chance))
        try:
            return Batch(states, states._variant.special.vector_env(Terms(size, seed, most, reset)), size)
        except OutOfRoom as problem:
            raise StartError("RF843", str(problem)) from None

    def simulated(
        self,
        plan: Plan,
        players: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        measure: Sequence[str] = (),
    ) -> Iterator[Playouts]:
        """The outcomes of the games of a plan, a few games at a time."""
        program = (
            self.variant(self.compiled.setup(players, options)).special.measuring(tuple(measure)).program
        )
        for records in self.recorded(replace(plan, alike=True), players, options, measure):
            yield counted(program, (records,))

    def recorded(
        self,
        plan: Plan,
        players: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        measure: Sequence[str] = (),
    ) -> Iterator[Records]:
        """The same outcomes as bare records, in the order of the games unless the plan says `alike`."""
        runtime = self.variant(self.compiled.setup(players, options)).special.measuring(tuple(measure))
        nothing: Row = []
        yield from runtime.playouts(nothing, replace(plan, set_up=True))

    def variant(self, setup: Setup) -> Variant:
        """The compiled rules that all states of one set-up share."""
        return self._states_of(setup)._variant

    def _states_of(self, setup: Setup) -> type[State]:
        """The class of a setup's states, made when the first one is wanted."""
        known = self._states.get(setup)
        if known is None:
            known = self._states[setup] = bound_state(self, Variant(self.compiled, setup))
        return known

    def __reduce__(self) -> tuple[object, ...]:
        return self.origin.reopen, (self.digest, self.key)

    def __deepcopy__(self, _: object) -> Game:
        return self  # rules do not change

    def __repr__(self) -> str:
        return f"<Game {self.id} {self.version}>"
