"""Groups kept behind the row: the same answers as a search, whatever is put, overwritten or taken away."""

from __future__ import annotations

import random
from itertools import chain

import pytest

from ruleforge.backends import native, python_source, reference
from ruleforge.backends.api import words
from ruleforge.backends.native.memory import Memory
from ruleforge.backends.playouts import Plan
from ruleforge.backends.python_source.indexes import Indexes
from ruleforge.compiler import ir
from ruleforge.compiler.ir import (
    Ask,
    Connected,
    Const,
    Expr,
    Finish,
    ForRange,
    If,
    Load,
    Offer,
    Return,
    Scan,
    Store,
    Trial,
    While,
)
from tests.unit.backends.programs import DISC, SEATS, cells, disc_column, function, let, op, program, site, x

SIDE = 4
SIZE = SIDE * SIDE
ANSWERS = DISC + SIZE  # answers + 1 .. : what the last questions gave
SIDES = ((), tuple(range(1, SIDE + 1)), tuple(range(SIZE - SIDE + 1, SIZE + 1)))
CORNERS = ((1,), (SIDE,), (SIZE,), (1, SIZE))


def neighbours() -> tuple[tuple[int, ...], ...]:
    """Of the cells of a square, each with its diagonals in one direction, as on a board of hexagons."""
    rows: list[tuple[int, ...]] = [()]
    for cell in range(1, SIZE + 1):
        column, row = (cell - 1) % SIDE, (cell - 1) // SIDE
        beside = [(column + a, row + b) for a, b in ((-1, 0), (1, 0), (0, -1), (0, 1), (1, -1), (-1, 1))]
        rows.append(tuple(b * SIDE + a + 1 for a, b in beside if 0 <= a < SIDE and 0 <= b < SIDE))
    return tuple(rows)


def questions(value: Expr, key: Expr) -> list[Expr]:
    def ask(start: str, value: Expr, goal: int, key: Expr) -> Expr:
        return Connected(DISC, SIZE, 0, x(start), value, goal, key)

    return [
        ask("cell", value, 1, value),
        ask("cell", value, 2, key),
        ask("other", value, 1, value),  # which need not hold the value
        ask("other", Load(DISC, x("other")), 2, Const(3)),
    ]


def board(near: tuple[tuple[int, ...], ...], stores: Expr) -> ir.Program:
    """Every choice writes one cell (code = value * cells + cell - 1) and asks about two."""
    asked = questions(x("value"), op("other", "%", 4))
    main = function(
        "main",
        "",
        While(
            Const(1),
            (
                Ask(1, Const(1), (), "code"),
                let("cell", op(op("code", "%", SIZE), "+", 1)),
                let("value", op(op(op("code", "//", SIZE), "%", 2), "+", 1)),
                let("other", op(op("code", "//", 2 * SIZE), "+", 1)),
                Store(DISC, x("cell"), stores),
                *(Store(ANSWERS + 1 + k, None, e) for k, e in enumerate(asked)),
            ),
        ),
    )
    codes = function(
        "codes",
        "",
        Offer(Const(0)),  # of many
        Scan("i", DISC, SIZE, Const(3), (Offer(x("i")),)),
    )
    return program(
        "board",
        ANSWERS + 1 + len(asked),
        20,
        [main, codes],
        [site(1, "codes", 2 * SIZE * SIZE)],
        relations=(near, SIDES, CORNERS),
        kinds=(SEATS, cells(SIZE)),
        columns=(disc_column(DISC, SIZE),),
        indexed=(0,),
    )


PUT = x("value")
PUT_OR_TAKE = op(op("value", "+", "other"), "%", 3)


@pytest.mark.parametrize("stores", [PUT, PUT_OR_TAKE], ids=["overwriting", "taking away"])
@pytest.mark.parametrize("seed", range(3))
def test_groups_answer_as_a_search_does(stores: Expr, seed: int) -> None:
    made = board(neighbours(), stores)
    assert len(Indexes(made).group_indexes) == 1
    plain, fast = reference.compile(made), python_source.compile(made)
    rng = random.Random(seed)
    row, twin = plain.new_row(seed), fast.new_row(seed)
    answers = set()
    for turn in range(400):
        code = rng.randrange(2 * SIZE * SIZE)
        if stores is PUT and rng.random() < 0.8:  # mostly on empty cells, so that marks live for a while
            free = [c for c in range(SIZE) if not row[DISC + 1 + c]]
            code = code // SIZE * SIZE + rng.choice(free or [0])
        if turn % 40 == 0:  # an old copy must not see what happens next
            old, kept = fast.copy(twin), list(words(twin, made))
        plain.resume(row, code)
        fast.resume(twin, code)
        assert words(twin, made) == row
        answers.add(tuple(row[ANSWERS + 1 : ANSWERS + 5]))
        if turn % 40 == 39:
            assert words(old, made) == kept
            assert old[len(kept) :] == fast.attach(kept)[len(kept) :] or None in old
        if not any(c == 0 for c in row[DISC + 1 : DISC + SIZE + 1]):
            row = [*row[: DISC + 1], *(0,) * SIZE, *row[DISC + SIZE + 1 :]]
            twin = fast.attach(row)
    assert len(answers) > 8


