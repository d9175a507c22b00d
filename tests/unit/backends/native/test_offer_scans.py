"""Lists of choices in machine code: four slots at a time, without branches, never beyond what may be read."""

from __future__ import annotations

import random

import pytest

from ruleforge.analysis.intervals import Interval
from ruleforge.backends import native, reference
from ruleforge.backends.native.index_bounds import EarlyRanges, Reach
from ruleforge.backends.native.offer_scans import Line, masks, offered_line
from ruleforge.compiler import ir
from ruleforge.compiler.ir import (
    Ask,
    Binary,
    Const,
    Each,
    Finish,
    If,
    Load,
    Local,
    Logic,
    Offer,
    Scan,
    Set,
    Table,
)
from ruleforge.compiler.visit import Expression, Node
from tests.unit.backends.programs import changed, function, op, program, site, x

SLOT = ir.HEADER


def listing(*offers: Node, slots: int, start: dict[int, int]) -> ir.Program:
    main = function("main", "", Ask(1, Const(1), (Const(1),), "c"), Finish(0, Const(0)))
    listed = function("listed", "who", *offers)
    game = program("listing", SLOT + 1 + slots, 10, [main, listed], [site(1, "listed", 4000)], start)
    return changed(game, tables=((0, 3, 1, 2, 0),), relations=(((), (1, 2, 3, 4), (4, 2)),))


def same_list(game: ir.Program) -> list[int]:
    """What both offer."""
    plain, machine = reference.compile(game), native.compile(game)
    expected = list(plain.codes(plain.new_row(3)))
    assert list(machine.codes(machine.new_row(3))) == expected
    return expected


@pytest.mark.parametrize("code", [x("s"), op("s", "+", 7), op(op("s", "*", 3), "-", 3), op(900, "-", "s")])
@pytest.mark.parametrize("slots", [1, 3, 4, 5, 16, 19, 20, 121])
def test_members_of_a_scan_are_offered_in_order(slots: int, code: Expression) -> None:
    """Also those of the last few slots, and nobody behind them."""
    rng = random.Random(slots)
    start = {SLOT + 1 + k: rng.randrange(2) for k in range(slots)}
    scan = Scan("s", SLOT, slots, Const(0), (Offer(code),))
    assert offered_line(scan) is not None
    found = same_list(listing(scan, slots=slots, start=start))
    assert len(found) == list(start.values()).count(0)


@pytest.mark.parametrize(
    ("code", "line"),
    [
        (op(op(x("s"), "*", 8), "+", op(2, "-", x("s"))), Line(7, 2)),
        (op(3, "*", op(x("s"), "+", 1)), Line(3, 3)),
        (op(x("s"), "*", x("s")), None),
        (op(x("s"), "+", x("other")), None),
        (op(x("s"), "*", 1 << 30), None),
    ],
)
def test_codes_in_a_row_are_known(code: Expression, line: Line | None) -> None:
    assert offered_line(Scan("s", SLOT, 9, Const(0), (Offer(code),))) == line


def test_each_mask_has_the_codes_of_its_slots() -> None:
    table = list(masks(3))
    for mask in range(16):
        expected = [3 * bit for bit in range(4) if mask >> bit & 1]
        assert table[4 * mask : 4 * mask + len(expected)] == expected


@pytest.mark.parametrize("test", ["cell", "both", "either", "guarded", "count"])
def test_offers_hang_on_conditions(test: str) -> None:
    """Each way a condition is worked out: all of it at once, or part by part where more could go wrong."""
    here, there = Load(SLOT, x("c")), Load(SLOT, Table(0, x("c")))
    tests: dict[str, Expression] = {
        "cell": op(here, "==", 1),
        "both": Logic("and", (op(here, "!=", 0), op(there, "==", 1))),
        "either": Logic("or", (op(here, "==", 0), Logic("and", (op(there, "!=", "who"), op("c", ">", 2))))),
        "guarded": Logic("and", (op(here, "<", 0), op(Load(SLOT, op(here, "*", 1 << 28)), "==", 0))),
        "count": op(here, "+", there),
    }
    for seed in range(12):
        rng = random.Random(seed)
        start = {SLOT + k: rng.randrange(3) for k in range(6)}
        nested = If(op("c", "!=", 3), (If(tests[test], (Offer(op("c", "*", 2)),)),))
        loop = Each(("c",), 0, x("who"), (nested, If(tests[test], (Offer(op("c", "+", 90)),))))
        same_list(listing(loop, slots=5, start=start))


def test_reach_knows_what_constants_say() -> None:
    game = listing(slots=5, start={})
    reach = Reach(game, EarlyRanges(game))
    body = (
        Each(("c",), 0, Const(1), (Set("t", Table(0, x("c"))), Set("n", op("n", "+", 1)))),
        Set("far", Load(SLOT)),
        Set("given", Const(1)),
    )
    reach.learn((body,), ("given",))
    assert (reach.of(x("c")), reach.of(x("t"))) == (Interval(0, 4), Interval(0, 3))
    assert reach.costs_little(Load(SLOT, x("t")))
    assert not reach.costs_little(Load(SLOT, x("far")))
    assert not reach.costs_little(Load(SLOT, op(x("t"), "*", 1 << 20)))
    assert not reach.costs_little(Table(0, op(x("c"), "+", 1)))
    assert not reach.costs_little(Binary("+", Local("c"), Const(1), checked=True))
