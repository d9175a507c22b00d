"""Where no file can be put, that is said in one sentence about what was asked for, and nothing is touched."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ruleforge.support.output_files import CannotWrite, why_not_there, write_folder, write_text
from tests.unit.frontends.commands import Command

BAD = ("missing/x", "afile/x", "folder", "pipe")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "afile").write_text("")
    for ending in ("", ".html", ".svg", ".csv", ".xml", ".yaml", ".record"):
        (tmp_path / f"folder{ending}").mkdir()
        os.mkfifo(tmp_path / f"pipe{ending}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("bad", BAD)
def test_what_cannot_be_written_is_said_and_left_alone(home: Path, bad: str) -> None:
    before = sorted(home.rglob("*"))
    assert why_not_there(Path(bad))
    with pytest.raises(CannotWrite) as caught:
        write_text(Path(bad), "text")
    assert caught.value.strerror == why_not_there(Path(bad))
    assert sorted(home.rglob("*")) == before


def test_a_file_or_a_folder_that_may_not_be_written_stays(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "kept.txt").write_text("old")
    for shut, said in ((home / "kept.txt", "is read-only"), (home, "is not writable")):
        with monkeypatch.context() as patch:
            patch.setattr(os, "access", lambda path, mode, shut=shut: Path(path) != shut)
            assert said in why_not_there(home / "kept.txt")
    assert (home / "kept.txt").read_text() == "old"


@pytest.mark.parametrize("calls", range(6))
def test_a_new_folder_is_there_as_a_whole_or_not_at_all(
    home: Path, monkeypatch: pytest.MonkeyPatch, calls: int
) -> None:
    """Wherever it breaks off; so it can be made again."""
    files = {"a.yaml": "a", "deep/b.yaml": "b"}
    left = iter(range(calls))
    before = sorted(home.rglob("*"))
    with monkeypatch.context() as broken:
        for name in ("fsync", "replace", "rename"):
            done = getattr(os, name)
            broken.setattr(
                os, name, lambda *given, done=done: done(*given) if next(left, None) is not None else _full()
            )
        try:
            write_folder(home / "new", files)
        except OSError as problem:
            assert problem.filename == str(home / "new") and sorted(home.rglob("*")) == before
    if not (home / "new").exists():
        write_folder(home / "new", files)
    assert {str(p.relative_to(home / "new")) for p in (home / "new").rglob("*.yaml")} == {*files}
    assert not list(home.glob(".ruleforge-*"))


KILLED = """
import os, signal
from pathlib import Path
from ruleforge.support.output_files import write_folder, write_text
os.fsync = lambda handle: os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("write", ["write_text(Path('x.yaml'), 'x')", "write_folder(Path('x'), {'y': 'z'})"])
def test_what_a_killed_process_left_is_cleared_later(home: Path, write: str) -> None:
    killed = subprocess.run([sys.executable, "-c", f"{KILLED}{write}"], check=False)
    assert killed.returncode == -signal.SIGKILL
    (left,) = home.glob(".ruleforge-*")
    write_text(home / "a.yaml", "a")
    assert left.exists()  # somebody may be working on it
    os.utime(left, (0, 0))
    write_text(home / "a.yaml", "a")
    assert not left.exists()


def test_nothing_else_is_cleared(home: Path) -> None:
    kept = [home / name for name in (".ruleforge-history", ".ruleforge-ABCDEFGH", "ruleforge-abcdefgh", ".x")]
    for path in kept:
        path.write_text("")
        os.utime(path, (0, 0))
    link = home / ".ruleforge-abcdefgh"
    link.symlink_to(home / "folder")
    os.utime(link, (0, 0), follow_symlinks=False)
    write_text(home / "a.yaml", "a")
    assert all(path.exists() for path in (*kept, home / "folder")) and not link.is_symlink()


def _full() -> None:
    raise OSError(28, "No space left on device")


COMMANDS = {
    "docs": ("docs", "nim", "--out", "{}.html"),
    "graph": ("graph", "nim", "--out", "{}.svg"),
    "cover": ("test", "nim", "--cover-html", "{}.html"),
    "junit": ("test", "nim", "--junit", "{}.xml"),
    "games": ("simulate", "nim", "--games", "2", "--out", "{}.csv"),
    "decisions": ("simulate", "nim", "--games", "2", "--decisions", "{}.csv"),
    "report": ("simulate", "nim", "--games", "2", "--report", "{}.html"),
    "counterexample": ("check-expansion", "symbiosis", "--counterexample", "{}.yaml"),
    "save": ("repl", "nim", "-c", "save {}.record"),
    "export": ("repl", "nim", "-c", "do take one 1; export test {}.yaml"),
}


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_commands_say_so_before_they_work(
    ruleforge_command: Command, home: Path, command: tuple[str, ...], bad: str
) -> None:
    before = sorted(home.rglob("*"))
    done = ruleforge_command(*(word.format(bad) for word in command))
    assert done.code in (1, 2) and " passed" not in done.out
    said = (done.err or done.out).strip().splitlines()[-1]
    assert bad.split("/")[0] in said and ".ruleforge-" not in said
    assert sorted(home.rglob("*")) == before
