"""Sets that follow from things and facts alone are worked out beforehand; they are what they would be otherwise."""

from __future__ import annotations

import pytest

import ruleforge
from ruleforge.compiler import ir
from ruleforge.compiler.visit import statements

SETS = (
    "[step($, north), step($, east), step($, north)]",
    "[step($, south), $, step($, northeast), step($, south)]",
    "[step($, north), step($, south), step($, west) if $.row > 2 else none]",
)


@pytest.fixture(scope="module")
def state() -> ruleforge.State:
    return ruleforge.load("breakthrough").start()


@pytest.mark.parametrize("written", SETS)
def test_members_are_the_same_for_a_variable_and_for_each_thing(state: ruleforge.State, written: str) -> None:
    for cell in ("a1", "h8", "d4", "a5"):
        fixed, open_ = written.replace("$", cell), written.replace("$", "x")
        members = state.evaluate(f"{{m in {fixed}}}")
        assert members == state.evaluate(
            f"{{m in cells where any(x in cells where x is {cell} and m in {open_})}}"
        )
        counted = f"sum(count(m in {open_}) for x in cells where x is {cell})"
        assert state.evaluate(counted) == len(members)  # type: ignore[arg-type]


def test_nothing_is_sorted_in_play() -> None:
    """The leaps of a knight are a relation: lists that are sorted have arrays of keys."""
    program = ruleforge.load("chess").compiled
    functions = program.program(program.setup()).functions
    attack = next(f for name, f in functions.items() if name.startswith("any_") and "enemy" in f.parameters)
    assert not any(isinstance(s, ir.NewArray) for s in statements(attack.body))
