"""A ruleset ready to be played: it starts and restores states."""

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
from ruleforge.engine.chain_report import beginning
from ruleforge.engine.errors import StartError
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
    """Where the rules of a game came from, so that another process can find them again."""

    def reopen(self, digest: str, key: str) -> Game:
        """The very game of this key if it is still in use here, else one with rules of this digest.

        RestoreError if they are others now.
        """


class Game:
    """The rules of one game; what is needed for a number of players and a set of options is made when they play."""

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
        """What the host grants these rules."""
        return self.compiled.ceilings

    @property
    def digest(self) -> str:
        """A hash of the rules' content: saved games belong to it."""
        return self.info.digest

    def start(
        self,
        players: int | None = None,
        seed: int = 0,
        options: Mapping[str, OptionValue] | None = None,
        chance: Chance = "sampled",
        begin: Beginning | None = None,
    ) -> State:
        """A new game, run to its first decision. With `chance="explicit"` dice are decisions of `chance`.

        With `begin`, a phase or `(phase, player)`, it waits after the set-up for one choice, `begin`; then the flow
        begins there. Until then the position can be made another: `state.patched(...)`.
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
        """The state that `state.save()` gave this text for; RestoreError says what does not fit."""
        return codec.restore(self, text)

    def playout(self, state: State, rng: random.Random | int) -> Outcome:
        """How a game ends that goes on from a state with uniformly random choices; the state stays as it is.

        PlayError if it does not end within the decisions that the host grants.
        """
        return state._playout(rng, self.compiled.ceilings.decisions)

    def playouts(
        self, state: State, games: int = 1000, seed: int = 0, most: int = 10_000, measure: Sequence[str] = ()
    ) -> Playouts:
        """Play many random games from a state, which stays as it is; each of `most` decisions at most.

        The same seed gives the same games on every backend; the dice of each game are its own. Where packs are
        observed, `violations` say in how many games each breach of the contract occurred. `measure` are names of
        events, actions and rules, which are counted, and expressions, worked out at the end of each game: see
        `measured` of the result.
        """
        variant = state._variant
        plan = Plan(seed, 0, games, most, watch=bool(variant.program.breaches), alike=True)
        runtime = variant.measuring(tuple(measure))
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
        """So many new games that are stepped together, for learners; each is cut short after `most` decisions.

        With `reset` a game that is over is followed at once by the next one of its lane. The same seed and choices
        give the same games on every backend.
        """
        for name, value, low in (("size", size, 1), ("most", most, 1), ("seed", seed, None)):
            check_number(name, value, low)
        states = self._states_of(self.compiled.setup(players, options, chance))
        try:
            return Batch(states, states._variant.lanes(Terms(size, seed, most, reset)), size)
        except OutOfRoom as problem:
            raise StartError("RF843", str(problem)) from None

    def simulated(
        self,
        plan: Plan,
        players: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        measure: Sequence[str] = (),
    ) -> Iterator[Playouts]:
        """What the games of a plan come to, each from its set-up, some games at a time."""
        program = self.variant(self.compiled.setup(players, options)).measuring(tuple(measure)).program
        for records in self.recorded(replace(plan, alike=True), players, options, measure):
            yield counted(program, (records,))

    def recorded(
        self,
        plan: Plan,
        players: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        measure: Sequence[str] = (),
    ) -> Iterator[Records]:
        """The same as bare records, in the order of the games unless the plan says `alike`; see `results`."""
        runtime = self.variant(self.compiled.setup(players, options)).measuring(tuple(measure))
        nothing: Row = []
        yield from runtime.playouts(nothing, replace(plan, set_up=True))

    def variant(self, setup: Setup) -> Variant:
        """What all states of a setup share."""
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
