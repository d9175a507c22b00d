"""Twins: valid with their packs and scenarios, without the old names, and the same game tree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import ruleforge
from ruleforge.frontends.cli.test_command import command as run_tests
from ruleforge.frontends.lsp.disguise.same_play import first_difference
from ruleforge.frontends.lsp.disguise.twin import write_twin
from ruleforge.project.locator import packs_of
from ruleforge.project.resolver import analyse
from ruleforge.support.resources import shipped_games
from ruleforge.tools.validation import validated
from tests.shelf import game as shelved
from tests.thorough import THOROUGH, most, some_of

GAMES = sorted(shipped_games())
RULESETS = {name for name, folder in shipped_games().items() if packs_of(folder)}
SMALL = [name for name in GAMES if name not in RULESETS]


@pytest.mark.parametrize("name", GAMES if THOROUGH else some_of(SMALL, 5, "twins"))
def test_a_twin_is_the_same_game(name: str, tmp_path: Path) -> None:
    folder = shipped_games()[name]
    write_twin(folder, 7, tmp_path / "twin")
    for path in (tmp_path / "twin", *packs_of(tmp_path / "twin").values()):
        assert [d for d in validated(analyse(path)).diagnostics if d.severity == "error"] == []
        told = CliRunner().invoke(run_tests, [str(path)])
        assert told.exit_code == 0, told.output
    assert len(packs_of(tmp_path / "twin")) == len(packs_of(folder))
    twin = ruleforge.load(str(tmp_path / "twin"))
    assert first_difference(shelved(name), twin, most(3, 20), most(60, 400)) == ""


def test_no_name_is_left(tmp_path: Path) -> None:
    twin = write_twin(shipped_games()["kuhn-poker"], 3, tmp_path / "twin")
    words = set(re.findall(r"[a-z]+", "\n".join(twin.files.values()).casefold()))
    assert not words & {
        "kuhn",
        "poker",
        "jack",
        "queen",
        "king",
        "ante",
        "bet",
        "alice",
        "bob",
        "deck",
        "showdown",
    }
    other = write_twin(shipped_games()["kuhn-poker"], 4, tmp_path / "other")
    assert set(twin.names) == set(other.names) and twin.names != other.names


def test_another_game_is_no_twin() -> None:
    assert first_difference(shelved("tic-tac-toe"), shelved("connect-four"), 1, 5) != ""
