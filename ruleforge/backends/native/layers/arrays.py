"""Arrays of a function -> room on a stack of their own, and words in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ruleforge.backends.native.code import Code
from ruleforge.backends.native.context import TOP, Context
from ruleforge.backends.native.faults import BEYOND, TOO_DEEP
from ruleforge.backends.native.layers.addresses import ARRAYS
from ruleforge.backends.native.layers.expressions import Expressions
from ruleforge.backends.native.memory import STACK_BYTES
from ruleforge.backends.native.scan import kept_name, kept_words
from ruleforge.compiler import ir
from ruleforge.compiler.visit import Expression, assigned, statements

RESERVE = 1 << 20  # of the stack, for functions of the library, which do not look


class Arrays(Expressions):
    """Emits what takes and gives back room, and what is written into it."""

    def __init__(self, context: Context, code: Code) -> None:
        super().__init__(context, code)
        self.array_words = 0
        self.sizes: dict[str, int] = {}
        self.steady: frozenset[str] = frozenset()  # parameters that stay as they are

    def reserve(self, bodies: Iterable[ir.Body], parameters: Collection[str] = ()) -> None:
        """Give each array its place, and take room for all of them."""
        bodies = list(bodies)
        sizes: dict[str, int] = {}
        for statement in (s for body in bodies for s in statements(body)):
            match statement:
                case ir.NewArray(name=name, size=size):
                    sizes[name] = max(size, sizes.get(name, 0))
                case ir.Scan() if kept_words(statement):
                    sizes[kept_name(statement)] = kept_words(statement)
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
        """Where an array of this size comes to lie."""
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
        """An index that fits in every position a game can reach; a search also asks about imagined ones."""
        code, name = self.code, self.code.temporary()
        self.value(index)
        code.tee(name)
        code.const(size)
        code.op("i32.ge_u")
        with code.when():
            self.trap(BEYOND)
        return ir.Local(name)
