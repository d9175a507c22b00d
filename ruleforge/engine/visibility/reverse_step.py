"""`ReverseStep` finds the row before the answers that led to an unfinished action, and those answers.

A row does not record its history. But each frame holds the point where its function continues. The search
finds the questions that may come just before this point, and tests whether an answer leads to the present
frames. It does not undo other changes of the answer: a viewer who does not know the answer sees none of them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ruleforge.analysis.dataflow import reach
from ruleforge.backends.api import words
from ruleforge.backends.faults import Trapped
from ruleforge.compiler.ir import (
    FRAME_FUNCTION,
    FRAME_LOCALS,
    FRAME_PC,
    SITE,
    SP,
    WHO,
    Const,
    FrameLoad,
    Goto,
    PausedFunction,
    Program,
    Push,
    Wait,
)
from ruleforge.compiler.visit import statements
from ruleforge.engine.frame_check import is_stacked
from ruleforge.engine.visibility.frames import frames, offset_of
from ruleforge.support.records import dataclass

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant

Words = list[int]
BITS = 31  # things of a set in a word
TRIED = 100  # ways, at most, to fill in what a frame has lost


@dataclass(frozen=True, slots=True)
class Given:
    """An answer, and the row in which it was given."""

    row: Words
    code: int


class ReverseStep:
    """Goes back in the rows of one variant."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._program: Program = variant.program

    def before(self, row: Words) -> tuple[Given, ...] | None:
        """The last answer before a row, or all of them that took a set; None if it cannot be said what it was."""
        for row_before in self._rows_before(row):
            found = self._answers(row_before, row)
            if found is not None:
                return found
        return None

    def with_frames(self, row: Words, other: Sequence[int]) -> Words:
        """A row that waits with the frames of another one."""
        moved = [*row[: self._program.stack], *other[self._program.stack : self._program.row_size]]
        for slot in self._moving:
            moved[slot] = other[slot]
        return moved

    @property
    def _moving(self) -> tuple[int, ...]:
        """The words that go with the frames: what is asked, of whom, and who is told of it."""
        secret_action = self._program.secret_action
        return (SITE, WHO, SP, *((secret_action, secret_action + 1) if secret_action else ()))

    def _same(self, one: Sequence[int], other: Sequence[int]) -> bool:
        where = slice(self._program.stack, self._program.row_size)
        return list(one[where]) == list(other[where]) and all(one[n] == other[n] for n in self._moving)

    # --- what may have been asked before ---

    def _rows_before(self, row: Words) -> Iterator[Words]:
        """Rows that wait for an answer which may lead here, the innermost frame first."""
        above: PausedFunction | None = None
        for frame, function in frames(self._program, row):
            pc = row[frame + FRAME_PC]
            for wait in _waits(function):
                if self._leads(function, wait, row[SITE], pc, above):
                    yield from self._waiting(row, frame, function, wait)
            above = function

    def _leads(
        self, function: PausedFunction, wait: Wait, site: int, pc: int, above: PausedFunction | None
    ) -> bool:
        """Whether behind a question the one is met that waits now, or the function is run that waits above."""
        if wait.site == site and above is None and not self._program.sites[site].gathered:
            return False
        for block in _reached(function, wait.block):
            for s in statements(function.blocks[block]):
                match s:
                    case Wait(site=at, block=then) if above is None and (at, then) == (site, pc):
                        return True
                    case Push(function=name, block=then) if above is not None:
                        if (name, then) == (above.name, pc):
                            return True
        return False

    def _waiting(self, row: Words, frame: int, function: PausedFunction, wait: Wait) -> Iterator[Words]:
        """The row with this frame on top, in wait. If the deciding player is lost, every player is possible."""
        begun = self._begun(row, frame, function, wait)
        ranges = self._variant.stack_ranges
        known = ((at, ranges.word(function, name, wait.block)) for name, at in function.saved.items())
        lost = [(frame + at, given.numbers()) for at, given in known if given.low > begun[frame + at] == 0]
        if math.prod(len(values) for _, values in lost) > TRIED:
            return
        for found in itertools.product(*(values for _, values in lost)):
            earlier = list(begun)
            for (at, _), value in zip(lost, found, strict=True):
                earlier[at] = value
            self._ask(earlier, frame, wait)
            if is_stacked(self._program, earlier, ranges):
                yield earlier

    def _ask(self, earlier: Words, frame: int, wait: Wait) -> None:
        """Say who is asked."""
        row_before: object = wait.who
        match row_before:
            case FrameLoad(offset=at, index=None):
                earlier[WHO] = earlier[frame + at]
            case Const(value=who):
                earlier[WHO] = who

    def _begun(self, row: Words, frame: int, function: PausedFunction, wait: Wait) -> Words:
        """The row before anything was put into the frame since."""
        program, earlier = self._program, list(row)
        site = program.sites[wait.site]
        end = frame + function.frame_size
        earlier[end:] = [0] * (len(earlier) - end)
        earlier[SP], earlier[SITE], earlier[frame + FRAME_PC] = frame, wait.site, wait.block
        here = FRAME_LOCALS + len(function.parameters)
        filled = set[int]()
        for name in function.filled[wait.block] - {*function.parameters}:
            at = function.saved[name]
            filled.update(range(at, at + function.arrays.get(name, 1)))
        for at in range(here, function.frame_size):
            if at not in filled:
                earlier[frame + at] = 0
        if site.gathered is not None:
            for name in (*site.gathered.bits, site.gathered.taken):
                earlier[frame + offset_of(function, name)] = 0
            earlier[frame + offset_of(function, site.gathered.going)] = 1
        if program.secret_action and any(option.action is not None for option in site.options):
            earlier[program.secret_action : program.secret_action + 2] = [0, 0]
        return earlier

    # --- which answer leads here ---

    def _answers(self, row_before: Words, row: Words) -> tuple[Given, ...] | None:
        if row_before == row:
            return None
        if self._program.sites[row_before[SITE]].gathered:
            return self._taken(row_before, row)
        try:
            codes = list(self._variant.runtime.codes(self._variant.runtime.attach(list(row_before))))
        except Trapped:
            return None
        for code in codes:
            after = self._after(row_before, code)
            if after is not None and self._same(after, row):
                return (Given(row_before, code),)
        return None

    def _taken(self, row_before: Words, row: Words) -> tuple[Given, ...] | None:
        """The members of a set one by one, and `done` if that was said."""
        site = self._program.sites[row_before[SITE]]
        function = self._program.paused[row_before[row_before[SP] + FRAME_FUNCTION]]
        assert function is not None
        assert site.gathered is not None
        bits = [row[row_before[SP] + offset_of(function, name)] for name in site.gathered.bits]
        members = [BITS * n + at for n, word in enumerate(bits) for at in range(BITS) if word >> at & 1]
        given: list[Given] = []
        now = row_before
        for code in (*members, site.options[1].first):
            given.append(Given(now, code))
            after = self._after(now, code)
            if after is None:
                return None
            if self._same(after, row):
                return tuple(given)
            now = after
        return None

    def _after(self, row: Words, code: int) -> Words | None:
        """The row with the frames as they are after an answer; None if the rules stop, or no question follows."""
        runtime = self._variant.runtime
        attached = runtime.attach(list(row))
        try:
            if not runtime.resume_codes(attached, code):
                return None
        except Trapped:
            return None
        return self.with_frames(row, words(attached, self._program))


def _waits(function: PausedFunction) -> tuple[Wait, ...]:
    found = (s for block in function.blocks for s in statements(block) if isinstance(s, Wait))
    return tuple({(wait.site, wait.block): wait for wait in found}.values())


def _reached(function: PausedFunction, block: int) -> set[int]:
    """The blocks that are come to without a question of this function."""

    def behind(number: int) -> Iterator[int]:
        return (s.block for s in statements(function.blocks[number]) if isinstance(s, Goto | Push))

    return {*reach([block], behind)}
