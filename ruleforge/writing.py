"""Text -> a file, whole or not at all: every file that RuleForge writes for somebody goes through here."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """Put a text at a path in one step; what was there stays if anything goes wrong.

    The new file is made beside the old one under a name nobody can foresee, and links are not followed: a link that
    somebody planted is replaced, never written through. Raises OSError.
    """
    handle, name = tempfile.mkstemp(prefix=".ruleforge-", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _mode(path))
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _mode(path: Path) -> int:
    """The rights of the file that is replaced, else those any new file gets."""
    try:
        return os.lstat(path).st_mode & 0o777 if not path.is_symlink() else 0o644
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
