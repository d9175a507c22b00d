"""The pause pass: what goes into frames, and what does not."""

from __future__ import annotations

import random

import pytest

from ruleforge.backends import reference
from ruleforge.compiler import ir
from ruleforge.compiler.basic_blocks import merge_tails
from ruleforge.compiler.dump import dump
from ruleforge.compiler.function_traits import close_effects
from ruleforge.compiler.ir import Ask, Const, Finish, ForRange, Load, Offer, Perform, Store, While
from ruleforge.compiler.stack import stack_needed
from ruleforge.compiler.visit import statements
from tests.unit.backends import programs
from tests.unit.backends.programs import changed, function, let, op, program, site, x


def paused(game: ir.Program, name: str) -> ir.PausedFunction:
    return next(f for f in game.paused if f is not None and f.name == name)


def test_only_locals_needed_after_a_pause_are_in_the_frame() -> None:
    main = paused(programs.connect_four(), "main")
    assert set(main.saved) == {"me"}
    assert main.frame_size == 4
    assert len(main.blocks) == 2, "entry, and the place after the choice"


def test_every_path_through_a_block_ends_it() -> None:
    ends = ir.Goto | ir.Wait | ir.Push | ir.Return | ir.Finish | ir.Trap

    def ended(body: ir.Body) -> bool:
        if not body:
            return False
        last = body[-1]
        return isinstance(last, ends) or (isinstance(last, ir.If) and ended(last.then) and ended(last.other))

    for game in programs.GAMES:
        for found in game().paused[1:]:
            assert found is not None
            assert all(map(ended, found.blocks))
            assert not any(isinstance(s, ir.Ask) for block in found.blocks for s in statements(block))


def test_sites_know_where_their_arguments_lie() -> None:
    result = programs.raid()
    pay = next(f for f in result.paused if f is not None and f.name == "pay")
    frame = result.waits[3]
    assert frame.function == "pay"
    assert frame.arguments == (ir.FrameLoad(pay.saved["who"]), ir.FrameLoad(pay.saved["owed"]))


def test_one_site_asked_with_different_arguments_is_refused() -> None:
    with pytest.raises(ValueError, match="two places"):
        program(
            "twice",
            ir.HEADER,
            20,
            [
                function(
                    "main",
                    "",
                    let("a", 1),
                    let("b", 2),
                    Ask(1, Const(1), (x("a"),), "c"),
                    Ask(1, Const(1), (x("b"),), "c"),
                    Finish(0, Const(0)),
                ),
                function("one", "n", Offer(x("n"))),
            ],
            [site(1, "one", 9)],
        )


def test_a_dead_local_does_not_make_equal_positions_differ() -> None:
    """What was drawn is forgotten before the second choice, so the row must not show it."""
    game = program(
        "dead",
        ir.HEADER + 1,
        20,
        [
            function(
                "main",
                "",
                While(
                    Const(1),
                    (
                        Ask(1, Const(1), (), "first"),
                        Ask(2, Const(1), (x("first"),), "second"),
                        Store(ir.HEADER, None, op("first", "*", 0)),
                    ),
                ),
            ),
            function("three", "", ForRange("i", Const(0), Const(2), (Offer(x("i")),))),
            function("one", "n", Offer(x("n"))),
        ],
        [site(1, "three", 3), site(2, "one", 3)],
    )
    runtime = reference.compile(game)
    rows = []
    for first in range(3):
        row = runtime.new_row(0)
        runtime.resume_codes(row, first)
        assert runtime.codes(row) == [first]
        runtime.resume_codes(row, first)
        rows.append(row)
    assert rows[0] == rows[1] == rows[2]


def test_the_stack_is_cut_to_what_is_needed() -> None:
    game = programs.raid()
    needed = stack_needed([f for f in game.paused if f is not None])
    assert needed is not None
    small = changed(game, limit=None)
    assert small.row_size == game.stack + needed < game.row_size
    runtime = reference.compile(small)
    for seed in range(5):
        assert runtime.playout(runtime.new_row(seed), random.Random(seed))[ir.OUTCOME]
    deep = {f.name: f for f in small.paused if f is not None}
    assert not any(
        s.checked for f in deep.values() for b in f.blocks for s in statements(b) if isinstance(s, ir.Push)
    )


def test_effects_spread_to_callers() -> None:
    functions = close_effects(
        {
            "a": function("a", "", Perform("b", ())),
            "b": function("b", "", While(Load(0), (Perform("c", ()), Perform("d", ())))),
            "c": function("c", "", Ask(1, Const(1), (), "x")),
            "d": function("d", "", Finish(0, Const(0))),
            "e": function("e", "", Perform("f", ())),
            "f": function("f", "", Offer(Const(1))),
        }
    )
    assert [f.name for f in functions.values() if f.pauses] == ["a", "b", "c"]
    assert [f.name for f in functions.values() if f.finishes] == ["a", "b", "d"]
    assert [f.name for f in functions.values() if f.offers] == ["e", "f"]


def test_equal_ends_of_both_sides_are_shared() -> None:
    one, two, three = let("a", 1), let("a", 2), let("b", 3)
    assert merge_tails((ir.If(x("t"), (one, three), (two, three)),)) == (ir.If(x("t"), (one,), (two,)), three)


def test_the_listing_shows_places() -> None:
    text = dump(programs.raid())
    assert "wait for" in text
    assert "push strike(" in text
    assert "frame 1 main()" in text
