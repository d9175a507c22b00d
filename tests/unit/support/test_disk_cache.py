"""What is kept between runs is read back by the user who made it, and by nobody else."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ruleforge.support import disk_cache as keeping
from ruleforge.support.disk_cache import DiskCache

SOMEBODY_ELSE = 12345
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make files of somebody else")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    DiskCache(tmp_path / "mine").write("a.codes", b"made")
    return tmp_path / "mine"


def found(folder: Path) -> bytes | None:
    return DiskCache(folder).read("a.codes")


def test_what_was_kept_is_found_and_closed_to_others(folder):
    assert found(folder) == b"made"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}


def test_every_changed_byte_is_noticed(folder):
    path = folder / "a.codes"
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert found(folder) is None
    for changed in (whole[:-1], whole + b"x", b"", whole[32:], b"\0" * 4096):
        path.write_bytes(changed)
        assert found(folder) is None
    path.write_bytes(whole)
    assert found(folder) == b"made"


def test_a_digest_without_the_secret_is_worth_nothing(folder, tmp_path):
    DiskCache(tmp_path / "other").write("a.codes", b"planted")
    (folder / "a.codes").write_bytes((tmp_path / "other" / "a.codes").read_bytes())
    assert found(folder) is None


def test_a_file_does_not_stand_for_another(folder):
    os.rename(folder / "a.codes", folder / "b.codes")
    assert DiskCache(folder).read("b.codes") is None


def chmod(mode: int) -> Callable[[Path], None]:
    return lambda path: os.chmod(path, mode)


def linked(path: Path) -> None:
    path.rename(path.with_name("real"))
    path.symlink_to(path.with_name("real"))


def hard_linked(path: Path) -> None:
    os.link(path, path.with_name("again"))


def given_away(path: Path) -> None:
    os.chown(path, SOMEBODY_ELSE, SOMEBODY_ELSE)


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


FOREIGN = [
    pytest.param(where, change, id=f"{where or 'folder'}-{name}", marks=marks)
    for where, name, change, marks in [
        ("", "writable by the group", chmod(0o770), ()),
        ("", "writable by all", chmod(0o777), ()),
        ("", "writable by all but sticky", chmod(0o1777), ()),
        ("", "a link", linked, ()),
        ("", "of somebody else", given_away, AS_ROOT),
        ("..", "writable by all", chmod(0o777), ()),
        ("..", "writable by the group", chmod(0o775), ()),
        ("..", "of somebody else", given_away, AS_ROOT),
        *((file, *case) for file in ("secret", "a.codes") for case in (
            ("writable by all", chmod(0o666), ()),
            ("a link", linked, ()),
            ("linked twice", hard_linked, ()),
            ("of somebody else", given_away, AS_ROOT),
            ("a pipe", a_pipe, ()),
        )),
    ]
]  # fmt: skip


@pytest.mark.parametrize(("where", "change"), FOREIGN)
def test_what_another_could_have_written_does_not_count(folder, where, change):
    change(Path(os.path.normpath(folder / where)))
    assert found(folder) is None
    DiskCache(folder).write("a.codes", b"anew")  # and nothing fails
    kept = found(folder)
    assert kept == b"anew" if where in ("secret", "a.codes") else kept is None


def test_a_sticky_folder_of_all_may_hold_it(folder):
    os.chmod(folder.parent, 0o1777)
    assert found(folder) == b"made"


def test_a_folder_that_others_may_look_into_is_closed(folder):
    os.chmod(folder, 0o755)
    assert found(folder) == b"made"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("name", ["x" * 5000, "a/b/c"])
def test_a_name_that_will_not_do_is_not_kept(folder, name):
    DiskCache(folder).write(name, b"made")
    assert DiskCache(folder).read(name) is None


def test_files_of_long_ago_go_on_another_day(folder):
    os.utime(folder / "a.codes", (0, 0))
    DiskCache(folder).write("b.codes", b"made")
    assert (folder / "a.codes").exists()  # it is not looked for at every write
    os.utime(folder / "tally", (0, 0))
    DiskCache(folder).write("c.codes", b"made")
    assert sorted(os.listdir(folder)) == ["b.codes", "c.codes", "secret", "tally"]


def test_what_is_used_stays(folder):
    os.utime(folder / "a.codes", (0, 0))
    os.utime(folder / "tally", (0, 0))
    assert found(folder) == b"made"
    DiskCache(folder).write("b.codes", b"made")
    assert found(folder) == b"made"


def test_what_is_used_again_stays_before_what_was_only_written_later(folder, monkeypatch):
    monkeypatch.setattr(keeping, "MOST_BYTES", 2_500)
    for minutes, name in ((30, "a"), (20, "b")):
        DiskCache(folder).write(f"{name}.codes", b"x" * 1_000)
        os.utime(folder / f"{name}.codes", (0, time.time() - 60 * minutes))
    assert DiskCache(folder).read("a.codes") is not None
    os.utime(folder / "tally", (0, 0))
    DiskCache(folder).write("c.codes", b"x" * 1_000)
    assert sorted(os.listdir(folder)) == ["a.codes", "c.codes", "secret", "tally"]


def test_the_folder_stays_small(folder, monkeypatch):
    """Whoever writes: what is used least goes, files of others stay, and only few writes look through the folder."""
    monkeypatch.setattr(keeping, "MOST_BYTES", 20_000)
    monkeypatch.setattr(keeping, "BETWEEN", 5_000)
    looked, tidy = [], keeping._tidy

    def tidying(where: Path) -> None:
        looked.append(where)
        tidy(where)

    monkeypatch.setattr(keeping, "_tidy", tidying)
    (folder / "history").write_bytes(b"h" * 30_000)
    (folder / "secret.txt").write_bytes(b"h" * 30_000)
    for number in range(100):
        DiskCache(folder).write(f"{number:x}.codes", b"x" * 1_000)
        os.utime(folder / f"{number:x}.codes", (time.time(), time.time() - 1000 + number))
        kept = [os.stat(folder / name).st_size for name in os.listdir(folder) if name.endswith(".codes")]
        assert sum(kept) <= 20_000 + 5_000 + 2_000
    assert len(kept) > 15 and (folder / "63.codes").exists()
    assert 15 <= len(looked) <= 35
    assert (folder / "history").exists() and (folder / "secret.txt").exists()
