"""Emit expressions and arithmetic of the intermediate form.

There are two ways to emit: `value` leaves a word on the stack, `jump` branches on the truth of the
expression.
"""

from __future__ import annotations

from ruleforge.backends.native.code import Label
from ruleforge.backends.native.encode import I32, I64
from ruleforge.backends.native.layers.addresses import ANSWER, ROW, Addresses
from ruleforge.backends.native.layers.relations import Relations
from ruleforge.compiler import ir
from ruleforge.compiler.passes.expressions import LOWEST, is_truth
from ruleforge.compiler.visit import Expression

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
    """Emits operations on two values."""

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
        """Compute in 64 bits, and trap if the lower half differs from the result."""
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


class Expressions(Arithmetic, Relations):
    """Emits expressions of one function."""

    # --- values ---

    def value(self, e: Expression) -> None:
        code = self.code
        match e:
            case ir.Const(value=value):
                code.const(value)
            case ir.Local(name=name):
                code.get(name)
            case ir.Load(base=base, index=index):
                code.load(self.slot(base, index))
            case ir.FrameLoad(offset=offset, index=index):
                code.load(self.frame_slot(offset, index))
            case ir.Table(table=table, index=index):
                self.item(self.context.memory.table(table), index)
            case ir.Element(array=array, index=index):
                code.load(self.element(array, index))
            case ir.Binary():
                self.binary(e)
            case ir.Negate(value=value):
                code.const(0)
                self.value(value)
                code.op("i32.sub")
            case ir.LogicNot(value=value):
                self.value(value)
                code.op("i32.eqz")
            case ir.Logic():
                self.logic(e)
            case ir.Select():
                self.select(e)
            case _:
                self.lookup(e)

    def lookup(self, e: Expression) -> None:
        """Emit values that need a call or a lookup."""
        match e:
            case ir.CallExpr(function=function, arguments=arguments):
                self.call_plain(function, arguments)
            case ir.Trial(function=function, arguments=arguments):
                self.call(self.context.trial(function), arguments)
            case ir.Member():
                self.member(e)
            case ir.Connected():
                self.connected(e)
            case ir.RelationSize(relation=relation, key=key):
                self.relation_size(relation, key)
            case ir.RelationItem():
                self.relation_item(e)
            case ir.Answer():
                self.code.get(ANSWER)
            case ir.Result():
                self.result()
            case _:
                raise TypeError(f"cannot emit {e!r}")

    def call(self, function: int, arguments: tuple[Expression, ...]) -> None:
        self.code.get(ROW)
        for argument in arguments:
            self.value(argument)
        self.code.call(function)

    def call_plain(self, function: str, arguments: tuple[Expression, ...]) -> None:
        raise TypeError("only statements know how functions are called")

    def logic(self, e: ir.Logic) -> None:
        if is_truth(e) and self.reach.costs_little(e):
            self.all_parts(e)
            return
        with self.code.block(I32) as end:
            with self.code.block() as untrue:
                self.jump(e, untrue, False)
                self.code.const(1)
                self.code.br(end)
            self.code.const(0)

    def all_parts(self, e: ir.Logic) -> None:
        self.value(e.parts[0])
        for part in e.parts[1:]:
            self.value(part)
            self.code.op("i32.and" if e.op == "and" else "i32.or")

    def select(self, e: ir.Select) -> None:
        if self.reach.costs_little(e.then) and self.reach.costs_little(e.other):
            self.value(e.then)
            self.value(e.other)
            self.value(e.test)
            self.code.op("select")
            return
        with self.code.block(I32) as end:
            with self.code.block() as other:
                self.jump(e.test, other, False)
                self.value(e.then)
                self.code.br(end)
            self.value(e.other)

    # --- truth ---

    def jump(self, e: Expression, label: Label, when: bool) -> None:
        """Branch if the truth of the value is `when`."""
        match e:
            case ir.Const(value=value):
                if bool(value) == when:
                    self.code.br(label)
            case ir.LogicNot(value=value):
                self.jump(value, label, not when)
            case ir.Binary(op="!=", left=left, right=ir.Const(value=0)):
                self.jump(left, label, when)
            case ir.Binary(op="==", left=left, right=ir.Const(value=0)):
                self.jump(left, label, not when)
            case ir.Logic() if is_truth(e) and self.reach.costs_little(e):
                self.all_parts(e)
                if not when:
                    self.code.op("i32.eqz")
                self.code.br_if(label)
            case ir.Logic(op=op, parts=parts):
                (self.jump_any if (op == "or") == when else self.jump_all)(parts, label, when)
            case _:
                self.value(e)
                if not when:
                    self.code.op("i32.eqz")
                self.code.br_if(label)

    def jump_any(self, parts: tuple[Expression, ...], label: Label, when: bool) -> None:
        for part in parts:
            self.jump(part, label, when)

    def jump_all(self, parts: tuple[Expression, ...], label: Label, when: bool) -> None:
        with self.code.block() as no:
            for part in parts[:-1]:
                self.jump(part, no, not when)
            self.jump(parts[-1], label, when)


# Operations on two numbers. Checked sums and divisions that round down need several instructions.
