"""Every statement of a program says where in the rules it comes from, whatever the passes did with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ruleforge.compiler import ir
from ruleforge.compiler.basic_blocks import merge_tails
from ruleforge.compiler.passes.inline import Callers, Inliner
from ruleforge.compiler.visit import statements
from ruleforge.support.resources import shipped_games
from tests.shelf import game as shelved
from tests.unit.backends.programs import let, x


def program_of(name: str, chance: bool = False) -> ir.Program:
    compiled = shelved(name).compiled
    return compiled.program(compiled.setup(chance="explicit" if chance else "sampled"))


def bodies(program: ir.Program) -> Iterator[tuple[str, ir.Body]]:
    for function in (*program.functions.values(), *program.plain.values()):
        yield function.name, function.body
    blocks = tuple((f.name, block) for f in program.paused if f is not None for block in f.blocks)
    yield from blocks
    inliner = Inliner(Callers(program.plain, tuple(block for _, block in blocks)))
    yield from ((name, inliner.body(body)) for name, body in blocks)
    yield from ((f.name, inliner.body(f.body)) for f in program.plain.values())


@pytest.mark.parametrize("name", shipped_games())
def test_every_statement_has_a_file_and_a_line(name: str) -> None:
    program = program_of(name)
    lengths: dict[str, int] = {}
    for function, body in bodies(program):
        for statement in statements(body):
            place = program.place_of(statement)
            assert place.span.file.endswith(".yaml"), f"{function}: {statement}"
            if place.span.file not in lengths:
                lengths[place.span.file] = len(Path(place.span.file).read_text("utf-8").splitlines())
            assert 1 <= place.span.line <= lengths[place.span.file]
            assert place.definition, f"{function}: {place}"


def test_a_statement_names_its_own_line_and_definition() -> None:
    program = program_of("connect-four")
    found = {
        (program.place_of(s).definition, Path(program.place_of(s).span.file).name)
        for f in program.functions.values()
        for s in statements(f.body)
        if isinstance(s, ir.Finish)
    }
    assert found == {("event land", "game.yaml"), ("phase turn", "game.yaml")}


def test_statements_that_differ_in_their_place_alone_are_joined() -> None:
    one, two = let("a", 1), let("b", 2)
    joined = merge_tails((ir.If(x("t"), (one, replace(two, place=1)), (replace(two, place=2),)),))
    assert joined == (ir.If(x("t"), (one,), ()), two)
    assert joined[1].place == 1
