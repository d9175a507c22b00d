"""Many random games: the same records on every backend, cut short, stopped by faults, watched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import ModuleType

import pytest

from ruleforge.backends import native, python_source, reference
from ruleforge.backends.playouts import BROKEN, DECISIONS, ENDING, SCORES, TIMES, Plan, record_size
from ruleforge.backends.random32 import folded, seed_words
from ruleforge.compiler import ir
from ruleforge.compiler.ir import Ask, Const, Finish, If, Load, Offer, Return, Store, Trap, While
from ruleforge.support.diagnostics import NOWHERE
from tests.unit.backends import programs
from tests.unit.backends.programs import function, op, program, site, x

SLOT = ir.HEADER
every_backend = pytest.mark.parametrize(
    "backend", [reference, python_source, native], ids=["reference", "python", "native"]
)


def records(backend: ModuleType, game: ir.Program, plan: Plan) -> list[Sequence[int]]:
    runtime = backend.compile(game)
    row = runtime.new_row(4)
    before = list(row[: game.row_size])
    flat = [word for part in runtime.playouts(row, plan) for word in part]
    assert list(row[: game.row_size]) == before, "the row stays as it is"
    size = record_size(game)
    return [flat[k : k + size] for k in range(0, len(flat), size)]


@pytest.mark.parametrize("game", programs.GAMES)
@pytest.mark.parametrize("set_up", [False, True])
def test_records_are_equal_on_every_backend(game: Callable[[], ir.Program], set_up: bool) -> None:
    plan = Plan(seed=11, first=2, last=9, most=40, set_up=set_up)
    expected = records(reference, game(), plan)
    assert len(expected) == 7
    assert records(python_source, game(), plan) == expected
    assert records(native, game(), plan) == expected


def counter(limit: int) -> ir.Program:
    """Add 0 or 1 until somebody has enough; a fault above the limit, an invariant below 3."""
    main = function(
        "main",
        "",
        While(
            Const(1),
            (
                Ask(1, Const(1), (), "c"),
                Store(SLOT, None, op(Load(SLOT), "+", "c")),
                If(op(Load(SLOT), ">", limit), (Trap(3),)),
                If(op(Load(SLOT), "==", 6), (Finish(0, Const(2)),)),
            ),
        ),
    )
    offers = function("offers", "", Offer(Const(0)), Offer(Const(1)))
    small = function("small", "", Return(op(Load(SLOT), "<", 3)))
    score = function("score", "player", Return(op(x("player"), "*", 10)))
    invariant = ir.InvariantInfo("small", "small", "", NOWHERE, ())
    return program(
        "counter",
        SLOT + 1,
        10,
        [main, offers, small, score],
        [site(1, "offers", 2)],
        invariants=(invariant,),
        score="score",
    )


@every_backend
def test_games_are_cut_short(backend: ModuleType) -> None:
    found = records(backend, counter(99), Plan(1, 0, 50, most=8))
    assert {record[ENDING] for record in found} == {0, 1}
    assert max(record[DECISIONS] for record in found) == 8
    for record in found:
        assert list(record[SCORES : SCORES + 2]) == ([10, 20] if record[ENDING] else [0, 0])


@every_backend
def test_faults_and_broken_invariants_are_told(backend: ModuleType) -> None:
    found = records(backend, counter(4), Plan(1, 0, 5, most=99, watch=True))
    assert [(record[ENDING], record[BROKEN]) for record in found] == [(-1 - 3, 1)] * 5
    unwatched = records(backend, counter(4), Plan(1, 0, 5, most=99))
    assert [record[BROKEN] for record in unwatched] == [0] * 5


@pytest.mark.parametrize("watch", [False, True])
@pytest.mark.parametrize("games", [1, 700, 9000])
def test_games_that_come_out_alike_share_a_record(games: int, watch: bool) -> None:
    """Also where there are more than find a slot."""
    game, plan = walk(games), Plan(3, 0, games, most=70, watch=watch)
    alone = records(native, game, plan)
    shared = records(native, game, replace(plan, alike=True))
    assert sum(record[TIMES] for record in shared) == games == len(alone)
    assert len(shared) < games or games == 1
    expected = Counter(without_times(record) for record in alone)
    found: Counter[tuple[int, ...]] = Counter()
    for record in shared:
        found[without_times(record)] += record[TIMES]
    assert found == expected


def without_times(record: Sequence[int]) -> tuple[int, ...]:
    return (*record[:TIMES], *record[TIMES + 1 :])


def walk(games: int) -> ir.Program:
    """Digits that are chosen make up a score, of a few values or of many."""
    digits = 2 if games < 1000 else 4
    turn = (Ask(1, Const(1), (), "c"), Store(SLOT, None, op(op(Load(SLOT), "*", 10), "+", "c")))
    main = function("main", "", *(turn * digits), Finish(0, Const(2)))
    offers = function("offers", "", *(Offer(Const(digit)) for digit in range(10)))
    even = function("even", "", Return(op(op(Load(SLOT), "&", 1), "==", 0)))
    score = function("score", "player", Return(op(x("player"), "*", Load(SLOT))))
    return program(
        "walk",
        SLOT + 1,
        10,
        [main, offers, even, score],
        [site(1, "offers", 10)],
        invariants=(ir.InvariantInfo("even", "even", "", NOWHERE, ()),),
        score="score",
    )


@every_backend
@pytest.mark.parametrize(
    ("game", "counts"),
    [
        (programs.tic_tac_toe, (9, 72, 504, 3024)),
        (programs.connect_four, (7, 49, 343, 2401)),
        (programs.raid, ()),
    ],
)
def test_lines_of_play_are_counted(
    backend: ModuleType, game: Callable[[], ir.Program], counts: tuple[int, ...]
) -> None:
    runtime = backend.compile(game())
    plain = reference.compile(game())
    expected = counts or tuple(plain.count_lines(plain.new_row(0), depth) for depth in (1, 2, 3, 4))
    assert tuple(runtime.count_lines(runtime.new_row(0), depth) for depth in (1, 2, 3, 4)) == expected


def test_every_game_of_a_seed_has_its_own_generator() -> None:
    seed = seed_words(7)
    found = {folded(seed, number) for number in range(1000)}
    assert len(found) == 1000
    assert (0, 0) not in found
