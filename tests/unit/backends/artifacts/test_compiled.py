"""One owner of what is compiled: setups are checked once, programs made once, the author's words kept."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruleforge
from ruleforge.backends.artifacts import compiled as compiling
from ruleforge.backends.artifacts.compiled import Unkept
from ruleforge.engine.loader import opened
from ruleforge.lang.parser import grammar, table_builder
from tests.inside import variant_of
from tests.unit.small_games import FAIR, small_game


def test_a_setup_has_every_option():
    setup = small_game().compiled.setup(3, {"rounds": 2})
    assert (setup.players, setup.chance) == (3, "sampled")
    assert setup.options == (("rich", False), ("rounds", 2), ("mood", "merry"))
    assert small_game().compiled.setup(3, {"rounds": 2}) == setup


@pytest.mark.parametrize(
    "how", [{"players": 9}, {"options": {"rich": 1}}, {"options": {"luck": 1}}, {"chance": "x"}]
)
def test_what_does_not_fit_is_refused(how: dict[str, object]):
    with pytest.raises(ruleforge.StartError):
        small_game().compiled.setup(**how)  # type: ignore[arg-type]


def test_states_of_one_setup_share_a_program():
    compiled = small_game().compiled
    setup = compiled.setup()
    assert variant_of(small_game().start(seed=1)).program is compiled.program(setup)
    assert compiled.questioning(setup) is compiled.questioning(setup)


def test_reasons_show_the_rules_as_they_were_when_loaded(tmp_path: Path):
    file = tmp_path / "fair.yaml"
    file.write_text(FAIR, "utf-8")
    state = ruleforge.load(file).start()
    file.unlink()
    (reason,) = state.why_not("give ann 1")
    assert "`whom is not me` does not hold" in reason.message


def test_backends_are_named():
    assert ruleforge.load("nim", backend="auto").start() == ruleforge.load("nim", backend="reference").start()
    with pytest.raises(ruleforge.RulesetError, match="no backend `fast`"):
        ruleforge.load("nim", backend="fast")


def test_what_answers_why_not_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RULEFORGE_CACHE", str(tmp_path / "here"))
    (tmp_path / "fair.yaml").write_text(FAIR, "utf-8")
    before = ruleforge.load(tmp_path / "fair.yaml").start().why_not("give ann 1")
    (kept,) = (tmp_path / "here").glob("*.questioning")
    monkeypatch.setattr(compiling, "questioning_program", lambda *given: pytest.fail("compiled again"))
    assert ruleforge.load(tmp_path / "fair.yaml").start().why_not("give ann 1") == before
    kept.write_bytes(kept.read_bytes()[:-1] + b"?")
    with pytest.raises(pytest.fail.Exception):
        ruleforge.load(tmp_path / "fair.yaml").start().why_not("give ann 1")


def test_what_is_thrown_away_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RULEFORGE_CACHE", str(tmp_path / "here"))
    (tmp_path / "fair.yaml").write_text(FAIR, "utf-8")
    analysis = ruleforge.analyse(tmp_path / "fair.yaml")
    assert opened(analysis, "fair", "reference", make=Unkept).start().why_not("give ann 1")
    assert [*(tmp_path / "here").glob("*.program"), *(tmp_path / "here").glob("*.questioning")] == []


def test_the_tables_of_the_grammar_are_kept_with_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RULEFORGE_CACHE", str(tmp_path / "here"))
    grammar.tables.__wrapped__()
    (tables,) = (tmp_path / "here").glob("*.tables")
    monkeypatch.setattr(table_builder, "build", lambda *given: pytest.fail("built again"))
    lexer, _ = grammar.tables.__wrapped__()
    assert len(lexer[0]) + len(lexer[1]["NAME"]) > 100
    tables.write_bytes(tables.read_bytes()[:-1] + b"?")
    with pytest.raises(pytest.fail.Exception):
        grammar.tables.__wrapped__()
    monkeypatch.undo()
    monkeypatch.setenv("RULEFORGE_CACHE", "")
    assert grammar.tables.__wrapped__()[0] == grammar.tables()[0]
