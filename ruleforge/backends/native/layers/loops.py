"""Emit arrays, and loops that count or run while a condition holds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager

from ruleforge.backends.native.code import Code, Label
from ruleforge.backends.native.context import TOP, Context
from ruleforge.backends.native.layers.addresses import ARRAYS
from ruleforge.backends.native.layers.expressions import Expressions
from ruleforge.backends.native.mailbox import BEYOND, TOO_DEEP
from ruleforge.backends.native.memory import STACK_BYTES
from ruleforge.backends.native.scan import mask_name, mask_words_of
from ruleforge.compiler import ir
from ruleforge.compiler.visit import Expression, Node, assigned, statements

RESERVE = 1 << 20  # of the stack, for functions of the library, which do not look


class Arrays(Expressions):
    """Emits the allocation and release of arrays, and writes to them."""

    def __init__(self, context: Context, code: Code) -> None:
        super().__init__(context, code)
        self.array_words = 0
        self.sizes: dict[str, int] = {}
        self.steady: frozenset[str] = frozenset()  # parameters that stay as they are

    def reserve(self, bodies: Iterable[ir.Body], parameters: Collection[str] = ()) -> None:
        """Assign a place to each array, and allocate all of them."""
        bodies = list(bodies)
        sizes: dict[str, int] = {}
        for statement in (s for body in bodies for s in statements(body)):
            match statement:
                case ir.NewArray(name=name, size=size):
                    sizes[name] = max(size, sizes.get(name, 0))
                case ir.Scan() if mask_words_of(statement):
                    sizes[mask_name(statement)] = mask_words_of(statement)
        self.reach.learn(bodies, parameters)
        self.steady = frozenset(parameters) - {n for b in bodies for s in statements(b) for n in assigned(s)}
        self.arrays = {name: self.room(size) for name, size in sizes.items()}
        self.sizes = sizes
        if self.array_words:
            self.take_room()

    def take_room(self) -> None:
        code, memory = self.code, self.context.memory
        code.get_global(TOP)
        code.tee(ARRAYS)
        code.const(4 * self.array_words)
        code.op("i32.add")
        code.set_global(TOP)
        code.get_global(TOP)
        code.const(memory.stack + STACK_BYTES - RESERVE)
        code.op("i32.gt_u")
        with code.when():
            self.trap(TOO_DEEP)

    def room(self, words: int) -> int:
        """Reserve an array of this size and return its offset."""
        at = self.array_words
        self.array_words += words
        return at

    def release(self) -> None:
        if self.array_words:
            self.code.get(ARRAYS)
            self.code.set_global(TOP)

    def do_newarray(self, s: ir.NewArray) -> None:
        self.code.clear(ARRAYS, 4 * self.arrays[s.name], s.size)

    def do_setelement(self, s: ir.SetElement) -> None:
        offset = self.element(s.array, self.within(s.index, self.sizes[s.array]))
        self.value(s.value)
        self.code.store(offset)

    def within(self, index: Expression, size: int) -> ir.Local:
        """An index that fits in every position a game can reach; a search also asks about made-up ones."""
        code, name = self.code, self.code.temporary()
        self.value(index)
        code.tee(name)
        code.const(size)
        code.op("i32.ge_u")
        with code.when():
            self.trap(BEYOND)
        return ir.Local(name)


class Loops(Arrays):
    """Emits loops. A Break leaves the innermost loop."""

    def __init__(self, context: Context, code: Code) -> None:
        super().__init__(context, code)
        self.leave_loop: list[Label] = []

    def body(self, body: Iterable[Node]) -> None:
        raise TypeError("only statements know what stands in a loop")

    @contextmanager
    def looping(self) -> Iterator[tuple[Label, Label]]:
        """Open a loop and return the labels of its end and its head. Break goes to its end."""
        with self.code.block() as out:
            self.leave_loop.append(out)
            with self.code.loop() as again:
                yield out, again
            self.leave_loop.pop()

    def do_while(self, s: ir.While) -> None:
        with self.looping() as (out, again):
            self.jump(s.test, out, False)
            self.body(s.body)
            self.code.br(again)

    def do_break(self, s: ir.Break) -> None:
        self.code.br(self.leave_loop[-1])

    def count_up(self, s: ir.ForRange) -> None:
        code, at, last = self.code, self.code.temporary(), self.code.temporary()
        self.value(s.low)
        code.set(at)
        self.value(s.high)
        code.set(last)
        code.get(at)
        code.get(last)
        code.op("i32.le_s")
        with code.when(), self.looping() as (out, again):
            code.get(at)
            code.set(s.name)
            self.body(s.body)
            code.get(at)
            code.get(last)
            code.op("i32.eq")
            code.br_if(out)
            self.advance(at, 1)
            code.br(again)


# Arrays of a function, on a stack of their own.
