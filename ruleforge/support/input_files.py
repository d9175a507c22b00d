"""Read plain files within limits, or give the reason why not."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

from ruleforge.support.ceilings import CEILINGS
from ruleforge.support.dependency_tracking import asks

MOST_DEPTH = 32

Sort = Literal["file", "folder", "other"]
# Asked for on systems that have them: a pipe must not make us wait, a terminal must not become ours.
_FLAGS = os.O_RDONLY | sum(
    getattr(os, flag, 0) for flag in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY")
)
_OTHERS = (
    (stat.S_ISDIR, "it is a folder"),
    (stat.S_ISFIFO, "it is a pipe, not a file"),
    (stat.S_ISSOCK, "it is a socket, not a file"),
    (stat.S_ISCHR, "it is a device, not a file"),
    (stat.S_ISBLK, "it is a device, not a file"),
)


class Unreadable(Exception):
    """A file that cannot be read, with the reason in words."""


class TooLarge(Unreadable):
    """A file or a folder that exceeds a limit."""

    def __init__(self, size: int, most: int) -> None:
        super().__init__(f"it is too large: more than {most} bytes")
        self.size = size
        self.most = most


class LinkOutside(Unreadable):
    """A link that leads out of its folder."""


@asks
def sort_of(path: Path) -> Sort | None:
    """The sort of file at a path, with links followed. None if there is none, or if the path is not valid."""
    return _sort_of(path)


def _sort_of(path: Path | str) -> Sort | None:
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return None
    return "file" if stat.S_ISREG(mode) else "folder" if stat.S_ISDIR(mode) else "other"


def is_file(path: Path) -> bool:
    return sort_of(path) == "file"


def is_folder(path: Path) -> bool:
    return sort_of(path) == "folder"


@asks
def is_there(path: Path) -> bool:
    """Whether a path exists, even as a broken link."""
    return os.path.lexists(path)


@asks
def is_link(path: Path) -> bool:
    return os.path.islink(path)


@asks
def real_path(path: Path) -> str:
    """The target of a path when all links are followed."""
    return os.path.realpath(path)


@asks
def strays(path: Path, home: Path) -> bool:
    """Whether a path leads out of a folder, by a link or by dots."""
    return _strays(path, home)


def _strays(path: Path, home: Path) -> bool:
    if _lies_plainly(os.fspath(path), os.fspath(home)):
        return False
    real, root = os.path.realpath(path), os.path.realpath(home)
    return real != root and not real.startswith(root.rstrip(os.sep) + os.sep)


def _lies_plainly(path: str, home: str) -> bool:
    """Whether only plain folders lead from the folder to the path. This is the usual case."""
    inside = home.rstrip(os.sep) + os.sep
    if not path.startswith(inside):
        return False
    steps = path[len(inside) :].split(os.sep)
    if not all(steps) or os.pardir in steps:
        return False
    return not any(os.path.islink(inside + os.sep.join(steps[: n + 1])) for n in range(len(steps)))


@asks
def read_bytes(path: Path, most: int, home: Path | None = None) -> bytes:
    """The content of a plain file up to a size limit. It must not lie outside of `home`. Raises Unreadable."""
    try:
        if home is not None and _strays(path, home):
            raise LinkOutside("it is a link that leaves its folder")
        _check(os.stat(path), most)  # first: to open a device can already do something
        with open(os.open(path, _FLAGS), "rb") as file:
            _check(os.fstat(file.fileno()), most)
            data = file.read(most + 1)  # what grows, or says no size, ends here too
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise Unreadable(reason.lower()) from None
    if len(data) > most:
        raise TooLarge(len(data), most)
    return data


def _check(status: os.stat_result, most: int) -> None:
    for is_such, words in _OTHERS:
        if is_such(status.st_mode):
            raise Unreadable(words)
    if status.st_size > most:
        raise TooLarge(status.st_size, most)


@asks
def files_below(
    folder: Path | str,
    suffixes: tuple[str, ...],
    leave_out: frozenset[str] = frozenset(),
    most: int = CEILINGS.entries,
) -> list[Path]:
    """The files with these suffixes in a fixed order: those of a folder by name, then its sub-folders by
    name.

    Hidden files and those in `leave_out` at the top are skipped. Links to folders, and folders with the name
    of a file, are not followed. They are listed like files, so that reading them reports the error. Raises
    Unreadable.
    """
    found: list[Path] = []
    left = most

    def walk(here: Path, depth: int) -> None:
        nonlocal left
        folders: list[str] = []
        names: list[str] = []
        for entry in _entries(here):
            if left == 0:
                raise TooLarge(most + 1, most)
            left -= 1
            if entry.name.startswith(".") or (depth == 1 and entry.name in leave_out):
                continue
            if entry.is_dir(follow_symlinks=False) and not entry.name.endswith(suffixes):
                folders.append(entry.name)
            elif entry.name.endswith(suffixes) or (entry.is_symlink() and _sort_of(entry.path) == "folder"):
                names.append(entry.name)
        found.extend(here / name for name in sorted(names))
        if folders and depth == MOST_DEPTH:
            raise Unreadable(f"folders are nested more than {MOST_DEPTH} deep in it")
        for name in sorted(folders):
            walk(here / name, depth + 1)

    walk(Path(folder), 1)
    return found


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    try:
        entries = os.scandir(folder)
    except OSError as problem:
        raise Unreadable((problem.strerror or str(problem)).lower()) from None
    with entries:
        yield from entries


@asks
def names_in(folder: Path, most: int = 1000) -> list[str]:
    """Some names in a folder, to suggest the intended one. Empty if it cannot be read."""
    with suppress(OSError, ValueError), os.scandir(folder) as entries:
        return [entry.name for _, entry in zip(range(most), entries, strict=False)]
    return []


def stamp_of(path: Path) -> tuple[int, int] | None:
    """The time of the last change of a plain file, and its size. None for a link or a missing file."""
    with suppress(OSError, ValueError):
        status = os.lstat(path)
        return (status.st_mtime_ns, status.st_size) if stat.S_ISREG(status.st_mode) else None
    return None


Stamps = dict[Path, tuple[int, int]]  # when a file was last changed, and its size


def stamps_below(paths: Iterable[Path], suffixes: tuple[str, ...] = (".yaml", ".yml")) -> Stamps:
    """The stamps of files, and of all files with these suffixes in folders.

    They change when a file is saved.
    """
    found: Stamps = {}
    for path in paths:
        with suppress(Unreadable, OSError):
            for file in files_below(path, suffixes) if is_folder(path) else [path]:
                status = os.stat(file)
                found[file] = status.st_mtime_ns, status.st_size
    return found
