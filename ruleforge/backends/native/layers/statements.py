"""Emit calls and all other statements of the intermediate form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from ruleforge.backends.native.code import Code, Label
from ruleforge.backends.native.connectivity import Tail
from ruleforge.backends.native.context import Context
from ruleforge.backends.native.encode import I32
from ruleforge.backends.native.layers.addresses import ROW
from ruleforge.backends.native.layers.choice_list import Listing
from ruleforge.backends.native.layers.walks import Walks
from ruleforge.compiler import ir
from ruleforge.compiler.passes.expressions import simple
from ruleforge.compiler.passes.folding import fold
from ruleforge.compiler.passes.substitution import renamed, substitute
from ruleforge.compiler.visit import Expression, Node, assigned, statements


class Placing(Walks, Listing):
    """Emits calls. A return from an inlined body branches to its end."""

    def __init__(self, context: Context, code: Code) -> None:
        super().__init__(context, code)
        self.exits: list[Label] = []  # of the functions in place
        self.placed: list[str] = []

    def call_plain(self, function: str, arguments: tuple[Expression, ...]) -> None:
        """Inline a small function as a block that leaves its value.

        A return branches to the end of the block.
        """
        if not self.context.is_small(function) or function in self.placed:
            self.call_other(function, arguments)
            return
        body = self.with_arguments(function, arguments)
        outer, self.leave_loop = self.leave_loop, []
        self.placed.append(function)
        with self.code.block(I32) as end:
            self.exits.append(end)
            self.body(body)
            self.code.const(0)
            self.exits.pop()
        self.placed.pop()
        self.leave_loop = outer

    def call_other(self, function: str, arguments: tuple[Expression, ...]) -> None:
        """Call a function. If it offers choices, it continues the list."""
        offers = self.context.program.plain[function].offers
        if offers:
            self.give_list()
        self.call(self.callee(function), arguments)
        if offers and self.listing:
            self.take_list()

    def callee(self, function: str) -> int:
        return self.context.plain(function)

    def with_arguments(self, function: str, arguments: tuple[Expression, ...]) -> ir.Body:
        """The body with locals of its own; arguments that cost nothing stand where they are used."""
        body = self.context.body(function)
        written = {name for s in statements(body) for name in assigned(s)}
        prefix = f"{self.code.temporary()}."
        values: dict[str, Expression] = {}
        bound: list[str] = []
        for name, argument in zip(self.context.program.plain[function].parameters, arguments, strict=True):
            if name not in written and simple(argument):
                values[name] = argument
            else:
                self.value(argument)
                self.code.set(prefix + name)
                bound.append(name)
        placed = fold(substitute(renamed(body, prefix, bound), values), self.context.program.tables)
        self.reach.learn((placed,), [prefix + name for name in bound])
        return placed


class Statements(Placing):
    """Emits statements. Subclasses define how a function returns."""

    def body(self, body: Iterable[Node]) -> None:
        for statement in body:
            getattr(self, "do_" + type(statement).__name__.lower())(statement)

    # --- plain statements ---

    def do_set(self, s: ir.Set) -> None:
        self.value(s.value)
        self.code.set(s.name)

    def do_store(self, s: ir.Store) -> None:
        tails = self.tails_of(s)
        if tails:
            self.store_in_groups(s, tails)
            return
        offset = self.slot(s.base, s.index)
        self.value(s.value)
        self.code.store(offset)

    def do_perform(self, s: ir.Perform) -> None:
        self.call_plain(s.function, s.arguments)
        self.code.op("drop") if s.into is None else self.code.set(s.into)

    def do_random(self, s: ir.Random) -> None:
        self.code.get(ROW)
        self.value(s.bound)
        self.code.call(self.context.library("draw"))
        self.code.set(s.into)

    def do_trap(self, s: ir.Trap) -> None:
        self.trap(s.fault)

    def do_link(self, s: ir.Link) -> None:
        with self.counting(ir.CHAIN_LENGTH, 1, self.context.program.chain):
            self.trap(ir.RUNAWAY)

    def do_spend(self, s: ir.Spend) -> None:
        with self.counting(ir.WORK_DONE, s.work, self.context.program.work):
            self.code.get(ROW)
            self.code.load(4 * ir.CHAIN_LENGTH)
            self.code.const(ir.LONG)
            self.code.op("i32.gt_s")
            with self.code.when():
                self.trap(ir.RUNAWAY)
            self.trap(s.fault)

    @contextmanager
    def counting(self, word: int, more: int, most: int) -> Iterator[None]:
        """Increment a word of the head. The code inside runs if the word exceeds its limit."""
        code, now = self.code, self.code.temporary()
        code.get(ROW)
        code.get(ROW)
        code.load(4 * word)
        code.const(more)
        code.op("i32.add")
        code.tee(now)
        code.store(4 * word)
        code.get(now)
        code.const(most)
        code.op("i32.gt_s")
        with code.when():
            yield

    def do_note(self, s: ir.Note) -> None:
        """Count the event if a measure needs it. Generated Python records events and makes the same rows."""
        memory = self.context.memory
        for number, measure in enumerate(self.context.program.measures):
            if s.note in measure.notes:
                self.code.const(0)
                self.code.const(0)
                self.code.load(memory.counts + 4 * number)
                self.code.const(1)
                self.code.op("i32.add")
                self.code.store(memory.counts + 4 * number)

    # --- connectivity indexes, whose marks go with what cells hold ---

    def tails_of(self, s: ir.Store) -> list[Tail]:
        """The connectivity indexes that a store touches."""
        return [tail for tail in self.context.memory.group_indexes if tail.groups.holds(s)]

    def store_in_groups(self, s: ir.Store, tails: list[Tail]) -> None:
        code, cell, old, base = self.code, self.code.temporary(), self.code.temporary(), tails[0].groups.base
        self.value(ir.Const(s.base - base) if s.index is None else s.index)
        code.set(cell)
        offset = self.slot(base, ir.Local(cell))
        code.load(offset)
        code.set(old)
        self.slot(base, ir.Local(cell))
        self.value(s.value)
        code.store(offset)
        for tail in tails:
            code.get(ROW)
            code.const(self.context.memory.groups(tail))
            code.get(cell)
            code.get(old)
            code.call(self.context.library("cell_changed"))

    # --- control ---

    def do_if(self, s: ir.If) -> None:
        match s:
            case ir.If(then=(ir.If(other=()) as inner,), other=()):
                self.do_if(ir.If(_both(s.test, inner.test), inner.then, place=s.place))
            case ir.If(test=test, then=(ir.Offer(code=offered),), other=()) if self.offers_without_branch(
                test, offered
            ):
                self.offer_if(test, offered)
            case _:
                self.branch(s)

    def branch(self, s: ir.If) -> None:
        with self.code.block() as end:
            if not s.other:
                self.jump(s.test, end, False)
                self.body(s.then)
                return
            with self.code.block() as other:
                self.jump(s.test, other, False)
                self.body(s.then)
                self.code.br(end)
            self.body(s.other)

    # --- leaving ---

    def do_return(self, s: ir.Return) -> None:
        self.value(s.value)
        self.leave_with_value()

    def leave_with_value(self) -> None:
        if self.exits:
            self.code.br(self.exits[-1])
            return
        self.give_list()
        self.release()
        self.code.op("return")

    def do_finish(self, s: ir.Finish) -> None:
        self.put_word(ir.OUTCOME, 1 + s.ending)
        self.code.get(ROW)
        self.value(s.winners)
        self.code.store(4 * ir.WINNERS)
        self.leave()

    def do_unwind(self, s: ir.Unwind) -> None:
        self.code.get(ROW)
        self.code.load(4 * ir.OUTCOME)
        with self.code.when():
            self.leave()

    def leave(self) -> None:
        """Return because the game is over."""
        self.code.const(0)
        self.leave_with_value()


def _both(one: Expression, other: Expression) -> ir.Logic:
    parts = (part for e in (one, other) for part in (e.parts if _is_and(e) else (e,)))
    return ir.Logic("and", tuple(parts))


def _is_and(e: Expression) -> bool:
    return isinstance(e, ir.Logic) and e.op == "and"


# Calls of functions. Small functions are inlined.
