"""Loops over slots in machine code: what is asked of several slots at once is what asking one by one gives."""

from __future__ import annotations

import random
from typing import Any

import pytest

from ruleforge.backends import native, reference
from ruleforge.backends.native.sieve import sieved
from ruleforge.compiler import ir
from ruleforge.compiler.ir import (
    Ask,
    Break,
    Const,
    Element,
    Expr,
    Finish,
    ForRange,
    If,
    Load,
    Logic,
    LogicNot,
    NewArray,
    Offer,
    Scan,
    Set,
    SetElement,
    Store,
    Table,
)
from ruleforge.compiler.visit import Node
from tests.unit.backends.programs import changed, function, op, program, site, x

SLOT = ir.HEADER + 3  # behind it the slots, and as many of another column
SIGNS = ("==", "!=", "<", ">", "<=", ">=")
CODES = 20_000


def game(slots: int, table: tuple[int, ...], start: dict[int, int], *offers: Node) -> ir.Program:
    main = function("main", "", Ask(1, Const(1), (Const(2),), "c"), Finish(0, Const(0)))
    listed = function("listed", "who", *offers)
    made = program("sieve", SLOT + 2 * slots + 1, 10, [main, listed], [site(1, "listed", CODES)], start)
    return changed(made, tables=(table,))


def question(rng: random.Random, slots: int) -> Expr:
    """A question about slot s, or about something else."""
    of = rng.choice((Load(SLOT, x("s")), Load(SLOT + slots, x("s")), Table(0, x("s"))))
    value = rng.choice(
        (Const(rng.randrange(-2, 3)), x("who"), Load(SLOT - 1), op(Load(SLOT - 2), "+", "who"))
    )
    sign = rng.choice(SIGNS)
    other = op(op("s", "%", 3), "!=", 1)
    both = Logic("and", (op(of, ">", -2), op(Load(SLOT, x("s")), "<=", value)))
    either = Logic("or", (op(of, "==", 0), rng.choice((both, op(of, sign, value), other))))
    return rng.choice((op(of, sign, value), op(value, sign, of), of, LogicNot(of), other, either))


def nested(rng: random.Random, slots: int, depth: int, first: int) -> If:
    """Tests in one another, and what is offered in their midst: a code of its own for each slot."""
    codes = (x("s"), op(op("s", "*", 11), "+", Load(SLOT, x("s"))), op("s", "*", "s"))
    then: tuple[ir.Statement, ...] = (Offer(op(rng.choice(codes), "+", first)),)
    if depth:
        then = (nested(rng, slots, depth - 1, first),)
    elif rng.random() < 0.2:
        then = (*then, If(op("s", ">", slots // 2), (Break(),)))
    asked = tuple(question(rng, slots) for _ in range(rng.randrange(1, 4)))
    other = (Offer(op("s", "+", first + 5900 - 90 * depth)),) if rng.random() < 0.15 else ()
    return If(asked[0] if len(asked) == 1 else Logic("and", asked), then, other)


@pytest.mark.parametrize("seed", range(60))
def test_asking_several_slots_at_once_finds_the_same(seed: int) -> None:
    rng = random.Random(seed)
    slots = rng.choice((9, 16, 17, 31, 48, 64, 70))
    table = tuple(rng.randrange(-2, 3) for _ in range(slots + 1 + rng.randrange(2)))
    start = {SLOT + k: rng.randrange(-2, 3) for k in range(-2, 2 * slots + 1)}
    depth = rng.randrange(3)
    loops = (
        ForRange("s", Const(1), Const(slots), (nested(rng, slots, depth, 10),)),
        Scan("s", SLOT, slots, Const(1), (nested(rng, slots, depth, 10_000),)),
    )
    made = game(slots, table, start, *loops)
    plain, machine = reference.compile(made), native.compile(made)
    expected = list(plain.codes(plain.new_row(3)))
    assert list(machine.codes(machine.new_row(3))) == expected


@pytest.mark.parametrize("seed", range(12))
def test_what_is_kept_over_a_pause_is_found_so_too(seed: int) -> None:
    """The loop writes what it finds into its frame, which lies in the row."""
    rng = random.Random(seed)
    slots = rng.choice((9, 16, 31, 70))
    keep = (SetElement("found", x("n"), x("s")), Set("n", op("n", "+", 1)))
    asked = Logic("and", tuple(question(rng, slots) for _ in range(2)))
    wait = Ask(1, Const(1), (Const(2),), "c")
    main = function(
        "main",
        "",
        NewArray("found", slots),
        Set("n", Const(0)),
        Set("who", Const(1)),
        ForRange("s", Const(1), Const(slots), (If(asked, keep),)),
        wait,
        Store(SLOT, None, Element("found", Const(1))),
        Store(SLOT - 1, None, x("n")),
        wait,
        Finish(0, Const(0)),
    )
    listed = function("listed", "who", Offer(Const(1)))
    start = {SLOT + k: rng.randrange(-2, 3) for k in range(-2, 2 * slots + 1)}
    made = program("kept", SLOT + 2 * slots + 1, slots + 20, [main, listed], [site(1, "listed", 9)], start)
    made = changed(made, tables=(tuple(rng.randrange(-2, 3) for _ in range(slots + 1)),))
    plain, machine = reference.compile(made), native.compile(made)
    one, other = plain.new_row(3), machine.new_row(3)
    assert list(one)[: made.row_size] == list(other)[: made.row_size]
    plain.resume_codes(one, 1)
    machine.resume_codes(other, 1)
    assert list(one)[: made.row_size] == list(other)[: made.row_size]


def test_ways_are_asked_together_if_all_of_them_can_be() -> None:
    slot = Load(SLOT, x("s"))
    range_ = Logic("and", (op(slot, ">", 3), op(slot, "<=", 7)))
    for other, many in ((op(slot, "==", 9), 1), (op(op("s", "%", 3), "==", 1), 0)):
        loop = ForRange("s", Const(1), Const(20), (If(Logic("or", (range_, other)), (Offer(x("s")),)),))
        assert len(sieved(loop)[0]) == many


def test_a_frame_that_an_iteration_writes_is_asked_iteration_by_iteration() -> None:
    iteration: Any = (ir.FrameStore(4, None, x("s")),)
    in_frame: Any = ir.FrameLoad(4)
    for value, many in ((Const(2), 1), (in_frame, 0)):
        loop = ForRange("s", Const(1), Const(20), (If(op(Load(SLOT, x("s")), "==", value), iteration),))
        assert len(sieved(loop)[0]) == many


def test_what_an_iteration_changes_is_asked_iteration_by_iteration() -> None:
    here = op(Load(SLOT, x("s")), "==", 0)
    fixed = ForRange("s", Const(1), Const(20), (If(here, (Offer(x("s")),)),))
    assert len(sieved(fixed)[0]) == 1
    for changing in (Store(SLOT + 3, None, Const(1)), Set("s", Const(2))):
        iterations = ForRange(
            "s", Const(1), Const(20), (If(op(Load(SLOT, x("s")), "==", "s"), (Offer(x("s")), changing)),)
        )
        assert sieved(iterations) == ((), iterations.body)
    counted = (Set("n", op("n", "+", 1)),)
    iterations = ForRange("s", Const(1), Const(20), (If(op(Load(SLOT, x("s")), "==", "n"), counted),))
    assert sieved(iterations) == ((), iterations.body)
