"""Tables of what each member offers: the same lists as the loops they stand for, and only where they are small."""

from __future__ import annotations

import random
from dataclasses import replace

from ruleforge.backends import python_source, reference
from ruleforge.backends.python_source.indexes import Indexes
from ruleforge.backends.python_source.module import source
from ruleforge.compiler import ir
from ruleforge.compiler.ir import Const, Each, If, Offer, Scan
from tests.unit.backends.programs import DISC, at, breakthrough, changed, function, op, x


def text(program: ir.Program) -> str:
    return source(program, "codes", Indexes(program))


def with_moves(program: ir.Program, *body: ir.Statement) -> ir.Program:
    sites = (program.sites[0], replace(program.sites[1], sampler=None))
    return changed(
        program, functions=program.functions | {"moves": function("moves", "me", *body)}, sites=sites
    )


def test_any_position_gives_the_list_of_the_loops() -> None:
    made = breakthrough()
    assert "patterns(" in text(made)
    plain, fast = reference.compile(made), python_source.compile(made)
    rng = random.Random(3)
    row = plain.new_row(1)
    lengths = set()
    for fill in range(60):
        for cell in range(1, 65):
            row[DISC + cell] = rng.choice((0,) * (fill % 6 + 1) + (1, 2))
        found = list(fast.codes(fast.attach(row)))
        assert found == list(plain.codes(row))
        lengths.add(len(found))
    assert len(lengths) > 10


def test_no_table_when_too_many_slots_decide() -> None:
    made = breakthrough()
    column = tuple(tuple(range(1, 7)) for _ in range(65))
    made = changed(made, relations=(*made.relations, column))
    body = If(op(at(DISC, "to"), "==", "me"), (Offer(x("to")),))
    wide = with_moves(made, Scan("cell", DISC, 64, x("me"), (Each(("to",), 1, x("cell"), (body,)),)))
    assert "patterns(" not in text(wide)


def test_no_table_when_a_counter_decides() -> None:
    left = DISC + 64
    body = If(op(at(left, "me"), ">", "way"), (Offer(x("way")),))
    made = with_moves(
        breakthrough(), Scan("cell", DISC, 64, x("me"), (Each(("to", "way"), 0, x("cell"), (body,)),))
    )
    assert "patterns(" not in text(made)


def test_no_table_for_a_single_offer() -> None:
    made = with_moves(breakthrough(), Scan("cell", DISC, 64, Const(1), (Offer(x("cell")),)))
    assert "patterns(" not in text(made)
