"""Emit addresses of places in memory, the words of the head, and traps."""

from __future__ import annotations

from ruleforge.backends.native.code import Code
from ruleforge.backends.native.context import Context
from ruleforge.backends.native.index_bounds import Reach
from ruleforge.backends.native.memory import Vector
from ruleforge.compiler import ir
from ruleforge.compiler.passes.folding import fold_slot
from ruleforge.compiler.visit import Expression

ROW, FRAME, ARRAYS, ANSWER = "%row", "%frame", "%arrays", "%answer"  # no local of the rules is named so


class Addresses:
    """Emits addresses.

    Each method leaves an address on the stack and returns the offset to add. `arrays` holds the position of
    each array behind the local ARRAYS.
    """

    def __init__(self, context: Context, code: Code) -> None:
        self.context = context
        self.code = code
        self.arrays: dict[str, int] = {}
        self.reach = Reach(context.program, context.early)

    def value(self, e: Expression) -> None:
        raise TypeError("only expressions know how values are emitted")

    def slot(self, base: int, index: Expression | None) -> int:
        if index is not None:
            base, index = fold_slot(base, index)
        self.code.get(ROW)
        return self.beside(base, index)

    def frame_slot(self, offset: int, index: Expression | None) -> int:
        self.code.get(FRAME)
        return self.beside(offset, index)

    def element(self, array: str, index: Expression) -> int:
        self.code.get(ARRAYS)
        return self.beside(self.arrays[array], index)

    def beside(self, base: int, index: Expression | None) -> int:
        if index is not None:
            self.scaled(index, 2)
            self.code.op("i32.add")
        if base < 0:  # offsets have no sign
            self.code.const(4 * base)
            self.code.op("i32.add")
            return 0
        return 4 * base

    def scaled(self, index: Expression, shift: int) -> None:
        self.value(index)
        if shift:
            self.code.const(shift)
            self.code.op("i32.shl")

    def item(self, vector: Vector, index: Expression) -> None:
        self.scaled(index, vector.shift)
        self.code.access(vector.load, vector.address)

    # --- locals ---

    def in_local(self, e: Expression) -> ir.Local:
        """The value of an expression, in a local."""
        name = self.code.temporary()
        self.value(e)
        self.code.set(name)
        return ir.Local(name)

    def advance(self, name: str, step: int) -> None:
        self.code.get(name)
        self.code.const(step)
        self.code.op("i32.add")
        self.code.set(name)

    # --- words of the head, and faults ---

    def put_word(self, word: int, value: int) -> None:
        self.code.get(ROW)
        self.code.const(value)
        self.code.store(4 * word)

    def result(self) -> None:
        """The word RET, which becomes 0."""
        code, value = self.code, self.code.temporary()
        code.get(ROW)
        code.load(4 * ir.RET)
        code.set(value)
        self.put_word(ir.RET, 0)
        code.get(value)

    def trap(self, fault: int) -> None:
        self.code.const(fault)
        self.code.throw()
