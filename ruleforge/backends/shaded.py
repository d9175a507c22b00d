"""A run of the plain interpreter that knows of each value how much of it somebody knows who does not see everything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any

from ruleforge.backends.api import Row
from ruleforge.backends.faults import Trapped
from ruleforge.backends.reference import Interpreter, Method, _Run
from ruleforge.compiler import ir
from ruleforge.compiler.passes.numbers import COMPARISONS
from ruleforge.quick import dataclass


@dataclass(frozen=True, slots=True)
class Veil:
    """What somebody does not see of a row: words of attributes, and words that say where things lie.

    With a word that says where one thing lies come the containers that are possible for all they know. `open`: those
    in which they see everything. How many things lie anywhere is no secret.
    """

    words: frozenset[int]
    lying: Mapping[int, tuple[int, ...]]
    open: frozenset[int]
    shows: frozenset[int] = frozenset()  # words in which they would see a change


class Shade(IntEnum):
    """What is known of a value: all; that it is one of several unseen things, of which is known how many; nothing."""

    CLEAR = 0
    BLIND = 1
    DARK = 2


CLEAR, BLIND, DARK = Shade
NONE: frozenset[int] = frozenset()
# In these one of several unseen things is still one of them.
HANDED_ON = (ir.Local, ir.Load, ir.CallExpr, ir.Binary)


class ShadedRun(_Run):
    """Works out expressions. Of the one at hand `shade` tells the darkest value it has met, and `met` which words it
    has met that say where an unseen thing lies: it may be the same for all places where that can be."""

    def __init__(self, machine: Interpreter, row: Row, veil: Veil) -> None:
        super().__init__(machine, row)
        self.veil = veil
        self.dark = set(veil.words)  # words of the row, frames among them
        self.names: dict[str, Shade] = {}  # locals of the running function
        self.shade = CLEAR
        self.met: frozenset[int] = NONE

    @staticmethod
    def looked_at(work_out: Method) -> Method:
        def shaded(run: ShadedRun, node: Any) -> Any:
            outer, run.shade = run.shade, CLEAR
            value = work_out(run, node)
            if run.shade is BLIND and type(node) not in HANDED_ON:
                run.shade = DARK
            run.shade = max(run.shade, outer)
            return value

        return shaded

    def judged(self, node: Any) -> tuple[int, Shade]:
        """What an expression gives, and how much of that is known."""
        outer, self.shade, self.met = (self.shade, self.met), CLEAR, NONE
        value = self.value(node)
        shade = DARK if self.met else self.shade
        self.shade, self.met = outer
        return value, shade

    def cleared(self, node: Any, work_out: Callable[[Any], int]) -> int:
        """What an expression gives; where a thing lies that it has met is forgotten if that makes no difference."""
        outer, self.met = self.met, NONE
        value = work_out(node)
        if len(self.met) == 1 and self.same_anywhere(node, value, work_out):
            self.met = NONE
        self.met |= outer
        return value

    def same_anywhere(self, node: Any, value: int, work_out: Callable[[Any], int]) -> bool:
        """Whether an expression gives the same wherever the one thing lies whose place it has met."""
        (slot,) = self.met
        lies, worked = self.row[slot], self.row[ir.METER]
        try:
            for place in self.veil.lying[slot]:
                self.row[slot] = place
                if work_out(node) != value or self.met != {slot}:
                    return False
        except Trapped:
            return False
        finally:
            self.row[slot], self.row[ir.METER] = lies, worked
        return bool(self.veil.lying[slot])

    def is_dark(self, *nodes: Any) -> bool:
        return any(self.judged(node)[1] for node in nodes if node is not None)

    def darker(self, by: bool) -> None:
        if by:
            self.shade = DARK

    # --- expressions ---

    def of_local(self, node: ir.Local) -> int:
        self.shade = max(self.shade, self.names.get(node.name, CLEAR))
        return super().of_local(node)

    def of_element(self, node: ir.Element) -> int:
        self.darker(bool(self.names.get(node.array)))
        return super().of_element(node)

    def of_load(self, node: ir.Load) -> int:
        slot = self.slot(node.base, node.index)
        chained = slot in self.veil.lying and not self.veil.lying[slot]
        if slot in self.dark or (self.shade is BLIND and not chained):
            self.shade = DARK
        elif chained:
            self.shade = max(self.shade, BLIND)
        elif slot in self.veil.lying:
            self.met |= {slot}
        return self.row[slot]  # type: ignore[no-any-return]

    def of_frameload(self, node: ir.FrameLoad) -> int:
        slot = self.slot(self.frame + node.offset, node.index, stack=True)
        self.darker(slot in self.dark)
        return self.row[slot]  # type: ignore[no-any-return]

    def of_logic(self, node: ir.Logic) -> int:
        return self.cleared(node, super().of_logic)

    def of_binary(self, node: ir.Binary) -> int:
        if node.op in ("+", "-"):
            return super().of_binary(node)
        value = self.cleared(node, super().of_binary) if node.op in COMPARISONS else super().of_binary(node)
        if self.shade is BLIND:  # whether there is one at all is known
            self.shade = CLEAR if node.op in ("==", "!=") and ir.NOTHING in (node.left, node.right) else DARK
        return value

    def of_result(self, node: ir.Result) -> int:
        self.darker(ir.RET in self.dark)
        self.dark.discard(ir.RET)
        return super().of_result(node)

    def of_connected(self, node: ir.Connected) -> int:
        slots = range(node.base + 1, node.base + node.size + 1)
        open = self.veil.lying.keys().isdisjoint(slots) and self.dark.isdisjoint(slots)
        self.darker(not open)
        return super().of_connected(node)
