"""A rule file that is empty, no text or no file is the one complaint: nothing is said of what it may have held."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ruleforge.lang.source.folder import OTHER_FILES
from ruleforge.project.resolver import analyse
from ruleforge.support.resources import shipped_games
from ruleforge.tools.validation import validated
from tests.diagnostics.planting import clean

GAMES = ("orbit-simulator", "primordial-orbs", "primordial-soup", "soul-gems", "splicers")
FILES = [
    pytest.param(game, file.name, id=f"{game}/{file.name}")
    for game in GAMES
    for file in sorted(shipped_games()[game].glob("*.yaml"))
    if file.name not in OTHER_FILES
]


@pytest.mark.parametrize(("game", "file"), FILES)
def test_an_emptied_file_is_one_diagnostic(game: str, file: str) -> None:
    before = clean(game)
    after = validated(before.analysis.edited({file: ""}), before)
    assert [(d.code, Path(d.span.file).name) for d in after.diagnostics] == [("RF103", file)]


def test_so_is_a_file_with_nothing_but_comments() -> None:
    before = clean("splicers")
    text = (shipped_games()["splicers"] / "kinds.yaml").read_text("utf-8")
    after = validated(before.analysis.edited({"kinds.yaml": "# " + text.replace("\n", "\n# ")}), before)
    assert [d.code for d in after.diagnostics] == ["RF103"]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    left_out = shutil.ignore_patterns("expansions", "scenarios")
    return Path(shutil.copytree(shipped_games()["primordial-orbs"], tmp_path / "orbs", ignore=left_out))


def codes_of(game: Path) -> list[str]:
    return [d.code for d in validated(analyse(str(game), ())).diagnostics]


def test_a_folder_with_the_name_of_a_rule_file_is_told(game: Path) -> None:
    (game / "flow.yaml").unlink()
    (game / "flow.yaml").mkdir()
    assert codes_of(game) == ["RF109"]


def test_a_folder_with_the_name_of_a_scenario_is_told(game: Path) -> None:
    (game / "scenarios" / "first.yaml").mkdir(parents=True)
    assert codes_of(game) == ["RF109"]


def test_a_file_that_is_no_text_is_told(game: Path) -> None:
    (game / "flow.yaml").write_bytes(b"\xff\xfe\xff")
    assert codes_of(game) == ["RF106"]


def test_without_the_file_of_the_game_section_that_is_told(game: Path) -> None:
    (game / "game.yaml").unlink()
    assert codes_of(game) == ["RF120"]


def test_a_key_that_is_lost_is_not_missing_as_well(game: Path) -> None:
    (game / "scenarios").mkdir()
    (game / "scenarios" / "open.yaml").write_text("scenario: a\nsteps: [\n", "utf-8")
    assert codes_of(game) == ["RF108"]
