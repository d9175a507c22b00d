"""Where one change of a line explains all that is wrong with a file, it is the one complaint, and its edit mends it."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruleforge
from ruleforge.support.diagnostics.diagnostic import apply_edits

GAME = """\
game: {id: small, title: Small, version: "1.0", text: A test., players: 2}
kinds:
  player:
    things: [ann, ben]
    has:
      points: 0..9
formulas:
  half:
    takes: {p: player}
    is: p.points // 2
  twice:
    takes: {p: player}
    is: 2 * half(p)
flow:
  - phase: turn
    each: me in players
    do: |
      if twice(me) > 2: finish over for me
    window: one
actions:
  go:
    text: Gain a point.
    during: turn
    do: |
      me.points += 1
      if me.points > 2: finish over for me
endings:
  over:
    text: It is over.
"""
LOST = "the name of what `takes` belongs to is missing above it"


@pytest.mark.parametrize(
    ("old", "new", "line", "message", "edit"),
    [
        ("    has:\n", "      has:\n", 5, "`has` is indented too deep", True),
        ("formulas:\n", " formulas:\n", 7, "`formulas` is indented too deep", True),
        (
            "    takes: {p: player}\n    is: p",
            "      takes: {p: player}\n    is: p",
            9,
            "`takes` is indented too deep",
            True,
        ),
        ("    text: Gain", "text: Gain", 22, "`text` is not indented deep enough", True),
        ("  twice:\n", "", 11, LOST, False),
        ("    has:\n", "", 5, "the line `facts:`, `has:` or `product:` is missing above this", False),
        ("    do: |\n      me", "      me", 24, "the line `do: |` is missing above this", True),
        (
            "  player:\n    things: [ann, ben]\n",
            "    things: [ann, ben]\n  player:\n",
            3,
            "`things` stands before `player`, and belongs after it",
            True,
        ),
        ("    do: |\n      me", "    do: |\n    do: |\n      me", 25, "`do` stands here twice", True),
        (
            "  go:\n    text: Gain a point.\n    during: turn\n",
            "      go:\n        text: Gain a point.\n        during: turn\n",
            21,
            "`go` is indented too deep",
            True,
        ),
    ],
)
def test_one_change_explains_it(
    tmp_path: Path, old: str, new: str, line: int, message: str, edit: bool
) -> None:
    path = tmp_path / "game.yaml"
    assert GAME.count(old) == 1
    broken = GAME.replace(old, new)
    path.write_text(broken)
    (found,) = ruleforge.analyse(path).diagnostics
    assert (found.code, found.span.line, found.message) == ("RF128", line, message)
    if edit:
        path.write_text(apply_edits(broken, found.span.file, found.fix))
        assert ruleforge.analyse(path).diagnostics == ()
    else:
        assert found.fix == ()


def test_two_mistakes_are_two_diagnostics(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(
        GAME.replace("    has:\n", "      has:\n").replace("    during: turn\n", "    durin: turn\n")
    )
    assert {d.span.line for d in ruleforge.analyse(path).diagnostics} >= {5, 23}


@pytest.mark.parametrize(
    ("last", "code"),
    [
        ("    do: |\n      if twice(me", "RF404"),  # within an effect
        ("  - phase: turn\n    each: me in players\n    do", "RF108"),
        ("    takes: {p: player}\n    is", "RF108"),
    ],
)
def test_a_file_that_lost_its_end_is_one_diagnostic(tmp_path: Path, last: str, code: str) -> None:
    (tmp_path / "a.yaml").write_text(GAME[: GAME.index(last) + len(last)])
    rule = "  {}:\n    always: p in players where {}_gone(p)\n    do: {}_flies(p)\n"
    (tmp_path / "b.yaml").write_text("rules:\n" + rule.format(*"aaa") + rule.format(*"bbb"))
    (found,) = [d for d in ruleforge.analyse(tmp_path).diagnostics if d.severity == "error"]
    assert (found.code, Path(found.span.file).name) == (code, "a.yaml")


def test_misspelt_names_are_told_where_they_stand_though_the_last_line_has_no_end(tmp_path: Path) -> None:
    """Many editors leave the end of the last line out: by itself that is no sign that something is lost."""
    path = tmp_path / "game.yaml"
    rule = "  {}:\n    always: p in players where {}_gone(p)\n    do: p.ponts = 0\n"
    path.write_text((GAME + "rules:\n" + rule.format(*"aa") + rule.format(*"bb")).rstrip("\n"))
    found = ruleforge.analyse(path).diagnostics
    assert {d.span.line for d in found} > {len(GAME.splitlines()) + 3, len(GAME.splitlines()) + 4}
