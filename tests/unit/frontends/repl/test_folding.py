"""Long lines at a terminal are broken at spaces, columns stay columns."""

from __future__ import annotations

from ruleforge.frontends.repl.telling import folded


def test_lines_are_broken_at_spaces_below_their_second_column():
    assert folded("short", 20) == ["short"]
    assert folded("step [N]   on to the next line of the rules", 30) == [
        "step [N]   on to the next line",
        "           of the rules",
    ]
    assert folded("one two three four", 10) == ["one two", "  three", "  four"]
    assert folded("  a_very_long_name_without_any_space", 10) == ["  a_very_long_name_without_any_space"]
