"""Long lines at a terminal are broken at spaces, long lists are told by their differences."""

from __future__ import annotations

from ruleforge.frontends.repl.answer import folded
from ruleforge.frontends.repl.inspect_commands import change


def test_lines_are_broken_at_spaces_below_their_second_column():
    assert folded("short", 20) == ["short"]
    assert folded("step [N]   on to the next line of the rules", 30) == [
        "step [N]   on to the next line",
        "           of the rules",
    ]
    assert folded("one two three four", 10) == ["one two", "  three", "  four"]
    assert folded("  a_very_long_name_without_any_space", 10) == ["  a_very_long_name_without_any_space"]


def test_of_long_lists_the_differences_are_told():
    names = [f"card_{n}" for n in range(12)]
    assert change(["a"], ["a", "b"]) == "[a] → [a, b]"
    assert change(names, names[1:]) == "12 → 11 things, −card_0"
    assert change(names, [*names[:-1], "joker"]) == "+joker −card_11"
    assert change(names, names[::-1]) == "12 things in another order"
