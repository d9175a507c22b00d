"""Emit the functions of the rules as WebAssembly: plain functions, pausing functions, enumerators.

Every function gets the address of the row first. A pausing function also gets the slot of its frame and its
answer. It gives the number of choices when a player has to choose, and 0 when the game is over. It gives -1
when it has returned to the function that pushed it.
"""

from __future__ import annotations

from functools import partial

from ruleforge.backends.native.code import Code, Label
from ruleforge.backends.native.context import BEGIN, END, Context
from ruleforge.backends.native.encode import I32, Body
from ruleforge.backends.native.layers.addresses import ANSWER, FRAME, ROW
from ruleforge.backends.native.layers.choice_list import LIST
from ruleforge.backends.native.layers.statements import Statements
from ruleforge.compiler import ir
from ruleforge.compiler.passes.folding import fold
from ruleforge.compiler.visit import LOOPS, statements

RETURNED = -1
_SLOT, _BLOCK = "%slot", "%block"


def _code(*names: str) -> Code:
    return Code(tuple((name, I32) for name in names))


def emit_plain(context: Context, name: str, kind: type[Statements] = Statements) -> Body:
    body = context.body(name)
    code = _code(ROW, *context.program.plain[name].parameters)
    emitter = kind(context, code)
    emitter.reserve((body,), context.program.plain[name].parameters)
    if context.program.plain[name].offers:
        emitter.take_list()
    emitter.look_ahead(body)
    emitter.body(body)
    emitter.leave()
    return code.body()


def emit_lister(context: Context, number: int) -> Body:
    """The list of a site; gives how many choices there are."""
    return emit_offered(context, context.program.sites[number].enumerator)


def emit_offered(context: Context, function: str) -> Body:
    """Emit a call of a function with an empty list. It gives the number of offered choices."""
    parameters = context.program.plain[function].parameters
    code = _code(ROW, *parameters)
    code.get_global(BEGIN)
    code.set_global(END)
    for name in (ROW, *parameters):
        code.get(name)
    code.call(context.plain(function))
    code.op("drop")
    code.get_global(END)
    code.get_global(BEGIN)
    code.op("i32.sub")
    code.const(2)
    code.op("i32.shr_u")
    return code.body()


