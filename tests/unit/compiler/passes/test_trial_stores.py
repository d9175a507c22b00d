"""What trials write and do not ask about is not written, and they say the same; what runs for good writes everything."""

from __future__ import annotations

import random

import pytest

import ruleforge
from ruleforge.backends import reference
from ruleforge.backends.faults import Trapped
from ruleforge.compiler import ir
from ruleforge.compiler.ir import (
    Ask,
    CallExpr,
    ColumnInfo,
    Const,
    Expr,
    Finish,
    ForRange,
    If,
    Load,
    Offer,
    Perform,
    Return,
    Statement,
    Store,
    Trap,
    Trial,
)
from ruleforge.compiler.passes.trial_elision import unasked
from ruleforge.compiler.visit import statements
from tests.inside import variant_of
from tests.unit.backends.programs import changed, function, let, op, program, site, x

FIRST, SIZE, COLUMNS = ir.HEADER, 4, 5


def base(column: int) -> int:
    return FIRST + column * SIZE - 1


def value(rng: random.Random) -> Expr:
    column = base(rng.choice((0, 0, 0, 1, 2)))
    plain = Load(column, op(op("a", "&", 3), "+", 1)), Load(column + rng.randrange(1, SIZE + 1)), x("b")
    dear = op(plain[0], "*", 1 << 20, checked=True), CallExpr("sum", (Const(rng.randrange(COLUMNS)),))
    return rng.choice((*plain, *plain, *dear, op(plain[0], "-", plain[1])))


def statement(rng: random.Random) -> Statement:
    column, index = base(rng.randrange(COLUMNS)), op(op("b", "&", 3), "+", 1)
    store = rng.choice((Store(column, index, value(rng)), Store(column + 1, None, value(rng))))
    test = op(value(rng), rng.choice(("<", "==", ">")), value(rng))
    end = rng.choice((Trap(0), Return(value(rng)), store, store))
    loop = ForRange("k", Const(1), Const(SIZE), (Store(column, x("k"), value(rng)),))
    return rng.choice((store, store, let("a", op(value(rng), "&", 1023)), If(test, (end,)), loop))


def game(rng: random.Random) -> ir.Program:
    effect = function("effect", "a b", *(statement(rng) for _ in range(rng.randrange(1, 7))))
    asks = Return(op(value(rng), "&", 0xFFFF))
    attempt = function(
        "attempt", "a b", Perform("effect", (x("a"), x("b"))), *(statement(rng) for _ in range(2)), asks
    )
    words = (let("n", op("n", "+", op(Load(base(0), x("i")), "&", 255))),)
    summed = function("sum", "c", let("n", 0), ForRange("i", Const(1), Const(SIZE), words), Return(x("n")))
    asked = function("asked", "a b", Return(Trial("attempt", (x("a"), x("b")))))
    often = rng.random() < 0.3  # then it is run for good, too
    main = function(
        "main",
        "",
        Ask(1, Const(1), (), "c"),
        *((Perform("effect", (x("c"), x("c"))),) if often else ()),
        Finish(0, Const(0)),
    )
    start = {FIRST + k: rng.randrange(-5000, 5000) for k in range(COLUMNS * SIZE)}
    parts = [main, function("all", "", Offer(Const(0))), effect, attempt, summed, asked]
    made = program("unasked", FIRST + COLUMNS * SIZE, 10, parts, [site(1, "all", 1)], start)
    columns = (ColumnInfo(f"c{c}", 1, base(c), SIZE, (), ir.Number(), 0, None) for c in range(COLUMNS))
    return changed(made, columns=tuple(columns))


def stores(made: ir.Lowered, name: str) -> int:
    return sum(isinstance(s, Store) for s in statements(made.functions[name].body))


def played(runtime: reference.Interpreter) -> object:
    """What the one choice leads to."""
    try:
        return runtime.record(runtime.new_row(1), 0)
    except Trapped as trapped:
        return trapped.fault


def test_trials_say_the_same() -> None:
    fewer = 0
    for seed in range(200):
        rng = random.Random(seed)
        made = game(rng)
        less = changed(made, functions=unasked(made).functions)
        fewer += stores(less, "effect") < stores(made, "effect")
        plain, other = reference.compile(made), reference.compile(less)
        for _ in range(8):
            given = rng.randrange(-9, 99), rng.randrange(-9, 5000)
            said = plain.call("asked", plain.new_row(1), given)
            assert other.call("asked", other.new_row(1), given) == said, seed
        assert played(other) == played(plain), seed
    assert fewer > 50


@pytest.mark.parametrize(("name", "left"), [("tried event relocate", 4), ("event relocate", 6)])
def test_a_tried_move_in_chess_leaves_clock_and_rights_alone(name: str, left: int) -> None:
    functions = variant_of(ruleforge.load("chess").start()).program.functions
    assert sum(isinstance(s, Store) for s in statements(functions[name].body)) == left
