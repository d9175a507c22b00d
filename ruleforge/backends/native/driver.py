"""Emit the driver of a program: resume a row, list choices, end a game, and the entry points for the host."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from ruleforge.backends.native.code import Code, Label
from ruleforge.backends.native.context import BEGIN, LOG, TOP, Context
from ruleforge.backends.native.encode import I32, Body
from ruleforge.backends.native.functions import RETURNED, emit_offered
from ruleforge.backends.native.layers.addresses import ANSWER, FRAME, ROW
from ruleforge.backends.native.layers.statements import Statements
from ruleforge.backends.native.mailbox import FAILED, FAULT
from ruleforge.backends.playouts import WATCHED
from ruleforge.compiler import ir
from ruleforge.compiler.observation_program import OBSERVATION

_SLOT, _COUNT, _NUMBER, _PLAYER = "%slot", "%count", "%number", "%player"


def _code(*names: str) -> Code:
    return Code(tuple((name, I32) for name in names))


def _over(context: Context) -> Body:
    """End the game: clear the waiting site and the stack of frames."""
    code = _code(ROW)
    emitter, program = Statements(context, code), context.program
    for word in (ir.SITE, ir.WHO, ir.SP, ir.RET):
        emitter.put_word(word, 0)
    if context.program.counts_work:
        emitter.put_word(ir.CHAIN_LENGTH, 0)
        emitter.put_word(ir.WORK_DONE, 0)
    code.clear(ROW, 4 * program.stack, program.row_size - program.stack)
    code.const(0)
    return code.body()


def _resume(context: Context) -> Body:
    """Call the function of the top frame until a player has to choose or the game is over."""
    code = _code(ROW, ANSWER)
    _run_on(context, code)
    return code.body()


def _run_on(context: Context, code: Code) -> None:
    if len(context.program.paused) == 2:  # one function, which comes back only with an answer
        code.get(ROW)
        code.get(ROW)
        code.load(4 * ir.SP)
        code.get(ANSWER)
        code.call(context.step(1))
        return
    with code.loop() as again:
        with code.block(I32) as ran:
            _find_frame(code)
            code.get(FRAME)
            code.load(4 * ir.FRAME_FUNCTION)
            code.set(_NUMBER)
            steps = [partial(_step, context, code, n, ran) for n in range(len(context.program.paused))]
            code.switch(_NUMBER, steps)
        code.tee(_COUNT)
        code.const(RETURNED)
        code.op("i32.eq")
        with code.when():
            code.const(0)
            code.set(ANSWER)
            code.br(again)
    code.get(_COUNT)


def _find_frame(code: Code) -> None:
    code.get(ROW)
    code.get(ROW)
    code.load(4 * ir.SP)
    code.tee(_SLOT)
    code.const(2)
    code.op("i32.shl", "i32.add")
    code.set(FRAME)


def _step(context: Context, code: Code, number: int, ran: Label) -> None:
    if number == 0:  # no frame has it
        return
    for name in (ROW, _SLOT, ANSWER):
        code.get(name)
    code.call(context.step(number))
    code.br(ran)


def _choices(context: Context) -> Body:
    """The list of the site that is waited at, with the arguments that are in the frame."""
    code = _code(ROW)
    emitter = Statements(context, code)
    _find_frame(code)
    code.get(ROW)
    code.load(4 * ir.SITE)
    code.set(_NUMBER)

    def listed(site: int) -> None:
        if site == 0:
            code.const(0)
            code.op("return")
        elif site in context.program.waits:
            emitter.call(context.lister(site), context.program.waits[site].arguments)
            code.op("return")

    code.switch(_NUMBER, [partial(listed, site) for site in range(len(context.program.sites))])
    return code.body()


def _attempt(context: Context) -> Body:
    """Like `resume`; a trap gives -1 - fault, and the row is invalid."""
    code = _code(ROW, ANSWER)
    for register, saved_in in ((TOP, "%top"), (LOG, "%log")):
        code.get_global(register)
        code.set(saved_in)
    with code.block(I32) as trapped:
        with code.trying(trapped):
            _run_on(context, code)
        code.op("return")
    code.const(-1)
    code.op("i32.xor")
    for register, saved_in in ((TOP, "%top"), (LOG, "%log")):
        code.get(saved_in)
        code.set_global(register)
    return code.body()


def _stop(context: Context) -> Body:
    """Trap after all: this was no fault of the rules."""
    code = _code("%fault")
    code.get("%fault")
    code.throw()
    return code.body()


@contextmanager
def _answering(code: Code) -> Iterator[None]:
    """The code inside leaves a value. A trap gives 0 and is recorded in the mailbox."""
    for register, saved_in in ((TOP, "%top"), (LOG, "%log")):
        code.get_global(register)
        code.set(saved_in)
    _put(code, FAILED, -1)
    with code.block(I32) as trapped:
        with code.trying(trapped):
            yield
        code.op("return")
    code.set("%fault")
    code.const(0)
    code.get("%fault")
    code.store(4 * FAILED)
    for register, saved_in in ((TOP, "%top"), (LOG, "%log")):
        code.get(saved_in)
        code.set_global(register)
    code.const(0)


def _trust(context: Context) -> Body:
    code = _code(ROW)
    for tail in context.memory.group_indexes:
        code.get(ROW)
        code.const(context.memory.groups(tail))
        code.call(context.library("build_groups"))
    code.const(0)
    return code.body()


def _score(context: Context) -> Body:
    return _of_player(context, context.program.score)


def _standing(context: Context) -> Body:
    """The heuristic value of a player while the game goes on. Without a heuristic it is the score so far."""
    return _of_player(context, context.program.heuristic or context.program.score)


def _of_player(context: Context, function: str | None) -> Body:
    code = _code(ROW, _PLAYER)
    with _answering(code):
        code.get(ROW)
        code.get(_PLAYER)
        code.call(context.library("default_score") if function is None else context.plain(function))
    return code.body()


def _broken(context: Context) -> Body:
    """A bit for each of the first invariants that does not hold."""
    code = _code(ROW)
    with _answering(code):
        code.const(0)
        for bit, invariant in enumerate(context.program.invariants[:WATCHED]):
            code.get(ROW)
            code.call(context.plain(invariant.function))
            code.const(1)
            code.op("i32.ne")
            code.const(bit)
            code.op("i32.shl", "i32.or")
    return code.body()


def _measured(context: Context) -> Body:
    """The value of a measure: the result of its function, or a count."""
    code = _code(ROW, _NUMBER)

    def one(number: int) -> None:
        function = context.program.measures[number].function
        if function is None:
            code.const(0)
            code.load(context.memory.counts + 4 * number)
        else:
            code.get(ROW)
            code.call(context.plain(function))
        code.op("return")

    arms = [partial(one, number) for number in range(len(context.program.measures))]
    with _answering(code):
        if arms:
            code.switch(_NUMBER, arms)
        code.const(0)
    return code.body()


def _observe(context: Context) -> Body:
    return emit_offered(context, OBSERVATION)


PARTS: dict[str, Callable[[Context], Body]] = {
    "over": _over,
    "resume": _resume,
    "choices": _choices,
    "attempt": _attempt,
    "stop": _stop,
    "trust": _trust,
    "score": _score,
    "standing": _standing,
    "broken": _broken,
    "measured": _measured,
    "observe": _observe,
}


def emit_export(context: Context, number: int, parameters: int) -> Body:
    """Emit an entry point for the host. It resets the stacks and writes the outcome to the mailbox."""
    names = tuple(f"%{k}" for k in range(parameters))
    code = _code(*names)
    memory = context.memory
    for register, start in ((TOP, memory.stack), (LOG, memory.log), (BEGIN, memory.offers)):
        code.const(start)
        code.set_global(register)
    _put(code, FAULT, -1)
    with code.block(I32) as trapped:
        with code.trying(trapped):
            for name in names:
                code.get(name)
            code.call(number)
        code.op("return")
    code.set("%fault")
    code.const(0)
    code.get("%fault")
    code.store(4 * FAULT)
    code.const(0)
    return code.body()


def _put(code: Code, word: int, value: int) -> None:
    """A word of the mailbox."""
    code.const(0)
    code.const(value)
    code.store(4 * word)
