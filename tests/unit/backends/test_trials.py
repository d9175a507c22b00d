"""Trials: every backend finds the same, and the row is afterwards what it was, however the trial was left."""

from __future__ import annotations

import random

import pytest

from ruleforge.backends import native, python_source, reference
from ruleforge.backends.native.context import Context
from ruleforge.backends.native.memory import Memory
from ruleforge.backends.native.trials import can_be_undone
from ruleforge.compiler import ir
from ruleforge.compiler.ir import (
    Ask,
    CallExpr,
    Const,
    Expr,
    Finish,
    ForRange,
    If,
    Load,
    Offer,
    Return,
    Statement,
    Store,
    Trap,
    Trial,
)
from ruleforge.compiler.passes.inline import Callers, Inliner
from tests.unit.backends.programs import function, let, op, program, site, x

SLOT, SIZE = ir.HEADER, 6
TRAP = 0


def value(rng: random.Random) -> Expr:
    here = Load(SLOT, op(op("a", "&", 3), "+", 1))
    doubled = op(here, "*", 1 << 20, checked=True)
    return rng.choice(
        (x("a"), x("b"), here, doubled, Load(SLOT + 2), CallExpr("sum", ()), op("b", "-", here))
    )


def statement(rng: random.Random, nested: bool) -> Statement:
    """With `nested` also stores in tests and in loops."""
    test = op(value(rng), rng.choice(("<", "==", ">")), value(rng))
    ends: list[Statement] = [Trap(TRAP), Return(value(rng))]
    ends += [Store(SLOT + 1, None, value(rng))] if nested else []
    again = ForRange("k", Const(1), Const(2), (Store(SLOT, x("k"), value(rng)),))
    some: tuple[Statement, ...] = (again,) if nested else ()
    return rng.choice(
        (
            *some,
            Store(SLOT, op(op("b", "&", 3), "+", 1), value(rng)),
            Store(SLOT + rng.randrange(1, SIZE), None, value(rng)),
            let("a", op(value(rng), "&", 1023)),
            If(test, (rng.choice(ends),)),
        )
    )


def game(rng: random.Random, nested: bool) -> ir.Program:
    body = [statement(rng, nested) for _ in range(rng.randrange(1, 9))]
    attempt = function("attempt", "a b", *body, Return(op(CallExpr("sum", ()), "&", 0xFFFF)))
    iterations = ForRange(
        "i", Const(1), Const(SIZE - 1), (let("n", op("n", "+", op(Load(SLOT, x("i")), "&", 255))),)
    )
    summed = function("sum", "", let("n", 0), iterations, Return(x("n")))
    asked = function("asked", "a b", Return(Trial("attempt", (x("a"), x("b")))))
    main = function("main", "", Ask(1, Const(1), (), "c"), Finish(0, Const(0)))
    start = {SLOT + k: rng.randrange(-5000, 5000) for k in range(SIZE)}
    listed = function("all", "", Offer(Const(0)))
    return program(
        "trials", SLOT + SIZE, 10, [main, listed, attempt, summed, asked], [site(1, "all", 1)], start
    )


def undone(made: ir.Program) -> bool:
    return can_be_undone(Context(made, Memory(made), Inliner(Callers(made.plain, ()))), "attempt")


@pytest.mark.parametrize("seed", range(50))
def test_trials_leave_nothing_behind(seed: int) -> None:
    rng = random.Random(seed)
    made = game(rng, nested=seed % 2 == 0)
    runtimes = [backend.compile(made) for backend in (reference, python_source, native)]
    for _ in range(12):
        given = rng.randrange(-9, 99), rng.randrange(-9, 5000)
        found = []
        for runtime in runtimes:
            row = runtime.new_row(1)
            before = list(row[: made.row_size])
            found.append(runtime.call("asked", row, given))
            again = runtime.call("asked", row, given)
            assert list(row[: made.row_size]) == before and again == found[-1]
        assert found[0] == found[1] == found[2]


def test_most_of_these_keep_old_words_in_locals() -> None:
    """Also those that store only here and there; what is stored again and again needs a log."""
    plain = [undone(game(random.Random(seed), nested=False)) for seed in range(50)]
    assert all(plain)
    assert not all(undone(game(random.Random(seed), nested=True)) for seed in range(50))
