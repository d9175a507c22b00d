"""Games of one program that advance together: the backend interface and a plain implementation.

Environment k of n plays games k, k + n, k + 2 n ... of a seed, each with the generator of the playouts
(`playouts.py`). An environment whose generator chooses therefore plays exactly the games of the playouts.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from ruleforge.backends import reference
from ruleforge.backends.faults import Trapped
from ruleforge.backends.playouts import Game, Plan, Records, record_size
from ruleforge.backends.random32 import draw, folded, seed_words
from ruleforge.compiler import ir
from ruleforge.compiler.observation_program import HIDDEN, OBSERVATION, observation_size

if TYPE_CHECKING:
    from ruleforge.backends.api import Row, Runtime

# The words about an environment: the number of the next choice (or DRAWN, WAIT, NEXT), the deciding player (NOBODY:
# the game is over), the site, and the number of choices (below 0: -1 - fault, before the first decision). Then the
# start of its choices in the list of all environments, whether the last step ended a game, and the number of decisions
# in the current game. Then the number of that game, its generator, and the record of the last finished game.
PICK, WHO, SITE, COUNT, FIRST, OVER, MADE, GAME, GENERATOR = range(9)
RECORD = GENERATOR + 2
NOBODY = -1
DRAWN, WAIT, NEXT = -1, -2, -3  # picks that are no choice: one drawn, none for now, the next game begins


@dataclass(frozen=True, slots=True)
class Terms:
    """The parameters of a vectorised environment: number of environments, seed, and `most` decisions for each game.

    `again`: the next game of an environment starts as soon as one is over.
    """

    envs: int
    seed: int
    most: int
    again: bool


def head_size(program: ir.Program) -> int:
    """The number of words about an environment."""
    return RECORD + record_size(program)


class VectorEnv(Protocol):
    """Rows that advance together, with their lists of choices."""

    program: ir.Program  # with its observation

    def heads(self) -> Records:
        """The words about all environments, one environment behind the other."""

    def codes(self) -> Records:
        """The choices of all environments, one list behind the other."""

    def step(self, picks: Sequence[int]) -> int:
        """Make a choice in each environment that is not over; gives -1.

        A number that a list does not have changes nothing; then gives the index of its environment.
        """

    def restart(self) -> None:
        """Begin the next game in every environment."""

    def row(self, env: int) -> Sequence[int]:
        """The words of an environment's row."""

    def observed(self, viewers: Sequence[int]) -> Records:
        """The observation of a player for each environment. A viewer of 0 gives HIDDEN throughout."""

    def observed_row(self, row: Sequence[int], viewer: int) -> Records:
        """The observation of any row of the program for a player. The first environment is overwritten."""


class Stepwise:
    """Environments for any runtime, which are stepped one after the other."""

    def __init__(self, runtime: Runtime, program: ir.Program, terms: Terms) -> None:
        self.program = program
        self._runtime, self._terms = runtime, terms
        self._envs = [_Env(runtime, terms, number) for number in range(terms.envs)]

    def heads(self) -> Records:
        heads, first = array("i"), 0
        for env in self._envs:
            heads.extend(env.head(first))
            first += len(env.codes)
        return heads

    def codes(self) -> Records:
        return array("i", [code for env in self._envs for code in env.codes])

    def step(self, picks: Sequence[int]) -> int:
        for number, (env, pick) in enumerate(zip(self._envs, picks, strict=True)):
            if env.codes and pick >= len(env.codes):
                return number
        for env, pick in zip(self._envs, picks, strict=True):
            env.step(pick)
        return -1

    def restart(self) -> None:
        for env in self._envs:
            env.begin()

    def row(self, env: int) -> Sequence[int]:
        return list(self._envs[env].row[: self.program.row_size])

    def observed(self, viewers: Sequence[int]) -> Records:
        found = array("i")
        for env, viewer in zip(self._envs, viewers, strict=True):
            found.extend(self._observed(env, viewer))
        return found

    def _observed(self, env: _Env, viewer: int) -> Sequence[int]:
        if viewer <= 0 or env.fault is not None:
            return [HIDDEN] * observation_size(self.program)
        return self.observed_row(env.row, viewer)

    def observed_row(self, row: Sequence[int], viewer: int) -> Records:
        """Run the observation in the plain interpreter, which returns the offers of a function."""
        run = self._interpreter.run(list(row[: self.program.row_size]))
        run.call(OBSERVATION, (viewer,))
        return array("i", run.offers)

    @cached_property
    def _interpreter(self) -> reference.Interpreter:
        return reference.compile(self.program)


class _Env:
    """Plays one game after the other."""

    def __init__(self, runtime: Runtime, terms: Terms, number: int) -> None:
        self.runtime, self.terms = runtime, terms
        self.plan = Plan(terms.seed, 0, 0, terms.most, set_up=True)
        self.number = number - terms.envs
        self.over = False
        self.pick = 0
        self.record = array("i", [0] * record_size(runtime.program))
        self.row: Row = []
        self.begin()

    @property
    def who(self) -> int:
        return self.row[ir.WHO] if self.codes else NOBODY

    def begin(self) -> None:
        """Start the next game. If it ends before the first decision, the next step ends it."""
        self.begin_next()
        self.over = False
        if not self.codes and not self.terms.again:
            self.end()

    def begin_next(self) -> None:
        self.number += self.terms.envs
        self.ended = False
        self.generator = list(folded(seed_words(self.terms.seed), self.number))
        self.game = Game(self.runtime, self.plan, self.generator)
        self.run(lambda: self.game.first_row(self.row))

    def run(self, on: Callable[[], Row]) -> None:
        """Go on to the next choice, or to a fault."""
        self.fault: int | None = None
        self.codes: Sequence[int] = ()
        try:
            self.row = on()
            self.codes = self.runtime.codes(self.row)
        except Trapped as trapped:
            self.fault = trapped.fault

    def step(self, pick: int) -> None:
        self.pick = pick
        if pick == NEXT:
            self.begin()
        elif pick == WAIT and self.codes:
            self.over = False
        else:
            self.go_on(pick)

    def go_on(self, pick: int) -> None:
        if self.codes:
            self.over = False
            self.choose(self.codes[draw(self.generator, len(self.codes)) if pick < 0 else pick])
        elif not self.terms.again:
            return
        if not self.codes or self.game.made >= self.terms.most:
            self.end()
            if self.terms.again:
                self.begin_next()

    def choose(self, code: int) -> None:
        def resumed() -> Row:
            self.runtime.resume_codes(self.row, code)
            return self.row

        self.game.made += 1
        self.run(resumed)

    def end(self) -> None:
        """Write down how the game came out."""
        row = self.row if self.fault is not None else self.runtime.copy(self.row)
        self.record = self.game.ended(row, self.fault)
        self.over, self.ended, self.codes = True, True, ()

    def head(self, first: int) -> Sequence[int]:
        count = len(self.codes) if self.ended or self.fault is None else -1 - self.fault
        site = self.row[ir.SITE] if self.codes else 0
        own = (self.pick, self.who, site, count, first, self.over, self.game.made, self.number)
        return (*own, *self.generator, *self.record)
