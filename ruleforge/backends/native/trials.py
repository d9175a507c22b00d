"""Functions that are tried out: every word they write is noted first, and put back afterwards; the meter runs on.

A trial writes little compared with a row, so that a log of old words is quicker than a copy of the row.
"""

from __future__ import annotations

from ruleforge.backends.native.code import Code
from ruleforge.backends.native.context import LOG, TOP, Context
from ruleforge.backends.native.encode import I32, Body
from ruleforge.backends.native.expressions import ROW
from ruleforge.backends.native.memory import LOG_BYTES
from ruleforge.backends.native.statements import TOO_DEEP, Statements
from ruleforge.compiler import ir

_TOP, _MARK, _RESULT, _FAULT = "%top", "%mark", "%result", "%fault"


class Tried(Statements):
    """Emits statements that leave the row's old words in the log."""

    def callee(self, function: str) -> int:
        return self.context.tried(function)

    def note(self, address: str, offset: int) -> None:
        """Note the word at an address, which is about to be written."""
        code, memory = self.code, self.context.memory
        code.get_global(LOG)
        code.const(memory.log + LOG_BYTES)
        code.op("i32.ge_u")
        with code.when():
            self.trap(TOO_DEEP)
        code.get_global(LOG)
        code.get(address)
        code.const(offset)
        code.op("i32.add")
        code.store()
        code.get_global(LOG)
        code.get(address)
        code.load(offset)
        code.store(4)
        code.get_global(LOG)
        code.const(8)
        code.op("i32.add")
        code.set_global(LOG)

    def note_words(self, *words: int) -> None:
        for word in words:
            self.note(ROW, 4 * word)

    def do_store(self, s: ir.Store) -> None:
        value, address = self.code.temporary(), self.code.temporary()
        self.value(s.value)
        self.code.set(value)
        offset = self.slot(s.base, s.index)
        self.code.set(address)
        self.note(address, offset)
        self.code.get(address)
        self.code.get(value)
        self.code.store(offset)

    def do_note(self, s: ir.Note) -> None:
        """What is only tried does not happen."""

    def do_random(self, s: ir.Random) -> None:
        self.note_words(ir.RNG_A, ir.RNG_B)
        super().do_random(s)

    def do_burn(self, s: ir.Burn) -> None:
        self.note_words(ir.FUSE)
        super().do_burn(s)

    def do_finish(self, s: ir.Finish) -> None:
        self.note_words(ir.OUTCOME, ir.WINNERS)
        super().do_finish(s)


def emit_trial(context: Context, name: str) -> Body:
    """Run a function, put back what it wrote, and give its value, or -1 if it trapped."""
    parameters = context.program.plain[name].parameters
    code = Code(tuple((parameter, I32) for parameter in (ROW, *parameters)))
    code.get_global(TOP)
    code.set(_TOP)
    code.get_global(LOG)
    code.set(_MARK)
    with code.block() as ran:
        with code.block(I32) as trapped:
            with code.trying(trapped):
                for parameter in (ROW, *parameters):
                    code.get(parameter)
                code.call(context.tried(name))
            code.set(_RESULT)
            code.br(ran)
        code.set(_FAULT)
        code.get(ROW)
        code.load(4 * ir.METER)
        code.const(context.program.work)
        code.op("i32.gt_s")
        with code.when():
            code.get(_FAULT)
            code.throw()
        code.get(_TOP)
        code.set_global(TOP)
        code.const(-1)
        code.set(_RESULT)
    code.get_global(LOG)
    code.get(_MARK)
    code.call(context.library("put_back"))
    code.get(_MARK)
    code.set_global(LOG)
    code.get(_RESULT)
    return code.body()