class Step(Statements):
    """Emits the numbered blocks of one pausing function."""

    def __init__(self, context: Context, function: ir.PausedFunction) -> None:
        super().__init__(context, _code(ROW, _SLOT, ANSWER))
        self.function = function
        self.again: Label | None = None
        self.array_at = {function.saved[name]: size for name, size in function.arrays.items()}
        self.by_name = {f.name: f for f in context.program.paused if f is not None}

    def emit(self) -> Body:
        code, program = self.code, self.context.program
        blocks = [fold(self.context.inliner.whole(b), program.tables) for b in self.function.blocks]
        self.reserve(blocks)
        self.find_frame()
        with code.loop() as again:
            self.again = again
            code.switch(_BLOCK, [partial(self.body, block) for block in blocks])
        code.op("unreachable")
        return code.body()

    def find_frame(self) -> None:
        code = self.code
        code.get(ROW)
        self.address()
        code.const(2)
        code.op("i32.shl", "i32.add")
        code.tee(FRAME)
        code.load(4 * ir.FRAME_PC)
        code.set(_BLOCK)

    def address(self) -> None:
        """The slot of the frame."""
        fixed = self.function.fixed
        self.code.get(_SLOT) if fixed is None else self.code.const(fixed)

    # --- the frame ---

    def do_framestore(self, s: ir.FrameStore) -> None:
        index = s.index
        if index is not None:
            index = self.within(index, self.array_at[s.offset])
        offset = self.frame_slot(s.offset, index)
        self.value(s.value)
        self.code.store(offset)

    def do_frameclear(self, s: ir.FrameClear) -> None:
        self.code.clear(FRAME, 4 * s.offset, s.size)

    def put(self, base: str, word: int, value: int) -> None:
        self.code.get(base)
        self.code.const(value)
        self.code.store(4 * word)

    # --- ends of blocks ---

    def do_goto(self, s: ir.Goto) -> None:
        assert self.again is not None
        self.code.const(s.block)
        self.code.set(_BLOCK)
        self.code.br(self.again)

    def do_wait(self, s: ir.Wait) -> None:
        code, count, who = self.code, self.code.temporary(), self.code.temporary()
        self.value(s.who)
        code.set(who)
        self.list_choices(s)
        code.set(count)
        self.put(FRAME, ir.FRAME_PC, s.block)
        self.put(ROW, ir.SITE, s.site)
        code.get(ROW)
        self.address()
        code.store(4 * ir.SP)
        code.get(count)
        with code.when():
            self.rest(who, count)
        code.const(-1)
        code.set(ANSWER)
        self.do_goto(ir.Goto(s.block))

    def list_choices(self, s: ir.Wait) -> None:
        """Emit the enumerator of a site.

        It is inlined only without loops. Inside the blocks, which are a loop themselves, its registers would
        be saved and loaded in every iteration.
        """
        code, function = self.code, self.context.program.sites[s.site].enumerator
        code.get_global(BEGIN)
        code.set_global(END)
        self.take_list()
        loops = any(isinstance(part, LOOPS) for part in statements(self.context.body(function)))
        (self.call_other if loops else self.call_plain)(function, s.arguments)
        self.listing = False
        code.op("drop")
        code.get(LIST)
        code.get_global(BEGIN)
        code.op("i32.sub")
        code.const(2)
        code.op("i32.shr_u")

    def rest(self, who: str, count: str) -> None:
        """Return and leave the row waiting."""
        code = self.code
        code.get(ROW)
        code.get(who)
        code.store(4 * ir.WHO)
        if self.context.program.counts_work:
            self.put(ROW, ir.CHAIN_LENGTH, 0)
            self.put(ROW, ir.WORK_DONE, 0)
        self.release()
        code.get(count)
        code.op("return")

    def do_push(self, s: ir.Push) -> None:
        code, callee = self.code, self.by_name[s.function]
        size, result = self.function.frame_size, self.code.temporary()
        if s.checked:
            self.address()
            code.const(self.context.program.row_size - callee.frame_size - size)
            code.op("i32.gt_s")
            with code.when():
                self.trap(ir.STACK)
        for k, argument in enumerate(s.arguments):
            code.get(FRAME)
            self.value(argument)
            code.store(4 * (size + ir.FRAME_LOCALS + k))
        self.put(FRAME, size + ir.FRAME_FUNCTION, callee.number)
        code.get(FRAME)
        self.address()
        code.store(4 * (size + ir.FRAME_CALLER))
        self.put(FRAME, ir.FRAME_PC, s.block)
        code.get(ROW)
        self.address()
        code.const(size)
        code.op("i32.add")
        code.const(0)
        code.call(self.context.step(callee.number))
        # 0 and more: a player has to choose, or the game is over; control returns to the host. RETURNED is less.
        code.tee(result)
        code.const(0)
        code.op("i32.ge_s")
        with code.when():
            self.release()
            code.get(result)
            code.op("return")
        code.const(0)
        code.set(ANSWER)
        self.do_goto(ir.Goto(s.block))

    def do_return(self, s: ir.Return) -> None:
        code, function = self.code, self.function
        if self.exits:
            super().do_return(s)
            return
        if function.number == 1:
            self.leave()
            return
        if function.result_used:
            code.get(ROW)
            self.value(s.value)
            code.store(4 * ir.RET)
        code.get(ROW)
        code.get(FRAME)
        code.load(4 * ir.FRAME_CALLER)
        code.store(4 * ir.SP)
        # Equal positions have to be equal rows, so nothing of a finished frame stays behind.
        code.clear(FRAME, 0, function.frame_size)
        self.release()
        code.const(RETURNED)
        code.op("return")

    def leave(self) -> None:
        if self.exits:
            super().leave()
            return
        self.release()
        self.code.get(ROW)
        self.code.call(self.context.number("part", "over"))
        self.code.op("return")


def emit_step(context: Context, number: int) -> Body:
    function = context.program.paused[number]
    assert function is not None
    return Step(context, function).emit()
