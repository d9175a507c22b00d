"""Ranges of the values of programs: what is given, what is stored, what comes back from functions."""

from __future__ import annotations

import pytest

from ruleforge.analysis.intervals import FLAG, WORD, Interval, single
from ruleforge.analysis.ranges import Ranges, ValueRanges
from ruleforge.compiler import ir
from ruleforge.compiler.ir import (
    Ask,
    CallExpr,
    Const,
    Finish,
    ForRange,
    If,
    Load,
    Perform,
    Return,
    Set,
    Table,
    While,
)
from tests.unit.backends.programs import SEATS, cells, changed, function, let, op, program, site, x

BASE = ir.HEADER - 1
NUMBERS = ir.ColumnInfo("player.coins", 0, BASE, 2, (), ir.Number(3, 9), 3, None)
FLAGS = ir.ColumnInfo("player.out", 0, BASE + 2, 2, (), ir.Flag(), 0, None)
LEFT = ir.ColumnInfo("player.pile", 0, BASE + 4, 4, (1,), ir.Number(0, 50), 0, None)
START = {BASE + 1: 3, BASE + 2: 3}


def game(*functions: ir.Function, main: tuple[ir.Statement, ...] = ()) -> ir.Program:
    whole = function("main", "", *main, Ask(1, Const(1), (Const(1),), "code"), Finish(0, Const(0)))
    listed = function("listed", "who", ir.Offer(Const(1)))
    parts = [whole, listed, *functions]
    made = program("ranges", BASE + 9, 20, parts, [site(1, "listed", 4)], START)
    return changed(made, columns=(NUMBERS, FLAGS, LEFT), kinds=(SEATS, cells(2)), tables=((4, 0, 7),))


def test_loads_have_the_range_of_their_type():
    values = ValueRanges(game())
    assert values.of(Load(BASE + 1)) == values.of(Load(BASE, x("p"))) == Interval(3, 9)
    assert values.of(Load(BASE + 2, x("p"))) == FLAG
    assert values.of(Load(ir.HEADER - 2)) == WORD


def test_a_product_as_index_may_count_from_another_base():
    """The pile of player p and cell 1: ((p - 1) * 2 + 1), of which -1 went into the base."""
    load = Load(BASE + 3, op("p", "*", 2))
    ranges = Ranges(game(function("pile", "p", Return(load)), main=(Perform("pile", (Const(2),)),)))
    assert ranges.within("pile", load) == Interval(0, 50)


def test_a_start_outside_of_the_type_counts():
    unset = ir.ColumnInfo("player.goal", 0, BASE, 2, (), ir.Number(4, 9), 0, None)
    assert ValueRanges(changed(game(), columns=(unset,))).of(Load(BASE + 1)) == Interval(3, 9)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (Table(0, x("i")), Interval(0, 7)),
        (op(5, "<", "i"), FLAG),
        (op(3, "<", 5), single(1)),
        (op("i", "%", 6), Interval(0, 5)),
        (op(Load(BASE + 1), "+", Load(BASE + 2)), Interval(6, 18)),
        (op(Load(BASE + 1), "//", 3), Interval(1, 3)),
        (ir.Select(x("i"), Const(2), Const(8)), Interval(2, 8)),
        (ir.Negate(Load(BASE + 1)), Interval(-9, -3)),
    ],
)
def test_expressions(expression: ir.Expr, expected: Interval):
    assert ValueRanges(game()).of(expression) == expected


def test_arguments_and_results_are_followed_through_calls():
    """Also where the result of a function grows after its callers were looked at."""
    outer = function("outer", "", Return(op(CallExpr("inner", ()), "*", 2)))
    inner = function("inner", "", Return(CallExpr("innermost", (Const(4),))))
    innermost = function("innermost", "k", Return(op("k", "+", 1)))
    takes = function("takes", "amount", Return(x("amount")))
    ranges = Ranges(game(takes, outer, inner, innermost, main=(Perform("takes", (CallExpr("outer", ()),)),)))
    assert ranges.within("takes", x("amount")) == Interval(0, 10)
    assert ranges.within("innermost", x("k")) == single(4)
    assert ranges.within("listed", x("who")) == single(1)


def test_what_nobody_calls_may_be_given_anything():
    ranges = Ranges(game(function("asked", "p", Return(x("p")))))
    assert ranges.within("asked", x("p")) == WORD


def test_a_counter_grows_as_far_as_a_word_goes():
    counting = (
        let("n", 0),
        While(op("n", "<", 90), (Set("n", op("n", "+", 1)), Set("m", op("n", "min", 20)))),
    )
    ranges = Ranges(game(main=counting))
    assert ranges.within("main", x("n")) == Interval(0, WORD.high)
    assert ranges.within("main", x("m")) == Interval(0, 20)


def test_loops_have_iterations():
    values = ValueRanges(game())
    body = (If(x("i"), ()),)
    assert values.iterations(ForRange("i", Const(2), Load(BASE + 1), body)) == 8
    assert values.iterations(ForRange("i", Const(2), op("n", "min", 6), body)) == 5
    assert values.iterations(ForRange("i", Const(5), Const(2), body)) == 0
    assert values.iterations(ForRange("i", Const(2), x("n"), body)) is None
    assert values.iterations(While(x("n"), body)) is None
    assert values.iterations(ir.Scan("i", BASE, 2, Const(0), body)) == 2
