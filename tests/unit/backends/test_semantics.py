"""Single nodes and corner cases, run by every backend."""

from __future__ import annotations

import random
from types import ModuleType

import pytest

from ruleforge.backends import native, python_source, reference
from ruleforge.backends.api import Runtime
from ruleforge.backends.faults import CompilerBug, Trapped
from ruleforge.backends.python_source.module import source
from ruleforge.compiler import ir
from ruleforge.compiler.ir import (
    Ask,
    Binary,
    CallExpr,
    Const,
    Each,
    Finish,
    If,
    Link,
    Load,
    Local,
    Logic,
    LogicNot,
    Member,
    Negate,
    Offer,
    Perform,
    Return,
    Scan,
    Select,
    Store,
    While,
)
from tests.unit.backends.programs import changed, disc_column, function, let, op, program, put, site, x

BACKENDS: list[ModuleType] = [reference, python_source, native]
SLOT = ir.HEADER
every_backend = pytest.mark.parametrize("backend", BACKENDS, ids=["reference", "python", "native"])


def calculator(expression: ir.Expr, *more: ir.Function) -> ir.Program:
    return program(
        "sum",
        ir.HEADER + 4,
        10,
        [
            function("main", "", Ask(1, Const(1), (), "c"), Finish(0, Const(0))),
            function("go", "a b", Return(expression)),
            function("all", "", Offer(Const(0))),
            *more,
        ],
        [site(1, "all", 1)],
        relations=(((), (3, 5), (7,)),),
    )


def run(backend: ModuleType, expression: ir.Expr, a: int = 0, b: int = 0, *more: ir.Function) -> int:
    runtime: Runtime = backend.compile(calculator(expression, *more))
    result = runtime.call("go", runtime.new_row(0), (a, b))
    assert type(result) is int, "a truth value leaked"
    return result


A, B = Local("a"), Local("b")
TESTS = [
    (op("a", "//", "b"), (-7, 2), -4),
    (op("a", "%", "b"), (-7, 2), 1),
    (op("a", "<", "b"), (1, 2), 1),
    (op("a", "min", op("b", "+", 1)), (5, 2), 3),
    (op(op("a", "max", "b"), "*", 2), (5, 2), 10),
    (op(op("a", "-", "b"), "-", op("a", "-", 1)), (5, 2), -1),
    (op("a", "-", op("b", "-", 3)), (5, 2), 6),
    (op(op("a", "+", "b"), "*", op("a", "-", "b")), (5, 2), 21),
    (op(op("a", "<", 3), "+", op("b", "<", 3)), (5, 2), 1),
    (op(op("a", "<", 9), "&", op("b", "<", 3)), (5, 2), 1),
    (op(op("a", "<", "b"), "==", op("b", "<", "a")), (5, 2), 0),
    (op(Logic("or", (op("a", "!=", 0), op("b", "!=", 0))), "+", 5), (7, 0), 6),
    (op(Logic("and", (op("a", "<", 9), op("b", "!=", 0))), "*", 3), (7, 4), 3),
    (op(Logic("or", (op("a", "==", 0), op("b", "!=", 0))), "==", op("b", "-", 3)), (7, 4), 1),
    (op(Logic("or", (op("a", "==", 0), op("b", "!=", 0))), "==", 1), (7, 4), 1),
    (op(Logic("or", (op("a", "==", 0), op("b", "!=", 0))), "==", 0), (7, 4), 0),
    (op("a", "<<", op("b", "&", 3)), (5, 2), 20),
    (Negate(op("a", "-", "b")), (5, 2), -3),
    (op(Negate(A), "*", -2), (5, 2), 10),
    (LogicNot(A), (5, 2), 0),
    (Logic("and", (op("a", ">", 1), LogicNot(op("b", "==", 3)))), (5, 2), 1),
    (Logic("or", (LogicNot(A), Logic("and", (op("b", "==", 2), op("a", "==", 5))))), (5, 2), 1),
    (Logic("and", (Member(0, Const(1), A), Member(0, Const(2), Const(7)))), (5, 2), 1),
    (Logic("and", (A, B)), (1, 1), 1),
    (Logic("or", (A, B)), (0, 0), 0),
    (Member(0, B, A), (5, 2), 0),
    (Select(op("a", "<", "b"), op("a", "==", 5), op("b", "==", 2)), (5, 2), 1),
    (op(Select(op("a", "<", "b"), A, B), "+", 1), (5, 2), 3),
    (op(Const(3), "-", op("a", "+", "b")), (5, 2), -4),
]


