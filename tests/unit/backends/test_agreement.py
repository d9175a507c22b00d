"""The reference interpreter against the other backends: the same rows, lists, records and playouts, word for word."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from types import ModuleType

import pytest

from ruleforge.backends import native, python_source, reference
from ruleforge.backends.api import words
from ruleforge.compiler import ir
from tests.unit.backends import programs

SEEDS = range(4)
fast_backends = pytest.mark.parametrize("backend", [python_source, native], ids=["python", "native"])


@fast_backends
@pytest.mark.parametrize("game", programs.GAMES)
def test_rows_are_equal_at_every_pause_and_survive_json(
    game: Callable[[], ir.Program], backend: ModuleType
) -> None:
    program = game()
    plain, fast = reference.compile(program), backend.compile(program)
    for seed in SEEDS:
        rng = random.Random(seed)
        row, twin = plain.new_row(seed), fast.new_row(seed)
        while row[ir.SITE]:
            assert row == words(twin, program)
            codes = plain.codes(row)
            assert codes == list(fast.codes(twin))
            twin = fast.attach(json.loads(json.dumps(words(twin, program))))
            code = rng.choice(codes)
            after, notes = plain.record(row, code)
            fast_after, fast_notes = fast.record(twin, code)
            assert notes == fast_notes
            assert plain.resume_codes(row, code) == list(fast.resume_codes(twin, code))
            assert after == row
            assert fast_after == twin
        assert row == words(twin, program)


@fast_backends
@pytest.mark.parametrize("game", programs.GAMES)
def test_playouts_draw_the_same_numbers(game: Callable[[], ir.Program], backend: ModuleType) -> None:
    program = game()
    plain, fast = reference.compile(program), backend.compile(program)
    for seed in SEEDS:
        ours, theirs = random.Random(seed), random.Random(seed)
        row = plain.playout(plain.new_row(seed), ours)
        assert words(fast.playout(fast.new_row(seed), theirs), program) == row
        assert ours.random() == theirs.random()


@fast_backends
def test_playouts_can_start_anywhere_also_deep_in_an_effect(backend: ModuleType) -> None:
    program = programs.raid()
    plain, fast = reference.compile(program), backend.compile(program)
    rng, depths = random.Random(1), set()
    row = plain.new_row(3)
    while row[ir.SITE]:
        depths.add(row[ir.SP])
        end = plain.playout(plain.copy(row), random.Random(9))
        assert words(fast.playout(fast.attach(row), random.Random(9)), program) == end
        plain.resume_codes(row, rng.choice(plain.codes(row)))
    assert len(depths) >= 4, "the test never got three frames deep"


@fast_backends
def test_a_game_over_leaves_nothing_on_the_stack(backend: ModuleType) -> None:
    for game in programs.GAMES:
        program = game()
        runtime = backend.compile(program)
        row = runtime.playout(runtime.new_row(1), random.Random(1))
        assert row[ir.OUTCOME]
        head = [row[w] for w in (ir.SITE, ir.WHO, ir.SP, ir.RET, ir.ANSWER)]
        assert head == [0] * 5
        assert row[ir.CHAIN_LENGTH] == row[ir.WORK_DONE] == 0
        assert not any(row[program.stack : program.row_size])


@fast_backends
def test_interned_choices_are_the_very_objects_of_the_table(backend: ModuleType) -> None:
    for game in programs.GAMES:
        program = game()
        tables = [
            [f"{s.number}:{c}" for c in range(s.options[0].count)] if s.number else [] for s in program.sites
        ]
        plain, fast = reference.compile(program, tables), backend.compile(program, tables)
        rng = random.Random(2)
        row, twin = plain.new_row(5), fast.new_row(5)
        listed = list(fast.listing(twin))
        while row[ir.SITE]:
            assert listed == plain.listing(row) == list(fast.listing(twin))
            assert all(any(choice is known for known in tables[row[ir.SITE]]) for choice in listed)
            code = int(rng.choice(listed).split(":")[1])
            listed = list(fast.resume(twin, code))
            assert plain.resume(row, code) == listed
        assert listed == []


@fast_backends
def test_copies_are_independent(backend: ModuleType) -> None:
    for game in programs.GAMES:
        program = game()
        runtime = backend.compile(program)
        row = runtime.new_row(1)
        before = json.dumps(words(row, program))
        twin = runtime.copy(row)
        assert twin == row
        runtime.playout(twin, random.Random(1))
        assert json.dumps(words(row, program)) == before


@pytest.mark.parametrize(
    ("game", "counts"),
    [
        (programs.tic_tac_toe, (9, 72, 504, 3024, 15120)),
        (programs.connect_four, (7, 49, 343, 2401, 16807)),
        (programs.breakthrough, (22, 484, 11132)),
        (programs.hex_game, (121, 14520)),
    ],
)
@fast_backends
def test_positions_are_counted_right(
    game: Callable[[], ir.Program], counts: tuple[int, ...], backend: ModuleType
) -> None:
    runtime = backend.compile(game())

    def leaves(row: list[int], codes: object, depth: int) -> int:
        if depth == 1:
            return len(codes)  # type: ignore[arg-type]
        total = 0
        for code in codes:  # type: ignore[attr-defined]
            twin = runtime.copy(row)
            total += leaves(twin, runtime.resume_codes(twin, code), depth - 1)
        return total

    row = runtime.new_row(0)
    found = tuple(leaves(row, runtime.codes(row), depth) for depth in range(1, len(counts) + 1))
    assert found == counts
