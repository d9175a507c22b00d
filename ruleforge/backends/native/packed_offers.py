"""A loop that does nothing but offer slots -> instructions that lay four at a time, without a branch.

Of four slots those that fit make a mask; a table has the codes of each of the sixteen masks one
behind the other. All four words are written, and the end of the list moves by as many as count.
"""

from __future__ import annotations

from ruleforge.backends.native.code import V128, Code
from ruleforge.backends.native.layers.addresses import ROW
from ruleforge.backends.native.offer_scans import LANES, Line
from ruleforge.backends.native.sieve import Lanes, ask
from ruleforge.support.records import dataclass

WRITTEN_OUT = 4  # groups up to which there is no loop


@dataclass(frozen=True, slots=True)
class Packed:
    """Those of slots 1..size for which all lanes hold. `end` is a local with the end of the list."""

    code: Code
    size: int
    lanes: Lanes
    line: Line
    table: int  # the address of `masks`
    end: str

    def lay(self) -> None:
        code, at, codes = self.code, self.code.temporary(), self.code.temporary(V128)
        code.get(ROW)
        code.set(at)
        code.const(self.line.first + self.line.step)
        code.op("i32x4.splat")
        code.set(codes)
        whole, rest = divmod(self.size, LANES)
        if whole <= WRITTEN_OUT:
            for _ in range(whole):
                self._group(at, codes)
        else:
            self._groups(at, codes, whole)
        if rest:
            self._group(at, codes, rest)

    def _groups(self, at: str, codes: str, count: int) -> None:
        code, last = self.code, self.code.temporary()
        code.get(at)
        code.const(4 * LANES * count)
        code.op("i32.add")
        code.set(last)
        with code.loop() as again:
            self._group(at, codes)
            code.get(at)
            code.get(last)
            code.op("i32.ne")
            code.br_if(again)

    def _group(self, at: str, codes: str, members: int = LANES) -> None:
        """The next four slots, of which only the first may be members."""
        code, mask = self.code, self.code.temporary()
        ask(code, self.lanes, at, 0)
        code.op("i32x4.bitmask")
        if members < LANES:
            code.const((1 << members) - 1)
            code.op("i32.and")
        code.set(mask)
        code.get(self.end)
        code.get(mask)
        code.const(4)
        code.op("i32.shl")
        code.access("v128.load", self.table)
        code.get(codes)
        code.op("i32x4.add")
        code.access("v128.store")
        code.get(self.end)
        code.get(mask)
        code.op("i32.popcnt")
        code.const(2)
        code.op("i32.shl", "i32.add")
        code.set(self.end)
        self._move_on(at, codes)

    def _move_on(self, at: str, codes: str) -> None:
        code = self.code
        code.get(at)
        code.const(4 * LANES)
        code.op("i32.add")
        code.set(at)
        code.get(codes)
        code.const(LANES * self.line.step)
        code.op("i32x4.splat", "i32x4.add")
        code.set(codes)
