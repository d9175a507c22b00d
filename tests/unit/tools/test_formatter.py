"""`ruleforge fmt`: one spelling for one meaning, and nothing else is touched."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from ruleforge.frontends.cli.main import main
from ruleforge.lang.model.from_source import ruleset_from_source
from ruleforge.lang.parser.parsed import parse
from ruleforge.lang.parser.printer import print_text
from ruleforge.lang.source.folder import read_folder
from ruleforge.project.resolver import diagnostics_of
from ruleforge.support.diagnostics import Report
from ruleforge.support.resources import shipped_games
from ruleforge.tools.formatter import canonical_files

GAMES = shipped_games()
SMALL = """\
# A comment stays.
game: {id: tiny, title: Tiny, version: "1", text: Tiny., players: 2}
kinds:
  player: {things: [ann, ben], has: {gold: 0..9   =   3}}   # so does this one
flow:
  - phase: turn
    repeat: true
    each: me   in players
    window: one
actions:
  spend:
    during: turn
    needs: (me.gold   >  0)
    do: |
      if me.gold is 1: finish broke for (opponent)
      me.gold   -= 1
  keep:
    during: turn
    do: |
      skip   # a text with a comment is left alone
endings:
  broke: {text: Nothing is left.}
"""


def write(folder: Path) -> Path:
    file = folder / "tiny.yaml"
    file.write_text(SMALL, encoding="utf-8")
    return file


def test_effects_are_printed_and_the_rest_stays(tmp_path: Path) -> None:
    file = write(tmp_path)
    done = CliRunner().invoke(main, ["fmt", str(file)])
    assert done.exit_code == 0, done.output
    text = file.read_text(encoding="utf-8")
    assert "    each: me in players\n" in text
    assert "    needs: me.gold > 0\n" in text
    assert "      if me.gold is 1:\n        finish broke for opponent\n      me.gold -= 1\n" in text
    assert "# A comment stays." in text and "# so does this one" in text
    assert "skip   # a text with a comment" in text
    assert not list(tmp_path.glob("*.new"))
    assert not diagnostics_of(file)


def test_check_changes_nothing(tmp_path: Path) -> None:
    file = write(tmp_path)
    done = CliRunner().invoke(main, ["fmt", "--check", str(file)])
    assert done.exit_code == 1
    assert "would change" in done.output
    assert file.read_text(encoding="utf-8") == SMALL


def test_mistakes_are_told_and_nothing_is_written(tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text("game: [\n", encoding="utf-8")
    done = CliRunner().invoke(main, ["fmt", str(file)])
    assert done.exit_code == 1 and "RF1" in done.output
    assert file.read_text(encoding="utf-8") == "game: [\n"


@pytest.mark.parametrize("name", GAMES)
def test_formatting_twice_is_formatting_once(name: str, tmp_path: Path) -> None:
    copy = tmp_path / name
    shutil.copytree(GAMES[name], copy)
    meant = _canonical(copy)
    for file, content in canonical_files(copy, (), Report()).items():
        file.write_text(content, encoding="utf-8")
    assert canonical_files(copy, (), Report()) == {}
    assert _canonical(copy) == meant


def _canonical(folder: Path) -> list[str | None]:
    """What every effect text says, in one spelling."""
    report = Report()
    tree = read_folder(folder, report)
    assert tree is not None
    ruleset = ruleset_from_source(tree, report)
    assert ruleset is not None
    texts = parse(ruleset, report).texts.values()
    return [print_text(text.text.start, text.node) for text in texts if text.node is not None]


def test_a_difference_is_shown_and_nothing_written(tmp_path: Path) -> None:
    file = write(tmp_path)
    done = CliRunner().invoke(main, ["fmt", "--diff", str(file)])
    assert done.exit_code == 1
    assert "-    needs: (me.gold   >  0)\n+    needs: me.gold > 0\n" in done.output
    assert file.read_text(encoding="utf-8") == SMALL
    CliRunner().invoke(main, ["fmt", str(file)])
    done = CliRunner().invoke(main, ["fmt", "--diff", str(file)])
    assert (done.exit_code, done.output) == (0, "")


def test_what_stands_behind_a_colon_stays_there(tmp_path: Path) -> None:
    file = tmp_path / "tiny.yaml"
    text = SMALL.replace("      if me.gold is 1: finish", "      if   me.gold is 1:  finish")
    file.write_text(text.replace("(opponent)", "opponent"), encoding="utf-8")
    CliRunner().invoke(main, ["fmt", str(file)])
    assert "      if me.gold is 1: finish broke for opponent\n      me.gold -= 1\n" in file.read_text("utf-8")


@pytest.mark.parametrize("seed", range(12))
def test_whatever_the_spacing_comments_stay_and_once_is_enough(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    name = chance.choice(["nim", "pig", "kuhn-poker", "hearts", "connect-four", "chess"])
    copy = tmp_path / name
    shutil.copytree(GAMES[name], copy)
    file = copy / "game.yaml"
    lines = file.read_text("utf-8").split("\n")
    for number in chance.sample(range(len(lines)), len(lines) // 3):
        lines[number] = _spaced(lines[number], chance)
    file.write_text("\n".join(lines), "utf-8")
    if diagnostics_of(copy):
        return  # it says something else now
    meant, comments = _canonical(copy), [line for line in lines if "#" in line]
    for path, content in canonical_files(copy, (), Report()).items():
        path.write_text(content, encoding="utf-8")
    assert canonical_files(copy, (), Report()) == {}
    assert _canonical(copy) == meant
    after = file.read_text("utf-8")
    assert [line.partition("#")[2] for line in comments] == [
        line.partition("#")[2] for line in after.split("\n") if "#" in line
    ]


def _spaced(line: str, chance: random.Random) -> str:
    """A line with other spaces in it, where those mean nothing, or a comment behind it."""
    head, sign, rest = line.partition(": ")
    if not sign:
        return line + "  # so" if chance.random() < 0.2 and line.strip() else line
    return head + sign + rest.replace(" is ", chance.choice(["  is ", " is  "])).replace(" + ", "+")
