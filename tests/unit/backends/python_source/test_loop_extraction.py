"""Loops deeper in one another than Python allows do what they would do if it did."""

from __future__ import annotations

import pytest

from ruleforge.backends.faults import OutOfRoom
from ruleforge.backends.python_source.loop_extraction import code_of


def made(loops: int, inside: list[str]) -> str:
    """A function of two values; each loop is gone through twice."""
    lines = ["def f(r, stop):", " l_sum = 0"]
    for k in range(loops):
        lines.append(" " * (k + 1) + f"for l_{k} in range(2 if {k} > {loops - 5} else 1):")
    lines += [" " * (loops + 1) + line for line in inside]
    return "\n".join([*lines, " return l_sum, l_new", ""])


INSIDE = [
    "l_sum += 1",
    "l_new = l_sum * 2",
    "r.append([i for i in range(l_sum)])",
    "if l_sum == stop: return None",
]


@pytest.mark.parametrize("loops", [5, 15, 16, 19, 21, 32, 47])
@pytest.mark.parametrize("stop", [0, 1, 9])
def test_deep_loops_do_the_same(loops: int, stop: int) -> None:
    names: dict[str, object] = {}
    exec(code_of(made(loops, INSIDE), "<deep>"), names)
    seen: list[object] = []
    assert names["f"](seen, stop) == (None if stop else (16, 32))  # type: ignore[operator]
    assert len(seen) == (stop or 16)


def test_what_python_cannot_say_is_told() -> None:
    with pytest.raises(OutOfRoom):
        code_of(made(101, INSIDE), "<deep>")
