"""Games of one program that are stepped together: the interface of every backend, and a plain
implementation.

Lane k plays games k, k + lanes, k + 2 lanes ... of a seed, each with the generator of the playouts
(`playouts.py`). A lane whose generator chooses therefore plays exactly the games of the playouts.
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

# The words about a lane: the number of the choice that is made next (or DRAWN, WAIT, NEXT), who decides (NOBODY: the
# game is over), at which site, how many choices there are (below 0: -1 - fault, before anybody could choose) and where
# in the list of all lanes they begin, whether the last step ended a game, decisions made in the game under way, its
# number, its generator, and the record (`playouts.py`) of the last game that ended.
PICK, WHO, SITE, COUNT, FIRST, OVER, MADE, GAME, GENERATOR = range(9)
RECORD = GENERATOR + 2
NOBODY = -1
DRAWN, WAIT, NEXT = -1, -2, -3  # picks that are no choice: one drawn, none for now, the next game begins


@dataclass(frozen=True, slots=True)
class Terms:
    """The parameters of a vectorised environment: number of lanes, seed, and `most` decisions for each game.

    `again`: the next game of a lane starts as soon as one is over.
    """

    lanes: int
    seed: int
    most: int
    again: bool


def head_size(program: ir.Program) -> int:
    """Words about a lane."""
    return RECORD + record_size(program)


class VectorEnv(Protocol):
    """Rows that are stepped together, with their lists of choices."""

    program: ir.Program  # with its observation

    def heads(self) -> Records:
        """The words about all lanes, one lane behind the other."""

    def codes(self) -> Records:
        """The choices of all lanes, one list behind the other."""

    def step(self, picks: Sequence[int]) -> int:
        """Make a choice in each lane that is not over. A number that a list does not have changes nothing: its lane.

        -1 if all is well.
        """

    def restart(self) -> None:
        """Begin the next game in every lane."""

    def row(self, lane: int) -> Sequence[int]:
        """The words of a lane's row."""

    def observed(self, viewers: Sequence[int]) -> Records:
        """The observation of a player for each lane. A viewer of 0 gives HIDDEN throughout."""

    def observed_row(self, row: Sequence[int], viewer: int) -> Records:
        """The observation of any row of the program for a player. The first lane is overwritten."""


class Stepwise:
    """Lanes for any runtime, which are stepped one after the other."""

    def __init__(self, runtime: Runtime, program: ir.Program, terms: Terms) -> None:
        self.program = program
        self._runtime, self._terms = runtime, terms
        self._lanes = [_Lane(runtime, terms, number) for number in range(terms.lanes)]

    def heads(self) -> Records:
        heads, first = array("i"), 0
        for lane in self._lanes:
            heads.extend(lane.head(first))
            first += len(lane.codes)
        return heads

    def codes(self) -> Records:
        return array("i", [code for lane in self._lanes for code in lane.codes])

    def step(self, picks: Sequence[int]) -> int:
        for number, (lane, pick) in enumerate(zip(self._lanes, picks, strict=True)):
            if lane.codes and pick >= len(lane.codes):
                return number
        for lane, pick in zip(self._lanes, picks, strict=True):
            lane.step(pick)
        return -1

    def restart(self) -> None:
        for lane in self._lanes:
            lane.begin()

    def row(self, lane: int) -> Sequence[int]:
        return list(self._lanes[lane].row[: self.program.row_size])

    def observed(self, viewers: Sequence[int]) -> Records:
        found = array("i")
        for lane, viewer in zip(self._lanes, viewers, strict=True):
            found.extend(self._observed(lane, viewer))
        return found

    def _observed(self, lane: _Lane, viewer: int) -> Sequence[int]:
        if viewer <= 0 or lane.fault is not None:
            return [HIDDEN] * observation_size(self.program)
        return self.observed_row(lane.row, viewer)

    def observed_row(self, row: Sequence[int], viewer: int) -> Records:
        """By the plain interpreter, which gives what a function offers."""
        run = self._interpreter.run(list(row[: self.program.row_size]))
        run.call(OBSERVATION, (viewer,))
        return array("i", run.offers)

    @cached_property
    def _interpreter(self) -> reference.Interpreter:
        return reference.compile(self.program)


class _Lane:
    """Plays one game after the other."""

    def __init__(self, runtime: Runtime, terms: Terms, number: int) -> None:
        self.runtime, self.terms = runtime, terms
        self.plan = Plan(terms.seed, 0, 0, terms.most, set_up=True)
        self.number = number - terms.lanes
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
        self.number += self.terms.lanes
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
