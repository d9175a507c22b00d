"""Loops that count or go on while something holds -> instructions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from ruleforge.backends.native.code import Code, Label
from ruleforge.backends.native.context import Context
from ruleforge.backends.native.layers.arrays import Arrays
from ruleforge.compiler import ir
from ruleforge.compiler.visit import Node


class Loops(Arrays):
    """Emits loops; a Break goes behind the innermost."""

    def __init__(self, context: Context, code: Code) -> None:
        super().__init__(context, code)
        self.leave_loop: list[Label] = []

    def body(self, body: Iterable[Node]) -> None:
        raise TypeError("only statements know what stands in a loop")

    @contextmanager
    def looping(self) -> Iterator[tuple[Label, Label]]:
        """A loop: the labels behind it and of its head; Break goes to the first."""
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
