"""Lines as bits in machine code: the first taken slot of a line, and all taken slots of a set, are what a loop finds."""

from __future__ import annotations

import random

import pytest

from ruleforge.backends import native, reference
from ruleforge.backends.native.memory import Memory
from ruleforge.backends.native.scan import FEWEST, bases, meeting
from ruleforge.compiler import ir
from ruleforge.compiler.ir import Ask, Break, Const, Each, Finish, If, Load, Offer, Set, Statement, Store
from tests.unit.backends.programs import changed, function, op, program, site, x

SLOT = ir.HEADER + 2


def rows(rng: random.Random, most: int, mixed: bool) -> tuple[tuple[int, ...], ...]:
    """Rows that rise or fall; some have no number at all, and one among mixed ones neither rises nor falls."""
    found = []
    for _ in range(9):
        row = sorted(rng.sample(range(1, most + 1), rng.randrange(0, min(8, most))))
        found.append(tuple(row if rng.random() < 0.5 else row[::-1]))
    return (*found, (2, 1, 3)) if mixed else tuple(found)


def loop(rng: random.Random, number: int) -> Each:
    """Something with what is met: a code of its own for each loop, place and value."""
    name = f"t{number}"
    code = op(op(op(name, "*", 10), "+", Load(SLOT, x(name))), "+", 1000 * number)
    then: tuple[Statement, ...] = (If(op(Load(SLOT, x(name)), "!=", rng.randrange(1, 4)), (Offer(code),)),)
    if rng.random() < 0.2:
        then = (If(op(name, ">", 5), (Break(),)), *then)
    then = (*then, Break()) if rng.random() < 0.8 else then
    return Each(
        (name,), rng.randrange(2), Const(rng.randrange(9)), (If(op(Load(SLOT, x(name)), "!=", 0), then),)
    )


def game(start: dict[int, int], relations: ir.Program | tuple, *body: Statement) -> ir.Program:  # type: ignore[type-arg]
    main = function("main", "", Ask(1, Const(1), (), "c"), Finish(0, Const(0)))
    made = program(
        "lines", SLOT + 65, 10, [main, function("listed", "", *body)], [site(1, "listed", 9000)], start
    )
    return changed(made, relations=relations)


@pytest.mark.parametrize("seed", range(40))
def test_bits_meet_what_loops_meet(seed: int) -> None:
    rng = random.Random(seed)
    most = rng.choice((5, 16, 40, 64))
    relations = (rows(rng, most, False), rows(rng, most, seed % 4 == 0))
    start = {SLOT + k: rng.choice((0, 0, 0, 1, 2, 3)) for k in range(1, 65)}
    made = game(start, relations, *(loop(rng, number) for number in range(8)))
    plain, fast = reference.compile(made), native.compile(made)
    assert fast.codes(fast.new_row(1)) == plain.codes(plain.new_row(1))


def test_only_functions_that_change_nothing_look_ahead() -> None:
    rng = random.Random(1)
    several = tuple(loop(rng, number) for number in range(9))
    assert sum(met is not None and met.first for met in map(meeting, several)) >= FEWEST
    assert bases(several, lambda _: True) == (SLOT,)
    assert bases((*several, Store(SLOT + 1, None, Const(0))), lambda _: True) == ()
    assert bases(several, lambda _: False) == ()


def test_rows_without_an_order_or_with_large_numbers_have_no_bits() -> None:
    memory = Memory(
        game({}, (((1, 2), (3, 1)), ((1, 3, 2),), ((65,),), ((0,),), (((1, 2),),)), Set("a", Const(1)))
    )
    assert memory.bits(0) is not None and not memory.bits(0).rises  # type: ignore[union-attr]
    assert [memory.bits(number) for number in range(1, 5)] == [None] * 4
