"""Where things made once are kept between runs: compiled programs, generated code, tables of the grammar."""

from __future__ import annotations

import os
import sys
from pathlib import Path


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