@every_backend
@pytest.mark.parametrize(("expression", "values", "expected"), TESTS)
def test_expressions(
    backend: ModuleType, expression: ir.Expr, values: tuple[int, int], expected: int
) -> None:
    assert run(backend, expression, *values) == expected


@every_backend
@pytest.mark.parametrize("sign", ["+", "-", "*"])
def test_checked_sums_trap_exactly_outside_32_bits(backend: ModuleType, sign: str) -> None:
    edge = (-(2**31), -(2**31) + 1, -(2**16), -1, 0, 1, 46341, 2**31 - 1)
    runtime: Runtime = backend.compile(calculator(op("a", sign, "b", checked=True)))
    row = runtime.new_row(0)
    for a in edge:
        for b in edge:
            exact = {"+": a + b, "-": a - b, "*": a * b}[sign]
            if -(2**31) <= exact < 2**31:
                assert runtime.call("go", row, (a, b)) == exact
            else:
                with pytest.raises(Trapped) as trapped:
                    runtime.call("go", row, (a, b))
                assert trapped.value.fault == ir.OVERFLOW


@every_backend
def test_functions_with_loops_and_early_returns(backend: ModuleType) -> None:
    find = function(
        "find",
        "key wanted",
        If(op("key", "==", 0), (Return(Const(-1)),)),
        let("place", 0),
        Each(
            ("item",),
            0,
            x("key"),
            (If(op("item", "==", "wanted"), (Return(x("place")),)), let("place", op("place", "+", 1))),
        ),
        Return(Const(-2)),
    )
    call = CallExpr("find", (A, op("b", "+", 0)))
    for key, wanted, expected in ((0, 3, -1), (1, 3, 0), (1, 5, 1), (2, 3, -2)):
        assert run(backend, op(call, "*", 1), key, wanted, find) == expected
        tested = Logic("and", (op("b", ">", 0), op(call, ">=", 0)))
        assert run(backend, tested, key, wanted, find) == int(expected >= 0)


@every_backend
def test_a_site_without_choices_is_answered_at_once(backend: ModuleType) -> None:
    game = program(
        "nothing",
        SLOT + 1,
        10,
        [
            function(
                "main",
                "",
                Ask(1, Const(1), (), "c"),
                Store(SLOT, None, x("c")),
                Ask(2, Const(2), (), "d"),
                Finish(0, x("d")),
            ),
            function("none", ""),
            function("two", "", Offer(Const(4)), Offer(Const(6))),
        ],
        [site(1, "none", 1), site(2, "two", 7)],
    )
    runtime: Runtime = backend.compile(game)
    row = runtime.new_row(0)
    assert (row[ir.SITE], row[ir.WHO], row[SLOT], row[ir.ANSWER]) == (2, 2, -1, 0)
    assert list(runtime.codes(row)) == [4, 6]
    assert list(runtime.resume_codes(row, 6)) == []
    assert (row[ir.OUTCOME], row[ir.WINNERS]) == (1, 6)


@every_backend
def test_a_chain_without_choice_meets_the_chain_limit(backend: ModuleType) -> None:
    game = program(
        "runaway",
        SLOT,
        10,
        [
            function(
                "main",
                "",
                Ask(2, Const(1), (), "c"),
                While(Const(1), (Link(), Ask(1, Const(1), (), "c"))),
            ),
            function("none", ""),
            function("one", "", Offer(Const(0))),
        ],
        [site(1, "none", 1), site(2, "one", 1)],
        chain=40,
    )
    runtime: Runtime = backend.compile(game)
    assert runtime.program.traps
    row = runtime.new_row(0)
    with pytest.raises(Trapped) as trapped:
        runtime.resume(row, 0)
    assert trapped.value.fault == ir.RUNAWAY
    with pytest.raises(Trapped) as trapped:
        runtime.playout(runtime.new_row(0), random.Random(1))
    assert trapped.value.fault == ir.RUNAWAY


@every_backend
def test_recursion_stops_at_the_end_of_the_stack(backend: ModuleType) -> None:
    game = program(
        "deep",
        SLOT,
        23,
        [
            function("main", "", Perform("dig", (Const(1),)), Finish(0, Const(0))),
            function("dig", "n", Ask(1, Const(1), (x("n"),), "c"), Perform("dig", (op("n", "+", 1),))),
            function("one", "n", Offer(x("n"))),
        ],
        [site(1, "one", 9)],
    )
    runtime: Runtime = backend.compile(game)
    row = runtime.new_row(0)
    with pytest.raises(Trapped) as trapped:
        for depth in range(1, 9):
            assert list(runtime.codes(row)) == [depth]
            runtime.resume(row, depth)
    assert trapped.value.fault == ir.STACK


