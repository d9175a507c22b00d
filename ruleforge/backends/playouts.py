"""Play many random games from one row and make a record of each, the same on every backend for the same
seed.

Game k of a plan has a generator of its own, made from the seed and k. Its first number seeds the dice of the
row, the others pick from the complete list of each decision.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from ruleforge.backends.faults import Trapped
from ruleforge.backends.random32 import draw, folded, seed_words
from ruleforge.compiler import ir
from ruleforge.support.records import dataclass

if TYPE_CHECKING:
    from ruleforge.backends.api import Row, Runtime

# A record: the ending (from 1; 0: cut short; below 0: -1 - fault), winners as bits, decisions, invariants that
# did not hold as bits, how many games came out so, then the score of each player (0 unless the game ended) and what
# was measured (0 after a fault); 0 at the end if need be, so that the number of words is even.
ENDING, WINNERS, DECISIONS, BROKEN, TIMES, SCORES = range(6)
WATCHED = 31  # invariants at most that have a bit


Records: TypeAlias = "array[int]"  # signed words, one record behind the other


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan for games `first` to `last` (excluded). Each game ends after `most` decisions at the latest.

    `set_up`: each game begins with its set-up instead of the given row. `watch`: check the invariants.
    `alike`: games with the same result can share a record, and records can be in any order.
    """

    seed: int
    first: int
    last: int
    most: int
    set_up: bool = False
    watch: bool = False
    alike: bool = False


def record_size(program: ir.Program) -> int:
    """The number of words of a record."""
    return (measured_at(program) + len(program.measures) + 1) // 2 * 2


def measured_at(program: ir.Program) -> int:
    """The index of the first measure in a record."""
    return SCORES + len(program.kinds[0].things) - 1


def stepwise(runtime: Runtime, row: Row, plan: Plan) -> Iterator[Records]:
    """The records of a plan, a game at a time, for any backend."""
    seed = seed_words(plan.seed)
    for number in range(plan.first, plan.last):
        yield Game(runtime, plan, list(folded(seed, number))).play(row)


class Game:
    """One game of a plan."""

    def __init__(self, runtime: Runtime, plan: Plan, generator: list[int]) -> None:
        self.runtime, self.plan, self.generator = runtime, plan, generator
        self.seats = len(runtime.program.kinds[0].things) - 1
        self.made = self.broken = 0
        self.noted: Counter[int] = Counter()  # by note, if any is counted
        self.counts = any(m.function is None for m in runtime.program.measures)

    def play(self, start: Row) -> Records:
        try:
            row = self.play_on(self.first_row(start))
        except Trapped as trapped:
            return self.ended(start, trapped.fault)
        return self.ended(row)

    def ended(self, row: Row, fault: int | None = None) -> Records:
        """The record of a game that came to this row, or was stopped by a fault; questions run on its count of work."""
        record = array("i", [0] * record_size(self.runtime.program))
        try:
            if fault is None:
                scores = self.scores(row) if row[ir.OUTCOME] else [0] * self.seats
                result = (row[ir.OUTCOME], row[ir.WINNERS], 0, 0, 1, *scores, *self.measured(row))
                record[: len(result)] = array("i", result)
        except Trapped as trapped:
            fault, record[WINNERS] = trapped.fault, row[ir.WINNERS]
        if fault is not None:
            record[ENDING] = -1 - fault
        record[DECISIONS], record[BROKEN], record[TIMES] = self.made, self.broken, 1
        return record

    def first_row(self, start: Row) -> Row:
        seed = draw(self.generator, 1 << 31)
        if self.plan.set_up:
            return self.set_up(seed) if self.counts else self.runtime.new_row(seed)
        row = self.runtime.copy(start)
        if row[ir.RNG_A] or row[ir.RNG_B]:  # else chance is explicit
            row[ir.RNG_A], row[ir.RNG_B] = seed_words(seed)
        return row

    def set_up(self, seed: int) -> Row:
        """Like `new_row`, and count events."""
        return self.recorded(self.runtime.attach(first_words(self.runtime.program, seed)), 0)

    def recorded(self, row: Row, code: int) -> Row:
        after, notes = self.runtime.record(row, code)
        self.noted.update(note[0] for note in notes)
        return after

    def measured(self, row: Row) -> list[int]:
        return [
            sum(self.noted[note] for note in m.notes)
            if m.function is None
            else self.runtime.call(m.function, row)
            for m in self.runtime.program.measures
        ]

    def play_on(self, row: Row) -> Row:
        """The row at the end."""
        codes = self.runtime.codes(row)
        while codes and self.made < self.plan.most:
            code = codes[draw(self.generator, len(codes))]
            self.made += 1
            if self.counts:
                row = self.recorded(row, code)
                codes = self.runtime.codes(row)
            else:
                codes = self.runtime.resume_codes(row, code)
            if codes and self.plan.watch:
                self.broken |= self.violations(row)
        return row

    def violations(self, row: Row) -> int:
        invariants = self.runtime.program.invariants[:WATCHED]
        return sum((self.runtime.call(i.function, row) != 1) << bit for bit, i in enumerate(invariants))

    def scores(self, row: Row) -> list[int]:
        program = self.runtime.program
        seats = range(1, self.seats + 1)
        if program.score is not None:
            return [self.runtime.call(program.score, row, (seat,)) for seat in seats]
        won = row[ir.WINNERS]
        if won in (0, (1 << self.seats) - 1):
            return [0] * self.seats
        return [1 if won >> seat - 1 & 1 else -1 for seat in seats]


def first_words(program: ir.Program, seed: int) -> list[int]:
    """A row before its set-up."""
    words = list(program.start)
    words[ir.RNG_A], words[ir.RNG_B] = seed_words(seed)
    words[ir.SP] = program.stack
    words[program.stack] = 1
    return words


def lines(runtime: Runtime, row: Row, depth: int) -> int:
    """The number of lines of play of this many decisions, for any backend."""
    return _lines(runtime, row, runtime.codes(row), depth)


def _lines(runtime: Runtime, row: Row, codes: Sequence[int], depth: int) -> int:
    if depth == 1:
        return len(codes)
    total = 0
    for code in codes:
        twin = runtime.copy(row)
        total += _lines(runtime, twin, runtime.resume_codes(twin, code), depth - 1)
    return total
