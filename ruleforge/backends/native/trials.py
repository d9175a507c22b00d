"""Emit speculative execution: log the old value of every written word, then restore it. The step budget runs
on.

A trial writes few words compared with a row, so a log is faster than a copy of the row. For very few words,
locals hold the old values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, nullcontext

from ruleforge.backends.native.code import Code
from ruleforge.backends.native.context import LOG, TOP, Context
from ruleforge.backends.native.encode import I32, Body
from ruleforge.backends.native.layers.addresses import ROW
from ruleforge.backends.native.layers.statements import Statements
from ruleforge.backends.native.mailbox import TOO_DEEP
from ruleforge.backends.native.memory import LOG_BYTES
from ruleforge.compiler import ir
from ruleforge.compiler.function_traits import may_fail
from ruleforge.compiler.visit import LOOPS, Expression, all_expressions, calls, statements

_PLAIN = (ir.Set, ir.Store, ir.Note, ir.Spend, ir.If, ir.Trap, ir.Return, ir.Break, *LOOPS)
_LOG, _TOP, _MARK, _RESULT, _FAULT = "%log", "%top", "%mark", "%result", "%fault"


class Tried(Statements):
    """Emits statements that log the old words of the row."""

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
        """Emit a call that continues the log."""
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
        """Log the word at an address before it is written."""
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
        """Emit nothing: a trial records no events."""

    def do_random(self, s: ir.Random) -> None:
        # A roll that did not happen must not change those to come.
        self.note_words(ir.RNG_A, ir.RNG_B)
        super().do_random(s)

    def do_link(self, s: ir.Link) -> None:
        self.note_words(ir.CHAIN_LENGTH)
        super().do_link(s)

    def do_finish(self, s: ir.Finish) -> None:
        self.note_words(ir.OUTCOME, ir.WINNERS)
        super().do_finish(s)


MOST_STORES = 8  # of a trial that keeps old words in locals


class Undone(Statements):
    """Emits a trial of a few stores, whose old words are in locals."""

    def __init__(self, context: Context, code: Code) -> None:
        super().__init__(context, code)
        self.sure: Collection[int] = ()  # stores that are come to in any case
        self.old: list[tuple[str, str, bool]] = []  # locals with the address and the old word; 0: not come to

    def do_store(self, s: ir.Store) -> None:
        code, address, old = self.code, self.code.temporary(), self.code.temporary()
        code.const(self.slot(s.base, s.index))
        code.op("i32.add")
        code.tee(address)
        code.load()
        code.set(old)
        code.get(address)
        self.value(s.value)
        code.store()
        self.old.append((address, old, id(s) in self.sure))

    def do_note(self, s: ir.Note) -> None:
        """Emit nothing: a trial records no events."""

    def value_of(self, body: ir.Body) -> None:
        """Leave the result of a body."""
        with self.code.block(I32) as end:
            self.exits.append(end)
            self.body(body)
            self.code.const(0)
            self.exits.pop()

    def put_back(self) -> None:
        """The last one first, for two may be of the same word."""
        for address, old, sure in reversed(self.old):
            with nullcontext() if sure else self.if_set(address):
                self.code.get(address)
                self.code.get(old)
                self.code.store()

    @contextmanager
    def if_set(self, name: str) -> Iterator[None]:
        self.code.get(name)
        with self.code.when():
            yield


def can_be_undone(context: Context, name: str) -> bool:
    """Whether a function stores a few words, each once at most, and calls only what stores none."""
    body = context.body(name)
    stores = [s for s in statements(body) if isinstance(s, ir.Store)]
    looped = {id(s) for loop in statements(body) if isinstance(loop, LOOPS) for s in statements(loop.body)}
    # Each store has two locals of its own, so it may happen once at most; the tails of indexes change with it.
    group_indexes = context.memory.group_indexes
    return (
        all(isinstance(s, _PLAIN) for s in statements(body))
        and len(stores) <= MOST_STORES
        and not any(id(s) in looped for s in stores)
        and not any(tail.groups.holds(s) for tail in group_indexes for s in stores)
        and not any(context.writes(context.body(callee)) for callee in calls(body))
    )


def emit_trial(context: Context, name: str) -> Body:
    """Run a function, put back what it wrote, and give its value, or -1 if it trapped."""
    parameters = context.program.plain[name].parameters
    code = Code(tuple((parameter, I32) for parameter in (ROW, *parameters)))
    code.get_global(TOP)
    code.set(_TOP)
    (_undone if can_be_undone(context, name) else _logged)(context, code, name)
    code.get(_RESULT)
    return code.body()


def _undone(context: Context, code: Code, name: str) -> None:
    body, emitter = context.body(name), Undone(context, code)
    emitter.reserve((body,), context.program.plain[name].parameters)
    if _is_sure(context, body):
        emitter.sure = {id(s) for s in body}
        emitter.value_of(body)
        code.set(_RESULT)
    else:
        with _trying(context, code):
            emitter.value_of(body)
    emitter.put_back()
    emitter.release()


def _is_sure(context: Context, body: ir.Body) -> bool:
    """Whether nothing in it, nor in what it calls, can fail; it returns at its end."""
    return (
        not any(isinstance(s, ir.Trap | ir.Spend) for s in statements(body))
        and not any(isinstance(s, ir.Return) for top in body[:-1] for s in statements((top,)))
        and not any(map(may_fail, all_expressions(body)))
        and all(context.traits.of(callee).pure for callee in calls(body))
    )


def _logged(context: Context, code: Code, name: str) -> None:
    code.get_global(LOG)
    code.set(_MARK)
    with _trying(context, code):
        for parameter in (ROW, *context.program.plain[name].parameters):
            code.get(parameter)
        code.call(context.tried(name))
    code.get_global(LOG)
    code.get(_MARK)
    code.call(context.library("put_back"))
    code.get(_MARK)
    code.set_global(LOG)


@contextmanager
def _trying(context: Context, code: Code) -> Iterator[None]:
    """The code inside leaves the result; a trap makes it -1.

    An exhausted step budget ends more than the trial.
    """
    with code.block() as ran:
        with code.block(I32) as trapped:
            with code.trying(trapped):
                yield
            code.set(_RESULT)
            code.br(ran)
        # The count of work is never put back. Otherwise rules could try out endless work again and again.
        code.set(_FAULT)
        code.get(ROW)
        code.load(4 * ir.WORK_DONE)
        code.const(context.program.work)
        code.op("i32.gt_s")
        with code.when():
            code.get(_FAULT)
            code.throw()
        code.get(_TOP)
        code.set_global(TOP)
        code.const(-1)
        code.set(_RESULT)