@every_backend
def test_a_plain_function_that_finishes_leaves_its_callers(backend: ModuleType) -> None:
    game = program(
        "leave",
        SLOT + 1,
        10,
        [
            function(
                "main",
                "",
                Ask(1, Const(1), (), "c"),
                Perform("outer", (x("c"),)),
                Store(SLOT, None, Const(9)),
                Finish(1, Const(0)),
            ),
            function(
                "outer",
                "c",
                While(
                    Const(1),
                    (
                        Perform("inner", (x("c"),)),
                        let("c", op("c", "-", 1)),
                        Store(SLOT, None, op(Load(SLOT), "+", 1)),
                    ),
                ),
            ),
            function("inner", "c", If(op("c", "==", 0), (Finish(0, Const(3)),))),
            function("three", "", Offer(Const(0)), Offer(Const(3))),
        ],
        [site(1, "three", 4)],
    )
    runtime: Runtime = backend.compile(game)
    row = runtime.new_row(0)
    runtime.resume(row, 3)
    assert (row[ir.OUTCOME], row[ir.WINNERS], row[SLOT]) == (1, 3, 3)


@every_backend
@pytest.mark.parametrize("indexed", [(), (0,)])
def test_a_frozen_scan_keeps_its_members(backend: ModuleType, indexed: tuple[int, ...]) -> None:
    base = SLOT - 1
    body: ir.Body = (
        put(base, "i", 1),
        If(op("i", "<", 4), (put(base, op("i", "+", 1), 2),)),
        Store(SLOT + 4, None, op(op(Load(SLOT + 4), "*", 10), "+", "i")),
    )
    game = program(
        "frozen",
        SLOT + 5,
        10,
        [
            function("main", "", Perform("go", ()), Ask(1, Const(1), (), "c"), Finish(0, Const(0))),
            function("go", "", Scan("i", base, 4, Const(0), body, frozen=True)),
            function("left", "", Scan("i", base, 4, Const(2), (Offer(x("i")),))),
        ],
        [site(1, "left", 5)],
        columns=(disc_column(base, 4),),
        indexed=indexed,
    )
    runtime: Runtime = backend.compile(game)
    row = runtime.new_row(0)
    assert list(row[SLOT : SLOT + 5]) == [1, 1, 1, 1, 1234]
    assert row[ir.OUTCOME] == 1, "nothing was left to offer"


def test_the_reference_notices_broken_programs() -> None:
    assert_bug(Local("never"))
    assert_bug(Load(0, Const(10**6)))
    assert_bug(Binary("*", Const(2**30), Const(2)))
    assert_bug(Binary("//", Const(1), A))


def assert_bug(expression: ir.Expr) -> None:
    with pytest.raises(CompilerBug):
        run(reference, expression)


@every_backend
def test_a_trial_leaves_no_trace(backend: ModuleType) -> None:
    tried = function(
        "tried",
        "n",
        Store(SLOT, None, op(Load(SLOT), "+", "n", checked=True)),
        ir.Note(0, (x("n"),)),
        If(op("n", "==", 7), (ir.Trap(3),)),
        Return(Load(SLOT)),
    )
    ask = function(
        "main",
        "",
        Ask(1, Const(1), (), "c"),
        Store(SLOT + 1, None, ir.Trial("tried", (Const(5),))),
        Store(SLOT + 2, None, ir.Trial("tried", (Const(7),))),
        Finish(0, Const(0)),
    )
    offers = function("offers", "", If(op(ir.Trial("tried", (Const(2),)), "==", 12), (Offer(Const(0)),)))
    game = program("trial", SLOT + 3, 10, [ask, tried, offers], [site(1, "offers", 1)], {SLOT: 10})
    runtime: Runtime = backend.compile(game)
    row = runtime.new_row(0)
    assert list(runtime.codes(row)) == [0]
    after, notes = runtime.record(row, 0)
    assert list(after[SLOT : SLOT + 3]) == [10, 15, -1]
    assert notes == []


