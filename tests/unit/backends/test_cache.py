"""Compiled things in the user's folder."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from types import CodeType

import pytest

from ruleforge.backends import cached, python_source
from ruleforge.backends.cache import Cache, key
from ruleforge.support.disk_cache import DiskCache, cache_folder
from tests.unit.backends import programs


class Maker:
    def __init__(self) -> None:
        self.made = 0

    def __call__(self) -> CodeType:
        self.made += 1
        return compile("answer = 42", "<test>", "exec")


def kept(folder: Path) -> list[Path]:
    """What is kept, without the secret."""
    return [path for path in folder.iterdir() if path.suffix]


def test_code_is_made_once(tmp_path: Path) -> None:
    make = Maker()
    for _ in range(3):
        names: dict[str, int] = {}
        exec(Cache("abc", tmp_path).code("codes", make), names)
        assert names["answer"] == 42
    assert make.made == 1
    Cache("abd", tmp_path).code("codes", make)
    assert make.made == 2


@pytest.mark.parametrize("damage", [b"", b"x", b"nonsense" * 9])
def test_a_damaged_file_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    make = Maker()
    Cache("abc", tmp_path).code("codes", make)
    (file,) = kept(tmp_path)
    file.write_bytes(damage or file.read_bytes()[:-3])
    Cache("abc", tmp_path).code("codes", make)
    Cache("abc", tmp_path).code("codes", make)
    assert make.made == 2


def test_a_folder_that_cannot_be_written_means_no_cache(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    make = Maker()
    for _ in range(2):
        Cache("abc", tmp_path / "file").code("codes", make)
    assert make.made == 2


def test_a_program_comes_back_equal(tmp_path: Path) -> None:
    program = programs.raid()
    assert Cache("p", tmp_path).program(lambda: program) is program
    again = Cache("p", tmp_path).program(lambda: pytest.fail("made twice"))
    assert again == program


def test_a_runtime_uses_it(tmp_path: Path) -> None:
    program = programs.connect_four()
    first = python_source.compile(program, cache=Cache("k", tmp_path).code)
    second = python_source.compile(program, cache=Cache("k", tmp_path).code)
    assert first.new_row(1) == second.new_row(1)
    assert [p.suffix for p in kept(tmp_path)] == [".codes"]


def test_the_key_depends_on_everything() -> None:
    keys = {
        key([b"a", b"b"], {"players": 2}, "1.0"),
        key([b"ab"], {"players": 2}, "1.0"),
        key([b"a", b"b"], {"players": 3}, "1.0"),
        key([b"a", b"b"], {"players": 2}, "1.1"),
    }
    assert len(keys) == 4


def test_the_folder_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEFORGE_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.setenv("RULEFORGE_CACHE", "")
    assert cache_folder() is None
    monkeypatch.delenv("RULEFORGE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "ruleforge"


def test_code_that_was_generated_before_is_not_generated_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEFORGE_CACHE", str(tmp_path))
    program = programs.breakthrough()
    first = cached.compile(program)
    monkeypatch.setattr(
        "ruleforge.backends.python_source.runtime.source", lambda *_: pytest.fail("generated")
    )
    again = cached.compile(program)
    row = again.new_row(1)
    assert row == first.new_row(1)
    assert again.codes(row) == first.codes(row)


def test_another_program_is_generated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEFORGE_CACHE", str(tmp_path))
    cached.compile(programs.breakthrough())
    before = len(kept(tmp_path))
    cached.compile(programs.breakthrough(indexed=False))
    assert len(kept(tmp_path)) > before


class Runs:
    """Something that runs when it is unpickled."""

    def __init__(self, made: Path) -> None:
        self.made = made

    def __reduce__(self) -> tuple[object, ...]:
        return (os.mkdir, (str(self.made),))


def test_a_program_is_read_as_data(tmp_path: Path) -> None:
    """Even with the right digest a file can name no function: only the parts of programs."""
    program = programs.raid()
    for evil in (Runs(tmp_path / "ran"), os.system, Path("x"), programs.raid, {"a": Runs(tmp_path / "ran")}):
        DiskCache(tmp_path).write("p.program", pickle.dumps(evil))
        assert Cache("p", tmp_path).program(lambda: program) is program
    assert not (tmp_path / "ran").exists()
