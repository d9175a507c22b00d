"""Write files atomically: completely or not at all."""

from __future__ import annotations

import errno
import os
import re
import shutil
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

PREFIX = ".ruleforge-"  # of what is not complete yet
_UNFINISHED = re.compile(r"\.ruleforge-[a-z0-9_]{8}")
_LEFT = 3600  # seconds after which a leftover is removed: its process was killed


class CannotWrite(OSError):
    """There is no place for a file. `strerror` is the whole sentence."""


def write_text(path: Path, text: str) -> None:
    """Write a text to a path atomically. After an error the old file stays. Raises OSError."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, content: bytes) -> None:
    """Write any content atomically.

    The new file is made beside the old one under an unpredictable name. Links are replaced, never written
    through, so a planted link does no harm. Raises OSError, which names the requested file.
    """
    why = why_not_there(path)
    if why:
        raise CannotWrite(errno.EACCES, why)
    try:
        _replace(path, content)
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror, str(path)) from None


def write_folder(folder: Path, files: Mapping[str, str]) -> None:
    """Write a new folder with all these files atomically. Raises OSError, also if the path exists."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    _clear_leftovers(folder.parent)
    made = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder.parent))
    try:
        for file, text in files.items():
            (made / file).parent.mkdir(parents=True, exist_ok=True)
            write_text(made / file, text)
        os.chmod(made, 0o777 & ~_mask())
        os.rename(made, folder)
    except BaseException as problem:
        shutil.rmtree(made, ignore_errors=True)
        if isinstance(problem, OSError):
            raise OSError(problem.errno, problem.strerror, str(folder)) from None
        raise


def why_not_there(path: Path) -> str:
    """The reason why a file cannot be written to a path, as far as it is known before. Empty if it can."""
    folder = path.parent
    if not os.path.isdir(folder):
        there = os.path.exists(folder)
        return f"`{folder}` is not a folder" if there else f"there is no folder `{folder}`"
    if os.path.isdir(path):
        return f"`{path}` is a folder"
    if os.path.exists(path) and not os.path.isfile(path):
        return f"`{path}` is not a file"
    if not os.access(folder, os.W_OK):
        return f"`{folder}` is not writable"
    if os.path.isfile(path) and not os.path.islink(path) and not os.access(path, os.W_OK):
        return f"`{path}` is read-only"
    return ""


def _replace(path: Path, content: bytes) -> None:
    _clear_leftovers(path.parent)
    handle, name = tempfile.mkstemp(prefix=PREFIX, dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _mode(path))
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _clear_leftovers(folder: Path) -> None:
    """Remove the user's own unfinished files and folders, which a killed process could not remove."""
    user, long_ago = getattr(os, "geteuid", lambda: None)(), time.time() - _LEFT
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if not _UNFINISHED.fullmatch(entry.name):
                continue
            status = entry.stat(follow_symlinks=False)
            if status.st_mtime > long_ago or user not in (None, status.st_uid):
                continue
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                remove(Path(entry.path))


def _mode(path: Path) -> int:
    """The rights of the file that is replaced, else those any new file gets."""
    try:
        return os.lstat(path).st_mode & 0o777 if not path.is_symlink() else 0o644
    except OSError:
        return 0o666 & ~_mask()


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


class AppendedFile:
    """A file that this process owns and appends lines to. Each line is on the disk before `add` returns."""

    def __init__(self, path: Path) -> None:
        """Make the file, which must not be there yet, for its owner alone. Raises OSError."""
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.path = path
        self._handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_APPEND, 0o600)
        self._whole = 0  # bytes that were added to their end
        _lock(self._handle)  # until it is closed, or the process ends in any way

    def add(self, text: str) -> None:
        """Append a text in one write, so that other readers see whole lines or the beginning of the last.

        Raises OSError, which names the file. A partly written text is then removed again.
        """
        rest = text.encode()
        length = len(rest)
        try:
            while rest:
                rest = rest[os.write(self._handle, rest) :]
            os.fsync(self._handle)
        except OSError as problem:
            with suppress(OSError):
                os.ftruncate(self._handle, self._whole)
            raise OSError(problem.errno, problem.strerror, str(self.path)) from None
        self._whole += length

    def close(self) -> None:
        os.close(self._handle)


def is_added_to(path: Path) -> bool:
    """Whether this or another process has a file open to append lines to it."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        return not _lock(handle)
    finally:
        os.close(handle)


def _lock(handle: int) -> bool:
    """Lock a file. False if another process holds the lock. Without file locks on the system, always True."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock

        flock(handle, LOCK_EX | LOCK_NB)
    except ImportError:  # there is nothing of the sort on this system
        return True
    except OSError as problem:
        return problem.errno not in (errno.EAGAIN, errno.EACCES)
    return True


def owned_file(path: Path) -> Path:
    """Open a file that only its owner can read, and create it if needed. Raises OSError, also for a link."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0), 0o600))
    os.chmod(path, 0o600)
    return path


def remove(path: Path) -> None:
    """Remove a file if it exists."""
    with suppress(OSError):
        path.unlink()
