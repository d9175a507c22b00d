"""What `validate` says is kept, and never when anything is another."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from ruleforge.project import resolver as analysing
from ruleforge.project.resolver import analyse
from ruleforge.support import input_files as reading
from ruleforge.support.dependency_tracking import noted
from ruleforge.support.diagnostics import Diagnostic
from ruleforge.support.resources import find_game
from ruleforge.tools import validate_cache as diagnostics
from ruleforge.tools.validate_cache import validate
from ruleforge.tools.validation import validated

WRONG = """
kinds:
  counter: {count: two, hsa: {size: 1}}
actions:
  fly: {do: "flyy()", cites: [no-such-clause]}
"""


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEFORGE_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


@pytest.fixture
def game(tmp_path: Path, kept: Path) -> Path:
    """A copy of a game with everything beside it."""
    home = find_game("nim")
    assert home is not None
    return Path(shutil.copytree(home, tmp_path / "nim"))


def anew(what: Path | str, packs: tuple[str, ...] = ()) -> tuple[Diagnostic, ...]:
    return validated(analyse(str(what), packs)).diagnostics


def is_kept(what: Path | str, packs: tuple[str, ...] = ()) -> bool:
    """Is it said without looking at the rules?"""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(analysing, "analyse", lambda *given: pytest.fail("looked again"))
        try:
            validate(str(what), packs)
        except pytest.fail.Exception:
            return False
    return True


def test_what_is_fine_is_looked_at_once(game: Path):
    assert not is_kept(game)
    assert validate(str(game)) == anew(game) == ()
    assert is_kept(game)


def test_diagnostics_are_the_same_word_for_word(game: Path):
    (game / "more.yaml").write_text(WRONG, "utf-8")
    first = validate(str(game))
    assert any(d.fix for d in first) and any(d.help for d in first) and len(first) > 2
    assert is_kept(game)
    assert validate(str(game)) == first == anew(game)


@pytest.mark.parametrize("what", ["nim", "leduc-poker", "no-such-game", "rulesets/no/such/path"])
def test_names_and_what_is_not_there(kept: Path, what: str):
    assert validate(what) == anew(what)
    assert is_kept(what)


def test_packs_are_part_of_it(kept: Path):
    core = find_game("primordial-orbs")
    assert core is not None
    pack = sorted((core / "expansions").iterdir())[0].name
    validate("primordial-orbs", (pack,))
    assert is_kept("primordial-orbs", (pack,))
    assert not is_kept("primordial-orbs")
    assert not is_kept("primordial-orbs", ("no-such-pack",))
    assert validate("primordial-orbs", ("no-such-pack",)) == anew("primordial-orbs", ("no-such-pack",))


def _files(game: Path) -> list[Path]:
    return sorted(path for path in game.rglob("*") if path.suffix in (".yaml", ".lock"))


def test_every_file_that_is_read_counts(game: Path):
    """Each of them in turn: another text, gone, and back again."""
    (game / "core.lock").write_text("{}", "utf-8")
    validate(str(game))
    for file in _files(game):
        text = file.read_text("utf-8")
        file.write_text(text + "\n? [\n", "utf-8")
        assert not is_kept(game), file
        file.unlink()
        assert not is_kept(game), file
        assert validate(str(game)) == anew(game)
        file.write_text(text, "utf-8")
        assert not is_kept(game), file
        assert validate(str(game)) == anew(game)


def _another_folder(game: Path) -> None:
    (game / "more").mkdir()
    (game / "more" / "a.yml").write_text(WRONG, "utf-8")


def _a_link(game: Path) -> None:
    shutil.move(game / "rulebook.yaml", game.parent / "away.yaml")
    (game / "rulebook.yaml").symlink_to(game.parent / "away.yaml")


CHANGES: dict[str, Callable[[Path], object]] = {
    "another rule file": lambda game: (game / "more.yaml").write_text(WRONG, "utf-8"),
    "another folder of rules": _another_folder,
    "another scenario": lambda game: (game / "scenarios" / "zz.yaml").write_text("name: 1\n", "utf-8"),
    "a contract": lambda game: (game / "contract.yaml").write_text("locked: 9\n", "utf-8"),
    "a link instead of a file": _a_link,
    "a lock": lambda game: (game / "core.lock").write_text("{}", "utf-8"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_was_not_there_counts_too(game: Path, change: Callable[[Path], object]):
    validate(str(game))
    change(game)
    assert not is_kept(game)
    assert validate(str(game)) == anew(game)
    assert is_kept(game)


def test_what_is_no_part_of_the_rules_does_not_count(game: Path):
    validate(str(game))
    (game / "notes.txt").write_text("to do", "utf-8")
    (game / "README.md").write_text("# Nim", "utf-8")
    assert is_kept(game)


def test_a_damaged_file_is_never_trusted(game: Path, kept: Path):
    (game / "more.yaml").write_text(WRONG, "utf-8")
    first = validate(str(game))
    (file,) = kept.glob("*.complaints")
    whole = file.read_bytes()
    for data in (b"", whole[:40], whole[:-1] + bytes([whole[-1] ^ 1]), bytes(len(whole))):
        file.write_bytes(data)
        assert not is_kept(game)
        assert validate(str(game)) == first
        assert is_kept(game)


def test_another_ruleforge_looks_for_itself(game: Path, monkeypatch: pytest.MonkeyPatch):
    validate(str(game))
    monkeypatch.setattr(diagnostics, "build_digest", lambda: "another one")
    assert not is_kept(game)


def test_two_answers_to_one_question_settle_nothing(tmp_path: Path):
    """Somebody saves a file between two looks at it: nothing is known for sure, and nothing is kept."""
    file = tmp_path / "rules.yaml"
    file.write_text("one", "utf-8")
    with noted() as notes:
        reading.read_bytes(file, 100)
        reading.read_bytes(file, 100)
        assert notes.settled
        file.write_text("other", "utf-8")
        reading.read_bytes(file, 100)
    assert not notes.settled


def test_without_a_folder_to_keep_things_in(game: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RULEFORGE_CACHE", "")
    assert validate(str(game)) == ()
    assert not is_kept(game)
