"""Program -> between which numbers each word of a frame lies, as far as the rules that fill it say so.

Rows from outside are held against it. It never says less than what can happen: a saved game is not refused for a word
that is only hard to foresee.
"""

from __future__ import annotations

from ruleforge.analysis.intervals import ZERO, Interval
from ruleforge.analysis.ranges import Ranges
from ruleforge.compiler import ir
from ruleforge.engine.written_words import written_words


class StackRanges:
    """The ranges of the words of all frames of a program."""

    def __init__(self, program: ir.Program) -> None:
        self.bounds: dict[str, tuple[tuple[int, int], ...]] = {}  # of loops, by function: see stacked.py
        self._ranges = Ranges(program)
        self._ranges.settle()
        self._written: dict[str, tuple[frozenset[int], ...]] = {}

    def word(self, function: ir.PausedFunction, local: str, block: int) -> Interval:
        """What a local, or an element of one, can be where its function goes on with a block.

        What is not needed any more is 0, and so is what was not needed yet.
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
