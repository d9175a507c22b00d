"""`StackRanges` gives the range of each word of a frame, from the rules that surely write it before a block.

The engine checks untrusted rows against it. A range is never too small: the engine does not refuse a saved
game because a word is hard to predict.
"""

from __future__ import annotations

from collections.abc import Callable

from ruleforge.analysis.dataflow import Solver
from ruleforge.analysis.intervals import ZERO, Interval
from ruleforge.analysis.ranges import Ranges
from ruleforge.compiler import ir
from ruleforge.compiler.ir import (
    FRAME_LOCALS,
    Body,
    Const,
    Finish,
    FrameStore,
    Goto,
    If,
    PausedFunction,
    Push,
    Return,
    Trap,
    Wait,
)

Words = frozenset[int]


class StackRanges:
    """The ranges of the words of all frames of a program."""

    def __init__(self, program: ir.Program) -> None:
        self.bounds: dict[str, tuple[tuple[int, int], ...]] = {}  # of loops; see `frame_check.py`
        self._ranges = Ranges(program)
        self._ranges.settle()
        self._written: dict[str, tuple[frozenset[int], ...]] = {}

    def word(self, function: ir.PausedFunction, local: str, block: int) -> Interval:
        """The range of a local, or of an element of one, at the block where its function continues.

        A local that is no longer needed, or not yet needed, is 0.
        """
        if local not in function.parameters and local not in function.filled[block]:
            return ZERO
        found = self._ranges.within(function.name, ir.Local(local))
        sure = local not in function.arrays and function.saved[local] in self._surely(function)[block]
        return found if sure else found.join(ZERO)

    def _surely(self, function: ir.PausedFunction) -> tuple[frozenset[int], ...]:
        if function.name not in self._written:
            self._written[function.name] = written_words(function)
        return self._written[function.name]


# The words of a waiting function's frame that are surely written at the start of each block. A word that is
# no longer needed is set to 0, so writing a 0 does not count.


def written_words(function: PausedFunction) -> tuple[Words, ...]:
    """For each block the words that hold what the function or its caller put there, whichever way it came."""
    return _Following(function).blocks()


class _Following:
    def __init__(self, function: PausedFunction) -> None:
        self._function = function
        self._solver: Solver[int, Words | None] = Solver(self._followed, None, _in_both)

    def blocks(self) -> tuple[Words, ...]:
        handed = range(FRAME_LOCALS, FRAME_LOCALS + len(self._function.parameters))
        self._solver.raise_to(0, frozenset(handed))
        self._solver.solve([0])
        known = self._solver.facts
        return tuple(known.get(number) or frozenset() for number in range(len(self._function.blocks)))

    def _followed(self, number: int, read: Callable[[int], Words | None]) -> None:
        """Hand on what is written to the blocks behind one; nothing comes to it but from those before it."""
        written = read(number)
        if written is not None:
            self._body(self._function.blocks[number], written)

    def _body(self, body: Body, written: Words) -> Words | None:
        """The words written after a body; None if the body never ends."""
        for statement in body:
            match statement:
                case FrameStore(offset=offset, index=None, value=value):
                    written = written - {offset} if value == Const(0) else written | {offset}
                case If(then=then, other=other):
                    sides = [self._body(side, written) for side in (then, other)]
                    going_on = [side for side in sides if side is not None]
                    if not going_on:
                        return None
                    written = frozenset.intersection(*going_on)
                case Goto(block=block) | Wait(block=block) | Push(block=block):
                    self._solver.raise_to(block, written)
                    return None
                case Return() | Finish() | Trap():
                    return None
        return written


def _in_both(one: Words | None, other: Words | None) -> Words | None:
    """The words written on both branches; None if neither branch continues."""
    if one is None or other is None:
        return one if other is None else other
    return one & other
