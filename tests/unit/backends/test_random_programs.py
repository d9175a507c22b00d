"""Programs made up at random: stepping with frames, direct style and the interpreter must agree.

The direct style of the playout never sees a frame or a block, so it checks the pause pass independently.
"""

from __future__ import annotations

import random
from dataclasses import replace
from types import ModuleType

import pytest

from ruleforge.backends import native, python_source, reference
from ruleforge.backends.api import words
from ruleforge.compiler import ir
from ruleforge.compiler.ir import (
    Ask,
    Break,
    CallExpr,
    Const,
    Each,
    Element,
    Expr,
    Finish,
    ForRange,
    If,
    Load,
    Logic,
    NewArray,
    Note,
    Offer,
    Perform,
    Random,
    Return,
    Scan,
    Select,
    Set,
    SetElement,
    Statement,
    Store,
    While,
)
from tests.unit.backends.programs import disc_column, function, let, op, program, site, x

BASE = ir.HEADER - 1  # four slots, then one that counts
SIZE = 4
RELATION = (((1, 2), (3, 0)), ((2, 2),), (), ((0, 1), (1, 1), (2, 3)))


class Author:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.loops = 0

    def value(self, names: list[str], depth: int = 2) -> Expr:
        """A number in 0..3, made of anything."""
        pick = self.rng.randrange(9 if depth else 3)
        if pick == 0:
            return Const(self.rng.randrange(4))
        if pick == 1:
            return Load(BASE, op(self.value(names, 0), "+", 1))
        if pick == 3:
            return op(op(self.value(names, depth - 1), "+", self.value(names, depth - 1)), "&", 3)
        if pick == 4:
            return Select(
                self.test(names, depth - 1), self.value(names, depth - 1), self.value(names, depth - 1)
            )
        if pick == 5:
            return CallExpr("pure", (self.value(names, depth - 1), self.value(names, 0)))
        if pick == 6:
            return Element("box", self.value(names, depth - 1))
        if pick == 7:
            return op(self.value(names, 0), self.rng.choice(("min", "max")), self.value(names, depth - 1))
        return x(self.rng.choice(names))

    def test(self, names: list[str], depth: int = 1) -> Expr:
        if depth and self.rng.random() < 0.3:
            return Logic(self.rng.choice(("and", "or")), (self.test(names, 0), self.test(names, depth - 1)))
        sign = self.rng.choice(("==", "!=", "<", "<=", ">", ">="))
        return op(self.value(names, depth), sign, self.value(names, 0))

    def body(self, names: list[str], depth: int, calls: tuple[str, ...], in_loop: bool = False) -> ir.Body:
        out: list[Statement] = []
        for _ in range(self.rng.randint(1, 4)):
            out.extend(self.statement(names, depth, calls, in_loop))
        return tuple(out)

    def statement(self, names: list[str], depth: int, calls: tuple[str, ...], in_loop: bool) -> ir.Body:
        rng, name = self.rng, self.rng.choice(names)
        pick = rng.randrange(16 if depth else 9)
        if pick in (0, 1):
            return (Set(name, self.value(names)),)
        if pick == 2:
            return (Store(BASE, op(self.value(names, 0), "+", 1), self.value(names)),)
        if pick == 3:
            return (SetElement("box", self.value(names, 0), self.value(names)),)
        if pick == 4:
            return (Random(name, Const(4)), Note(0, (x(name),)))
        if pick == 5 and in_loop:
            return (If(self.test(names), (Break(),)),)
        if pick == 6:
            return (If(self.test(names), (Return(self.value(names)),)),) if rng.random() < 0.3 else ()
        if pick in (5, 7):
            asked = (self.value(names), x(rng.choice(names)))
            number = self.next_site
            self.next_site += 1
            return (Ask(number, Const(rng.choice((1, 2))), asked, name), Set(name, op(name, "&", 3)))
        if pick == 8:
            callee = rng.choice(("effect", *calls))
            return (Perform(callee, (self.value(names), self.value(names, 0)), rng.choice((name, None))),)
        inner = self.body(names, depth - 1, calls, in_loop=pick > 10)
        if pick in (9, 10):
            return (If(self.test(names), inner, self.body(names, depth - 1, calls, in_loop)),)
        self.loops += 1
        loop = f"loop{self.loops}"
        mixed = (*inner, Set(name, op(op(name, "+", loop), "&", 3)))
        if pick in (11, 12):
            high = self.value(names, 0) if pick == 11 else Const(rng.randrange(3))
            return (ForRange(loop, Const(rng.randrange(2)), high, mixed),)
        if pick == 13:
            return (Each((loop, f"{loop}b"), 0, self.value(names, 0), mixed),)
        if pick == 14:  # 4 is no value of the column
            return (
                Scan(loop, BASE, SIZE, op(self.value(names, 0), "+", rng.randrange(2)), mixed, frozen=True),
            )
        counted = (Set(loop, op(loop, "+", 1)), *inner)
        return (let(loop, 0), While(Logic("and", (op(loop, "<", 3), self.test(names))), counted))

    def routine(self, name: str, calls: tuple[str, ...], depth: int) -> ir.Function:
        start = (NewArray("box", 4), let("c", 1), let("d", 2))
        body = self.body(["a", "b", "c", "d"], depth, calls)
        return ir.Function(name, ("a", "b"), (*start, *body, Return(op("c", "&", 3))))

    def program(self) -> ir.Program:
        self.next_site = 1
        inner = self.routine("inner", (), 2)
        outer = self.routine("outer", ("inner",), 2)
        main = function(
            "main",
            "",
            let("again", 0),
            While(
                op("again", "<", 4),
                (
                    let("again", op("again", "+", 1)),
                    Perform("outer", (op("again", "&", 3), Load(BASE + 1)), "result"),
                    Store(BASE + 2, None, x("result")),
                    Ask(self.next_site, Const(1), (x("again"), x("again")), "turn"),
                ),
            ),
            Finish(0, Const(0)),
        )
        effect = function(
            "effect",
            "a b",
            Store(BASE + 5, None, op(Load(BASE + 5), "+", 1)),
            If(op(Load(BASE + 5), ">", 40), (Finish(1, Const(1)),)),
            Store(BASE, op(op("a", "&", 3), "+", 1), op("b", "&", 3)),
            Return(op(op("a", "+", "b"), "&", 3)),
        )
        pure = function(
            "pure",
            "a b",
            If(op("a", "<", "b"), (Return(x("a")),)),
            Scan("i", BASE, SIZE, x("b"), (If(op("i", ">", "a"), (Return(op("i", "&", 3)),)),)),
            Return(Const(2)),
        )
        codes = function("codes", "a b", ForRange("i", x("a"), op("b", "+", 1), (Offer(x("i")),)))
        sites = [site(n, "codes", 8) for n in range(1, self.next_site + 1)]
        parts = [main, outer, inner, effect, pure, codes]
        column = replace(disc_column(BASE, SIZE), type=ir.Number(0, 3))
        return program(
            "made up",
            ir.HEADER + 5,
            200,
            parts,
            sites,
            {BASE + 2: 3, BASE + 3: 1},
            relations=(RELATION,),
            columns=(column,),
            indexed=(0,) if self.rng.random() < 0.5 else (),
        )


@pytest.mark.parametrize("backend", [python_source, native], ids=["python", "native"])
@pytest.mark.parametrize("first", range(0, 80, 20))
def test_backends_agree_on_made_up_programs(first: int, backend: ModuleType) -> None:
    for seed in range(first, first + 20):
        made = Author(seed).program()
        plain, fast = reference.compile(made), backend.compile(made)
        rng = random.Random(seed)
        row, twin = plain.new_row(seed), fast.new_row(seed)
        for _ in range(60):
            assert words(twin, made) == row, seed
            if not row[ir.SITE]:
                break
            end = plain.playout(plain.copy(row), random.Random(seed))
            assert words(fast.playout(fast.copy(twin), random.Random(seed)), made) == end, seed
            code = rng.choice(plain.codes(row))
            after, notes = fast.record(twin, code)
            assert (words(after, made), notes) == plain.record(row, code), seed
            assert list(fast.resume(twin, code)) == plain.resume(row, code), seed
            assert twin == fast.attach(row), seed
