"""Operations on two numbers -> instructions; sums that must fit and divisions that round down are not the machine's."""

from __future__ import annotations

from ruleforge.backends.native.encode import I64
from ruleforge.backends.native.layers.addresses import Addresses
from ruleforge.compiler import ir
from ruleforge.compiler.passes.expressions import LOWEST

_PLAIN = {
    "+": "i32.add",
    "-": "i32.sub",
    "*": "i32.mul",
    "&": "i32.and",
    "|": "i32.or",
    "^": "i32.xor",
    "<<": "i32.shl",
    ">>": "i32.shr_s",
    "==": "i32.eq",
    "!=": "i32.ne",
    "<": "i32.lt_s",
    "<=": "i32.le_s",
    ">": "i32.gt_s",
    ">=": "i32.ge_s",
}
_WIDE = {"+": "i64.add", "-": "i64.sub", "*": "i64.mul", "<<": "i64.shl"}


class Arithmetic(Addresses):
    """Emits what is computed of two values."""

    def binary(self, e: ir.Binary) -> None:
        if e.op in ("//", "%"):
            self.divide(e)
        elif e.op in ("min", "max"):
            self.extreme(e)
        elif e.checked and e.op in _WIDE:
            self.checked(e)
        else:
            self.value(e.left)
            self.value(e.right)
            self.code.op(_PLAIN[e.op])

    def checked(self, e: ir.Binary) -> None:
        """In 64 bits nothing is lost; if the lower half alone does not say the same, trap."""
        code, wide = self.code, self.code.temporary(I64)
        for side in (e.left, e.right):
            self.value(side)
            code.op("i64.extend_i32_s")
        code.op(_WIDE[e.op])
        code.tee(wide)
        code.op("i32.wrap_i64", "i64.extend_i32_s")
        code.get(wide)
        code.op("i64.ne")
        with code.when():
            self.trap(ir.OVERFLOW)
        code.get(wide)
        code.op("i32.wrap_i64")

    def divide(self, e: ir.Binary) -> None:
        code = self.code
        divisor = e.right.value if isinstance(e.right, ir.Const) else 0
        self.value(e.left)
        if divisor > 0 and divisor & (divisor - 1) == 0:
            code.const(divisor.bit_length() - 1 if e.op == "//" else divisor - 1)
            code.op("i32.shr_s" if e.op == "//" else "i32.and")
            return
        left, right = code.temporary(), code.temporary()
        code.set(left)
        self.value(e.right)
        code.set(right)
        if e.checked and e.op == "//" and divisor <= 0:
            self.refuse_lowest(left, right)
        self.floor(e.op, left, right)

    def floor(self, op: str, left: str, right: str) -> None:
        """The machine rounds towards 0: correct by one where the rest has another sign than the divisor."""
        code, rest = self.code, self.code.temporary()
        code.get(left)
        code.get(right)
        code.op("i32.rem_s")
        code.set(rest)
        if op == "//":
            code.get(left)
            code.get(right)
            code.op("i32.div_s")
            code.const(-1)
        else:
            code.get(rest)
            code.get(right)
        code.const(0)
        code.get(rest)
        code.const(0)
        code.op("i32.ne")
        for name in (rest, right):
            code.get(name)
        code.op("i32.xor")
        code.const(31)
        code.op("i32.shr_u", "i32.and", "select", "i32.add")

    def refuse_lowest(self, left: str, right: str) -> None:
        """The one quotient that does not fit into 32 bits."""
        code = self.code
        code.get(left)
        code.const(LOWEST)
        code.op("i32.eq")
        code.get(right)
        code.const(-1)
        code.op("i32.eq", "i32.and")
        with code.when():
            self.trap(ir.OVERFLOW)

    def extreme(self, e: ir.Binary) -> None:
        code, left, right = self.code, self.code.temporary(), self.code.temporary()
        self.value(e.left)
        code.tee(left)
        self.value(e.right)
        code.tee(right)
        code.get(left)
        code.get(right)
        code.op("i32.lt_s" if e.op == "min" else "i32.gt_s", "select")
