"""Install packs for a user: archives in the user's folder, by the ids of their core and their own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ruleforge.project.pack_archive import SUFFIX, PackArchive, archive_bytes, read_archive
from ruleforge.support.input_files import is_file, names_in
from ruleforge.support.output_files import write_bytes

VARIABLE = "RULEFORGE_PACKS"


def user_folder() -> Path | None:
    """The folder of installed packs. RULEFORGE_PACKS replaces it; empty means none. It need not exist yet."""
    own = os.environ.get(VARIABLE)
    if own is not None:
        return Path(own) if own else None
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if os.environ.get("XDG_DATA_HOME"):
        return Path(os.environ["XDG_DATA_HOME"]) / "ruleforge" / "packs"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "ruleforge" / "packs"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "ruleforge" / "packs"
    return home / ".local" / "share" / "ruleforge" / "packs"


def installed_packs() -> dict[str, dict[str, Path]]:
    """The archives by the id of their core and their own id."""
    folder = user_folder()
    if folder is None:
        return {}
    found: dict[str, dict[str, Path]] = {}
    for core in sorted(names_in(folder)):
        files = (folder / core / name for name in sorted(names_in(folder / core)) if name.endswith(SUFFIX))
        found[core] = {file.name.removesuffix(SUFFIX): file for file in files if is_file(file)}
    return {core: packs for core, packs in found.items() if packs}


def installed_pack(name: str, core: str | None = None) -> Path | None:
    """The installed pack of this name: of this core, else the only one of any core."""
    known = installed_packs()
    if core is not None and name in known.get(core, {}):
        return known[core][name]
    found = [packs[name] for packs in known.values() if name in packs]
    return found[0] if len(found) == 1 else None


def place_of(archive: PackArchive) -> Path | None:
    """The path of an archive once it is installed."""
    folder = user_folder()
    return folder / archive.core / f"{archive.id}{SUFFIX}" if folder is not None else None


def install(archive: PackArchive, place: Path) -> None:
    """Write a checked archive to the folder atomically. Raises OSError."""
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    described = {key: value for key, value in archive.manifest.items() if key not in ("format", "digest")}
    write_bytes(place, archive_bytes(archive.files, described))


def is_installed(archive: PackArchive, place: Path) -> bool:
    """Whether exactly this pack is installed."""
    return is_file(place) and read_archive(place).digest == archive.digest
