"""Emit the list of choices. While a function offers choices, a local holds the end of the list."""

from __future__ import annotations

from ruleforge.backends.native.code import Code
from ruleforge.backends.native.context import END, Context
from ruleforge.backends.native.layers.expressions import Expressions
from ruleforge.backends.native.mailbox import TOO_MANY
from ruleforge.backends.native.memory import MOST_CHOICES
from ruleforge.compiler import ir
from ruleforge.compiler.passes.expressions import is_truth
from ruleforge.compiler.visit import Expression

LIST = "%list"


class Listing(Expressions):
    """Emits the code that appends choices."""

    def __init__(self, context: Context, code: Code) -> None:
        super().__init__(context, code)
        self.listing = False

    def take_list(self) -> None:
        self.code.get_global(END)
        self.code.set(LIST)
        self.listing = True

    def give_list(self) -> None:
        if self.listing:
            self.code.get(LIST)
            self.code.set_global(END)

    def do_offer(self, s: ir.Offer) -> None:
        self.lay(s.code)
        self.advance(LIST, 4)
        self.refuse_too_many()

    def lay(self, offered: Expression) -> None:
        """Write behind the end of the list without moving it.

        There is room for one choice even if the list is full.
        """
        self.code.get(LIST)
        self.value(offered)
        self.code.store()

    def refuse_too_many(self) -> None:
        code, memory = self.code, self.context.memory
        if memory.most_choices == MOST_CHOICES:
            code.get(LIST)
            code.const(memory.offers + 4 * MOST_CHOICES)
            code.op("i32.gt_u")
            with code.when():
                self.trap(TOO_MANY)

    def offer_if(self, test: Expression, offered: Expression) -> None:
        """Offer without a branch, which would often be mispredicted: the end moves by zero or one word."""
        code = self.code
        self.lay(offered)
        code.get(LIST)
        self.value(test)
        if not is_truth(test):
            code.const(0)
            code.op("i32.ne")
        code.const(2)
        code.op("i32.shl", "i32.add")
        code.set(LIST)
        self.refuse_too_many()

    def offers_without_branch(self, test: Expression, offered: Expression) -> bool:
        """Whether code without a branch is faster."""
        one_question = isinstance(test, ir.Binary) or self.reach.costs_little(test)
        return one_question and self.reach.costs_little(offered)
