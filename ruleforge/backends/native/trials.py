"""Functions that are tried out: every word they write is noted first, and put back afterwards; the meter runs on.

A trial writes little compared with a row, so that a log of old words is quicker than a copy of the row; where it is
only a few words, they are kept in locals.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ruleforge.backends.native.code import Code
from ruleforge.backends.native.context import LOG, TOP, Context
from ruleforge.backends.native.encode import I32, Body
from ruleforge.backends.native.expressions import ROW
from ruleforge.backends.native.memory import LOG_BYTES
from ruleforge.backends.native.statements import TOO_DEEP, Statements
from ruleforge.compiler import ir
from ruleforge.compiler.visit import LOOPS, Expression, calls, statements

_PLAIN = (ir.Set, ir.Store, ir.Note, ir.If, ir.Trap, ir.Return, ir.Break, *LOOPS)
_LOG, _TOP, _MARK, _RESULT, _FAULT = "%log", "%top", "%mark", "%result", "%fault"


class Tried(Statements):
    """Emits statements that leave the row's old words in the log."""

    logging = False

    def callee(self, function: str) -> int:
        return self.context.tried(function)

    # --- the log, whose end is in a local while a function writes ---

    def reserve(self, bodies: Iterable[ir.Body], parameters: Collection[str] = ()) -> None:
        bodies = list(bodies)
        super().reserve(bodies, parameters)
        if any(map(self.context.writes, bodies)):
            self.logging = True
            self.take_log()

    def take_log(self) -> None:
        if self.logging:
            self.code.get_global(LOG)
            self.code.set(_LOG)

    def give_log(self) -> None:
        if self.logging:
            self.code.get(_LOG)
            self.code.set_global(LOG)

    def call(self, function: int, arguments: tuple[Expression, ...]) -> None:
        """Whatever is called goes on with the log."""
        self.code.get(ROW)
        for argument in arguments:
            self.value(argument)
        self.give_log()
        self.code.call(function)
        self.take_log()

    def trap(self, fault: int) -> None:
        self.give_log()
        super().trap(fault)

    def release(self) -> None:
        self.give_log()
        super().release()

    def note(self, address: str, offset: int) -> None:
        """Note the word at an address, which is about to be written."""
        code, memory = self.code, self.context.memory
        code.get(_LOG)
        code.const(memory.log + LOG_BYTES)
        code.op("i32.ge_u")
        with code.when():
            self.trap(TOO_DEEP)
        code.get(_LOG)
        code.get(address)
        code.const(offset)
        code.op("i32.add")
        code.store()
        code.get(_LOG)
        code.get(address)
        code.load(offset)
        code.store(4)
        self.advance(_LOG, 8)

    def note_words(self, *words: int) -> None:
        for word in words:
            self.note(ROW, 4 * word)

    def do_store(self, s: ir.Store) -> None:
        for tail in self.tails_of(s):
            self.note(ROW, tail.at)
            self.put_word(tail.at // 4, 0)
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


MOST_STORES = 8  # of a trial that keeps old words in locals


class Undone(Statements):
    """Emits a trial of a few stores in a row: the old words are in locals, and whoever leaves puts them back."""

    def __init__(self, context: Context, code: Code) -> None:
        super().__init__(context, code)
        self.old: list[tuple[str, int, str]] = []  # address, offset, old word

    def do_store(self, s: ir.Store) -> None:
        code, address, old = self.code, self.code.temporary(), self.code.temporary()
        offset = self.slot(s.base, s.index)
        code.tee(address)
        code.load(offset)
        code.set(old)
        code.get(address)
        self.value(s.value)
        code.store(offset)
        self.old.append((address, offset, old))

    def do_note(self, s: ir.Note) -> None:
        """What is only tried does not happen."""

    def trap(self, fault: int) -> None:
        self.put_back()
        self.code.const(-1)
        self.code.op("return")

    def leave_with_value(self) -> None:
        if self.exits:
            super().leave_with_value()
            return
        self.code.set(_RESULT)
        self.put_back()
        self.code.get(_RESULT)
        self.code.op("return")

    def put_back(self) -> None:
        for address, offset, old in reversed(self.old):
            self.code.get(address)
            self.code.get(old)
            self.code.store(offset)


def can_be_undone(context: Context, name: str) -> bool:
    """Whether a function stores a few words one after the other, and calls only what changes nothing and cannot fail."""
    body = context.body(name)
    stores = [s for s in statements(body) if isinstance(s, ir.Store)]
    nets = context.memory.nets
    return (
        all(isinstance(s, _PLAIN) for s in statements(body))
        and len(stores) <= MOST_STORES
        and all(any(s is top for top in body) for s in stores)
        and not any(tail.net.holds(s) for tail in nets for s in stores)
        and all(context.traits.of(callee).pure for callee in calls(body))
    )


def emit_trial(context: Context, name: str) -> Body:
    """Run a function, put back what it wrote, and give its value, or -1 if it trapped."""
    if not can_be_undone(context, name):
        return _emit_logged(context, name)
    parameters, body = context.program.plain[name].parameters, context.body(name)
    emitter = Undone(context, Code(tuple((parameter, I32) for parameter in (ROW, *parameters))))
    emitter.reserve((body,), parameters)
    emitter.body(body)
    emitter.leave()
    return emitter.code.body()


def _emit_logged(context: Context, name: str) -> Body:
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
