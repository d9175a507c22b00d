"""Whatever is done to a rule file, reading it ends in complaints with places, never in an exception."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ruleforge.lang.model.from_source import ruleset_from_source
from ruleforge.lang.schema import validate
from ruleforge.lang.source import SourceTree, read_yaml
from ruleforge.lang.source.read_text import lines_of
from ruleforge.project.pipeline import analyse
from ruleforge.support.diagnostics import Report
from ruleforge.support.diagnostics.for_programs import render_sarif
from ruleforge.support.diagnostics.render import render_text
from ruleforge.support.resources import shipped_games
from tests.fuzz.shapes import SHAPES

GAMES = [
    (path / "game.yaml").read_text("utf-8")
    for path in shipped_games().values()
    if (path / "game.yaml").exists()
]
FOLDERS = {name: path for name, path in shipped_games().items() if (path / "game.yaml").exists()}
PIECES = st.sampled_from(
    [":", ": ", "- ", "  ", "\n", "\t", "[", "]", "{", "}", ",", "#", "|", ">", '"', "'", "&a ", "*a", "!x ",
     "? ", "---", "on", "010", "1.5", "é", "名", "\x85", "\u2028", "\r", "(", ")", "null", "x: 1", "<<: 1"]
)  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from(GAMES))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(text)))
        cut = draw(st.sampled_from([0, 0, 1, 3, 20, 200]))
        text = text[:at] + draw(PIECES | st.just("")) + text[at + cut :]
    return text


@settings(max_examples=60, deadline=None)
@given(text=damaged(), game=st.sampled_from(sorted(FOLDERS)))
def test_a_damaged_game_is_analysed_to_the_end(text: str, game: str):
    analysis = analyse(FOLDERS[game], {"game.yaml": text})
    assert analysis.checked is not None or analysis.diagnostics


@st.composite
def misshapen(draw: st.DrawFn) -> tuple[str, str]:
    """A game, and its file with one to three values, keys or parts of another shape."""
    game = draw(st.sampled_from(sorted(FOLDERS)))
    text = (FOLDERS[game] / "game.yaml").read_text("utf-8")
    for _ in range(draw(st.integers(1, 3))):
        text = draw(st.sampled_from(SHAPES))(draw, text, ["player", "game", "text"]) or text
    return game, text


SIGNLESS = (FOLDERS["gin-rummy"] / "game.yaml").read_text("utf-8").replace("diamonds: [♦, d]", "diamonds: []")


@example(damage=("gin-rummy", SIGNLESS))
@settings(max_examples=60, deadline=None)
@given(damage=misshapen())
def test_a_misshapen_game_is_analysed_to_the_end(damage: tuple[str, str]):
    game, text = damage
    analysis = analyse(FOLDERS[game], {"game.yaml": text})
    assert analysis.checked is not None or analysis.diagnostics


@example(text="{0")
@settings(max_examples=150, deadline=None)
@given(text=damaged() | st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=60))
def test_damage_gives_diagnostics_with_places(text: str):
    report = Report()
    file = read_yaml(text, "f.yaml", report)
    if file is None:
        assert report.has_errors
    else:
        tree = SourceTree("f.yaml", (file,))
        validate(tree, report)
        ruleset_from_source(tree, report)
    lines = lines_of(text)
    for d in report:
        assert 1 <= d.span.line <= len(lines)
        assert 1 <= d.span.column <= len(lines[d.span.line - 1]) + 2
        assert (d.span.end_line, d.span.end_column) >= (d.span.line, d.span.column)
    assert render_text(report, read_line=lambda file, line: lines[line - 1]) or not list(report)
    assert render_sarif(report)
