"""The disk cache: files in the user's cache folder, readable and writable for this user only.

Some entries are code, so a file counts only if no other user can have written it. The folder belongs to the
user, is closed to all others, and cannot be replaced by them. The content carries a digest under a secret of
the user. Any other file is ignored and its content is made anew. No operation of the cache fails.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
import stat
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

MOST_DAYS = 30
MOST_BYTES = 256_000_000  # of all files; what was used longest ago goes first
BETWEEN = 64_000_000  # after so much was written, and once a day, the folder is looked through
_DAY = 86_400
_MINUTE = 60
_SECRET = "secret"
_TALLY = "tally"
_ENTRY = re.compile(
    r"[0-9a-f]+\.|\.new-"
)  # things made, and what was left half written; others have files here, too
_DIGEST = 32
_FLAGS = os.O_RDONLY | sum(
    getattr(os, flag, 0) for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY")
)
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class DiskCache:
    """The cache files in one folder; without a folder, no file is stored."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder if folder is not None else cache_folder()

    def read(self, name: str) -> bytes | None:
        """The entry that this user stored under a name. None if there is no trusted entry."""
        if self.folder is None or not _closed(self.folder):
            return None
        secret = _own(self.folder / _SECRET)
        data = _own(self.folder / name)
        # The digest covers the name, too: a signed entry must not pass for another one.
        if (
            secret is None
            or data is None
            or not hmac.compare_digest(data[:_DIGEST], _sum(secret, name, data[_DIGEST:]))
        ):
            return None
        _used(self.folder / name)
        return data[_DIGEST:]

    def write(self, name: str, data: bytes) -> None:
        """Store an entry. Without a usable folder, do nothing."""
        if self.folder is None:
            return
        with suppress(OSError):
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileExistsError):
                self.folder.mkdir(mode=0o700)
            if not _closed(self.folder):
                return
            secret = _own(self.folder / _SECRET) or _new_secret(self.folder)
            _put(self.folder, name, _sum(secret, name, data) + data)
            if _is_due(self.folder / _TALLY, len(data)):
                _tidy(self.folder)
                _put(self.folder, _TALLY, b"")


def _sum(secret: bytes, name: str, data: bytes) -> bytes:
    return hmac.digest(secret, name.encode() + b"\0" + data, "sha256")


def _closed(folder: Path) -> bool:
    """Whether the folder belongs to the user, is closed to others, and cannot be replaced by another user."""
    if not hasattr(os, "geteuid"):
        return folder.is_dir()  # the system keeps the folders of its users apart by other means
    try:
        mine = os.lstat(folder)
        if not stat.S_ISDIR(mine.st_mode) or mine.st_uid != os.geteuid() or mine.st_mode & _OTHERS_WRITE:
            return False
        if stat.S_IMODE(mine.st_mode) != 0o700:
            os.chmod(folder, 0o700)
        written, real = folder.absolute(), Path(os.path.realpath(folder))
        return all(_holds(above) for above in dict.fromkeys((*written.parents, *real.parents)))
    except OSError:
        return False


def _holds(folder: Path) -> bool:
    """Whether only the user and the system can rename or replace the entries of a folder."""
    status = os.lstat(folder)
    if status.st_uid not in (0, os.geteuid()):
        return False
    if stat.S_ISLNK(status.st_mode):
        return True  # its target is checked as well
    return not status.st_mode & _OTHERS_WRITE or bool(status.st_mode & stat.S_ISVTX)


def _own(path: Path) -> bytes | None:
    """The content of a plain file that the user alone can write."""
    try:
        with open(os.open(path, _FLAGS), "rb") as file:
            status = os.fstat(file.fileno())
            # The open file is examined, not its name: between two looks a name may come to mean another file.
            # A second hard link would let others hold on to it.
            foreign = hasattr(os, "geteuid") and (
                status.st_uid != os.geteuid() or status.st_mode & _OTHERS_WRITE or status.st_nlink != 1
            )
            return None if foreign or not stat.S_ISREG(status.st_mode) else file.read()
    except OSError:
        return None


def _new_secret(folder: Path) -> bytes:
    """Make a new secret. Entries under a lost secret are made anew."""
    secret = secrets.token_bytes(_DIGEST)
    _put(folder, _SECRET, secret)
    return secret


def _put(folder: Path, name: str, data: bytes) -> None:
    """Never half: a file of another name takes its place when it is complete."""
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".new-")
    try:
        with open(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, folder / name)
    except OSError:
        os.unlink(temporary)
        raise


def _used(path: Path) -> None:
    """Mark a file as recently used, at most once a minute."""
    with suppress(OSError):
        if os.stat(path).st_mtime < time.time() - _MINUTE:
            os.utime(path)


def _is_due(tally: Path, size: int) -> bool:
    """Whether it is time to clean up the folder.

    One byte of the tally stands for a thousandth of the size that may be written. All writing processes
    append to the same file, so none has to read the other files.
    """
    with open(os.open(tally, _FLAGS | os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "ab") as file:
        before = os.fstat(file.fileno())
        added = 1 + size * 1000 // BETWEEN
        file.write(b"." * added)
    another_day = before.st_mtime // _DAY != time.time() // _DAY
    return before.st_size + added > 1000 or another_day


def _tidy(folder: Path) -> None:
    """Remove old files, and the oldest of too many.

    Rules and generators change, so old entries are never read again.
    """
    oldest, left = time.time() - MOST_DAYS * _DAY, MOST_BYTES
    found: list[tuple[float, int, str]] = []
    with os.scandir(folder) as files:
        for file in files:
            with suppress(OSError):
                status = file.stat(follow_symlinks=False)
                if _ENTRY.match(file.name) and stat.S_ISREG(status.st_mode):
                    found.append((status.st_mtime, status.st_size, file.name))
    for used, size, name in sorted(found, reverse=True):
        left -= size
        if used < oldest or left < 0:
            with suppress(OSError):
                os.unlink(folder / name)


# --- the folder ---


def cache_folder() -> Path | None:
    """The user's cache folder; RULEFORGE_CACHE says otherwise, and empty means nowhere. It need not exist yet."""
    own = os.environ.get("RULEFORGE_CACHE")
    if own is not None:
        return Path(own) if own else None
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if os.environ.get("XDG_CACHE_HOME"):
        return Path(os.environ["XDG_CACHE_HOME"]) / "ruleforge"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "ruleforge" / "Cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "ruleforge"
    return home / ".cache" / "ruleforge"
