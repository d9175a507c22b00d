"""Every file that ships keeps its schema."""

from pathlib import Path

import pytest

from ruleforge.lang.schema import validate_file
from ruleforge.lang.schema.validate import FileKind
from ruleforge.lang.source import read_yaml_file
from ruleforge.support.diagnostics import Report
from ruleforge.support.diagnostics.render import render_text
from ruleforge.support.resources import shipped_games

GAMES = shipped_games()


def kind_of(path: Path, game: Path) -> FileKind:
    inside = path.relative_to(game)
    if "scenarios" in inside.parts:
        return "scenario"
    match inside.name:
        case "rulebook.yaml":
            return "rulebook"
        case "contract.yaml":
            return "contract"
        case "mutants.yaml":
            return "mutants"
    return "pack" if "expansions" in inside.parts else "ruleset"


def test_there_are_games():
    assert GAMES


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_files_keep_their_schema(game: Path):
    report = Report()
    for path in sorted(game.rglob("*.yaml")):
        file = read_yaml_file(path, report)
        if file is not None:
            validate_file(file, kind_of(path, game), report)
    assert list(report) == [], render_text(report)