@every_backend
@pytest.mark.parametrize(
    ("start", "steps", "expected"), [(1, 9, 4), (1, 2, 3), (3, 9, 2), (0, 9, 1), (5, 9, 1)]
)
def test_a_walk_with_a_queue(backend: ModuleType, start: int, steps: int, expected: int) -> None:
    """Breadth first, as connections are tested; generated Python walks a growing list instead."""
    near = ((), (2, 3), (1, 4), (4,), (3,), ())
    reach = function(
        "reach",
        "a b",
        ir.NewArray("marks", 6),
        ir.NewArray("queue", 6),
        let("last", 0),
        ir.SetElement("marks", A, Const(1)),
        ir.SetElement("queue", x("last"), A),
        let("last", op("last", "+", 1)),
        let("count", 1),
        let("at", 0),
        While(
            op("at", "<", "last"),
            (
                let("here", ir.Element("queue", x("at"))),
                let("at", op("at", "+", 1)),
                If(op("count", ">", "b"), (ir.Break(),)),
                Each(
                    ("other",),
                    1,
                    x("here"),
                    (
                        If(
                            LogicNot(ir.Element("marks", x("other"))),
                            (
                                ir.SetElement("marks", x("other"), Const(1)),
                                ir.SetElement("queue", x("last"), x("other")),
                                let("last", op("last", "+", 1)),
                                let("count", op("count", "+", 1)),
                            ),
                        ),
                    ),
                ),
            ),
        ),
        Return(x("count")),
    )
    game = changed(calculator(CallExpr("reach", (A, B)), reach), relations=((), near))
    runtime: Runtime = backend.compile(game)
    assert runtime.call("go", runtime.new_row(0), (start, steps)) == expected
    if backend is python_source:
        assert ".append(" in source(runtime.program, "calls")


@every_backend
def test_trials_inside_trials_take_back_dice_chain_and_ending(backend: ModuleType) -> None:
    inner = function(
        "inner",
        "n",
        ir.NewArray("box", 3),
        ir.SetElement("box", Const(1), x("n")),
        put(SLOT, "n", 9),
        ir.Random("r", Const(6)),
        Link(),
        If(op("n", "==", 2), (ir.Trap(3),)),
        Return(op(Load(SLOT, x("n")), "+", ir.Element("box", Const(1)))),
    )
    outer = function(
        "outer",
        "n",
        Store(SLOT + 3, None, Const(5)),
        let("first", ir.Trial("inner", (Const(1),))),
        let("second", ir.Trial("inner", (Const(2),))),
        ir.Random("r", Const(1000)),
        Store(SLOT, None, x("r")),
        If(op("n", ">", 7), (Finish(1, Const(3)),)),
        Return(op(op(op("first", "*", 100), "+", op("second", "*", 10)), "+", Load(SLOT + 3))),
    )
    asks = function("asks", "n", Return(ir.Trial("outer", (x("n"),))))
    runtime: Runtime = backend.compile(calculator(Const(0), inner, outer, asks))
    row = runtime.new_row(3)
    before = list(row)
    assert runtime.call("asks", row, (1,)) == 100 * (9 + 1) - 10 + 5
    assert runtime.call("asks", row, (8,)) == 0
    assert list(row) == before


@every_backend
@pytest.mark.parametrize("n", [1, 9])
def test_trials_take_back_what_arguments_and_callees_wrote(backend: ModuleType, n: int) -> None:
    """Also what a function wrote before one that it calls broke off, and what it writes afterwards."""
    small = function("small", "n", Store(SLOT, None, x("n")), Return(op("n", "+", 1)))
    lines = [Store(SLOT + 1 + k % 3, None, op(Load(SLOT + k % 2), "+", op("n", "*", k))) for k in range(24)]
    large = function("large", "n", *lines, If(op("n", ">", 5), (ir.Trap(3),)), Return(Load(SLOT + 1)))
    outer = function(
        "outer",
        "n",
        Store(SLOT + 2, None, Const(8)),
        let("got", CallExpr("large", (CallExpr("small", (x("n"),)),))),
        Store(SLOT + 3, None, x("got")),
        Return(op("got", "+", Load(SLOT + 2))),
    )
    asks = function("asks", "n", Return(ir.Trial("outer", (x("n"),))))
    main = function("main", "", Ask(1, Const(1), (), "c"), Finish(0, Const(0)))
    offers = function("offers", "", Offer(Const(0)))
    start = {SLOT + k: 100 + k for k in range(4)}
    game = program(
        "taken back", SLOT + 4, 10, [main, offers, small, large, outer, asks], [site(1, "offers", 1)], start
    )
    runtime, plain = backend.compile(game), reference.compile(game)
    row = runtime.new_row(0)
    before = list(row[: game.row_size])
    expected = plain.call("asks", plain.new_row(0), (n,))
    assert (expected == -1) == (n > 5)
    assert runtime.call("asks", row, (n,)) == expected
    assert list(row[: game.row_size]) == before
