"""A ruleset ready to be played: it starts and restores states."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, cast

from ruleforge.backends.api import Backend, Row
from ruleforge.backends.faults import Trapped
from ruleforge.backends.playouts import Plan
from ruleforge.compiler.ir import OUTCOME, Program
from ruleforge.engine import codec
from ruleforge.engine.choice import Choice
from ruleforge.engine.errors import StartError
from ruleforge.engine.faults import refused_by_fault
from ruleforge.engine.outcome import Outcome
from ruleforge.engine.playouts import Playouts, counted
from ruleforge.engine.requirements import Questions
from ruleforge.engine.state import State, bound_state
from ruleforge.engine.variant import Variant
from ruleforge.names import did_you_mean, listed

OptionValue = int | str | bool
ProgramMaker = Callable[[int, dict[str, OptionValue], bool], Program]
QuestionMaker = Callable[[int, dict[str, OptionValue]], Questions]


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """Something fixed when a game starts: one of `values`, a number in `low..high`, or a flag."""

    name: str
    default: OptionValue
    values: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None
    text: str = ""

    def check(self, value: object) -> OptionValue:
        """The value if it fits, else a StartError that says what would."""
        if self.values:
            fits = value in self.values
        elif self.low is None or self.high is None:
            fits = isinstance(value, bool)
        else:
            fits = isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high
        if not fits:
            raise StartError("RF841", f"the option `{self.name}` is {self.range_text()}, not `{value}`")
        return cast(OptionValue, value)

    def range_text(self) -> str:
        if self.values:
            return listed(self.values)
        return "true or false" if self.low is None else f"a number from {self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class BoardInfo:
    """A kind whose things lie on a grid: `cells` maps (column, row), both from 1, to the thing's name."""

    kind: str
    shape: str
    columns: int
    rows: int
    cells: Mapping[tuple[int, int], str]
    north_first: bool = False


@dataclass(frozen=True, slots=True)
class GameInfo:
    """What is known of a ruleset without compiling it."""

    id: str
    title: str
    version: str
    text: str
    players: tuple[int, int]
    options: tuple[OptionInfo, ...]
    digest: str
    boards: tuple[BoardInfo, ...] = ()
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # what the author says about a name


class Game:
    """The rules of one game; a program for each number of players and set of options is made when needed."""

    def __init__(
        self, info: GameInfo, make_program: ProgramMaker, backend: Backend, make_questions: QuestionMaker
    ) -> None:
        self.info = info
        self._make_program = make_program
        self._make_questions = make_questions
        self._backend = backend
        self._variants: dict[tuple[object, ...], tuple[Variant, type[State]]] = {}

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
    def digest(self) -> str:
        """A hash of the rules' content: saved games belong to it."""
        return self.info.digest

    def start(
        self,
        players: int | None = None,
        seed: int = 0,
        options: Mapping[str, OptionValue] | None = None,
        chance: Literal["sampled", "explicit"] = "sampled",
    ) -> State:
        """A new game, run to its first decision. With `chance="explicit"` dice are decisions of `chance`."""
        if chance not in ("sampled", "explicit"):
            raise StartError("RF841", f"`chance` is sampled or explicit, not `{chance}`")
        if not isinstance(seed, int) or isinstance(seed, bool):
            raise StartError("RF841", f"the seed is a whole number, not {seed!r}")
        variant = self._variant(self.info.players[0] if players is None else players, options or {}, chance)
        try:
            row = variant.runtime.new_row(seed)
            choices = variant.runtime.listing(row)
        except Trapped as trapped:
            raise refused_by_fault(variant, trapped, None) from None
        return self._state(variant, row, choices)

    def restore(self, text: str) -> State:
        """The state that `state.save()` gave this text for; RestoreError says what does not fit."""
        return codec.restore(self, text)

    def playout(self, state: State, rng: random.Random | int) -> Outcome:
        """Play a state to its end with uniformly random choices, in place."""
        return state._outcome() if state._row[OUTCOME] else state._playout(rng)

    def playouts(self, state: State, games: int = 1000, seed: int = 0, most: int = 10_000) -> Playouts:
        """Play many random games from a state, which stays as it is; each of `most` decisions at most.

        The same seed gives the same games on every backend; the dice of each game are its own.
        """
        plan = Plan(seed, 0, games, most)
        return counted(state._variant.program, state._variant.runtime.playouts(state._row, plan))

    def simulated(
        self, plan: Plan, players: int | None = None, options: Mapping[str, OptionValue] | None = None
    ) -> Iterator[Playouts]:
        """What the games of a plan come to, each from its set-up, some games at a time."""
        variant = self._variant(
            self.info.players[0] if players is None else players, options or {}, "sampled"
        )
        nothing: Row = []
        for records in variant.runtime.playouts(nothing, replace(plan, set_up=True)):
            yield counted(variant.program, (records,))

    def __repr__(self) -> str:
        return f"<Game {self.id} {self.version}>"

    def _state(self, variant: Variant, row: Row, choices: Sequence[Choice]) -> State:
        kind = self._state_class(variant)
        return kind()._put(row, choices)

    def _state_class(self, variant: Variant) -> type[State]:
        return self._variants[_key(variant.players, variant.options, variant.chance)][1]

    def _variant(self, players: int, options: Mapping[str, object], chance: str) -> Variant:
        low, high = self.info.players
        if not isinstance(players, int) or isinstance(players, bool) or not low <= players <= high:
            wanted = f"{low}" if low == high else f"{low} to {high}"
            raise StartError("RF840", f"`{self.id}` is for {wanted} players, not {players}")
        chosen = self._options(options)
        key = _key(players, chosen, chance)
        if key not in self._variants:
            program = self._make_program(players, chosen, chance == "explicit")
            variant = Variant(self, program, self._backend, players, chosen, chance)
            self._variants[key] = (variant, bound_state(variant))
        return self._variants[key][0]

    def _options(self, given: Mapping[str, object]) -> dict[str, OptionValue]:
        known = {option.name: option for option in self.info.options}
        for name in given:
            if name not in known:
                hint = did_you_mean(str(name), known)
                raise StartError(
                    "RF841", f"`{self.id}` has no option `{name}`" + (f"; {hint}" if hint else "")
                )
        return {name: known[name].check(given.get(name, known[name].default)) for name in known}


def _key(players: int, options: Mapping[str, OptionValue], chance: str) -> tuple[object, ...]:
    return (players, chance, *((name, type(value), value) for name, value in options.items()))