def test_marks_are_what_a_fresh_build_gives() -> None:
    made = board(neighbours(), PUT)
    fast = python_source.compile(made)
    (groups,) = fast.indexes.group_indexes
    rng = random.Random(5)
    twin = fast.new_row(0)
    order = rng.sample(range(SIZE), SIZE)
    for cell in order:
        fast.resume(twin, rng.randrange(2) * SIZE + cell)
        assert twin[groups.at] == groups.build(twin)
    fast.resume(twin, (2 - twin[DISC + 1]) * SIZE)  # the other value on a cell that is held


def test_no_groups_where_neighbours_are_one_sided() -> None:
    near = [*neighbours()]
    near[1] = ()
    assert not Indexes(board(tuple(near), PUT)).group_indexes


def test_no_groups_where_things_are_taken_away_by_rule() -> None:
    assert not Indexes(board(neighbours(), Const(0))).group_indexes


def taking(stores: Expr, turns: int) -> ir.Program:
    """So many cells are written, at random; what the questions gave is added up, of what is tried out, too."""
    made = board(neighbours(), stores)
    main, codes = (
        made.functions["main"],
        function("codes", "", ForRange("i", Const(0), Const(CODES - 1), (Offer(x("i")),))),
    )
    (loop,) = main.body
    assert isinstance(loop, While)
    asked = questions(x("value"), op("other", "%", 4))
    weighed = [let("sum", op("sum", "+", op(e, "*", 3**k))) for k, e in enumerate(asked)]
    write: list[ir.Statement] = [Store(DISC, x("cell"), stores), let("sum", 0), *weighed]
    attempt = function("attempt", "cell value other", *write, Return(x("sum")))
    tried = Trial("attempt", (x("other"), op(3, "-", "value"), x("cell")))
    added = (let("before", tried), *write, let("sum", op(op("sum", "+", op("before", "*", 81)), "^", TOTAL)))
    over = If(op(Load(COUNT), ">=", turns), (Finish(0, Const(1)),))
    kept = (Store(SUM, None, x("sum")), Store(COUNT, None, op(Load(COUNT), "+", 1)), over)
    body = While(Const(1), (*loop.body[:4], *added, *kept))
    score = function("score", "player", Return(Load(SUM)))
    return program(
        "taking",
        COUNT + 1,
        20,
        [function("main", "", body), codes, attempt, score],
        [site(1, "codes", CODES)],
        relations=made.relations,
        kinds=made.kinds,
        columns=made.columns,
        indexed=(0,),
        score="score",
    )


CODES = 2 * SIZE * SIZE
SUM, COUNT = ANSWERS + 6, ANSWERS + 7
TOTAL = op(op(Load(SUM), "*", 7), "&", 0xFFFFFF)


@pytest.mark.parametrize("stores", [PUT, PUT_OR_TAKE], ids=["overwriting", "taking away"])
def test_machine_code_keeps_groups_through_whole_games(stores: Expr) -> None:
    """Marks go with copies of a row, are given up where something is taken away, and outlive trials."""
    made = taking(stores, 12)
    assert Memory(made).group_indexes
    plan = Plan(seed=3, first=0, last=60, most=40)
    found = []
    for backend in (reference, python_source, native):
        runtime = backend.compile(made)
        found.append([word for part in runtime.playouts(runtime.new_row(1), plan) for word in part])
    assert found[0] == found[1] == found[2]
    assert len(set(found[0])) > 40


def test_machine_code_trusts_nothing_behind_rows_from_outside() -> None:
    """A row that is played from after another one has marks of its own."""
    made = taking(PUT, 9)
    plain, fast = reference.compile(made), native.compile(made)
    rng = random.Random(2)
    row, twin = plain.new_row(1), fast.new_row(1)
    for turn in range(8):
        code = rng.randrange(CODES)
        plain.resume(row, code)
        fast.resume(twin, code)
        assert list(twin) == row
        plan = Plan(seed=turn, first=0, last=8, most=40)
        assert [*chain(*fast.playouts(twin, plan))] == [*chain(*plain.playouts(row, plan))]
        assert fast.count_lines(twin, 1) == CODES
