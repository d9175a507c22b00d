"""Calls of functions -> the call, or the body of a small one in its place."""

from __future__ import annotations

from ruleforge.backends.native.code import Code, Label
from ruleforge.backends.native.context import Context
from ruleforge.backends.native.encode import I32
from ruleforge.backends.native.layers.choice_list import Listing
from ruleforge.backends.native.layers.walks import Walks
from ruleforge.compiler import ir
from ruleforge.compiler.passes.expressions import simple
from ruleforge.compiler.passes.folding import fold
from ruleforge.compiler.passes.substitution import renamed, substitute
from ruleforge.compiler.visit import Expression, assigned, statements


class Placing(Walks, Listing):
    """Emits calls; what returns from a body in place goes to its end."""

    def __init__(self, context: Context, code: Code) -> None:
        super().__init__(context, code)
        self.exits: list[Label] = []  # of the functions in place
        self.placed: list[str] = []

    def call_plain(self, function: str, arguments: tuple[Expression, ...]) -> None:
        """A small function becomes a block that leaves its value; what returns from it goes to the block's end."""
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
        """One that offers goes on with the list."""
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
