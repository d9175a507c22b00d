"""Whether anything has a value, asked about all values at once."""

from __future__ import annotations

import random

import pytest

from ruleforge.backends import reference
from ruleforge.compiler import ir
from ruleforge.compiler.ir import Ask, Const, Finish, ForRange, If, Load, Logic, Offer, Return
from ruleforge.compiler.value_sets import HIGHEST, by_value
from tests.unit.backends.programs import function, op, program, site, x

SLOT, SIZE = ir.HEADER, 9
HERE = Load(SLOT, x("i"))


def looking(test: ir.Expr, *more: ir.Statement) -> ir.Function:
    loop = ForRange("i", Const(1), Const(SIZE), (If(test, (Return(Const(1)),)), *more))
    return function("any_1", "least t", loop, Return(Const(0)))


@pytest.mark.parametrize(
    "test",
    [
        op(HERE, "==", "t"),
        op("t", "==", op(HERE, "+", "i")),
        Logic("and", (op(HERE, ">", "least"), op(HERE, "==", "t"), op("i", "!=", 3))),
    ],
)
def test_bits_are_what_each_value_gives(test: ir.Expr) -> None:
    one = looking(test)
    found = by_value(one)
    assert found is not None and found.position == 1 and found.function.parameters == ("least",)
    main = function("main", "", Ask(1, Const(1), (), "c"), Finish(0, Const(0)))
    rng = random.Random(1)
    for _ in range(20):
        start = {SLOT + k: rng.randrange(-3, 40) for k in range(1, SIZE + 1)}
        functions = [main, function("all", "", Offer(Const(0))), one, found.function]
        runtime = reference.compile(
            program("bits", SLOT + SIZE + 1, 10, functions, [site(1, "all", 1)], start)
        )
        row = runtime.new_row(0)
        least = rng.randrange(20)
        bits = runtime.call(found.function.name, row, (least,))
        for value in range(HIGHEST + 1):
            assert bits >> value & 1 == runtime.call("any_1", row, (least, value))


def test_what_speaks_of_the_value_elsewhere_is_asked_for_each() -> None:
    assert by_value(looking(op(HERE, "<", "t"))) is None
    assert by_value(looking(Logic("and", (op(HERE, "==", "t"), op("i", "<", "t"))))) is None
    assert by_value(looking(op(HERE, "==", "t"), If(op("i", "==", "t"), (Return(Const(0)),)))) is None
    assert by_value(function("one", "t", Return(op("t", "==", 3)))) is None
