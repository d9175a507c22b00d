"""Finds the game, and the pack, of an open file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from ruleforge.lang.source.folder import OTHER_FILES, SUFFIXES
from ruleforge.project.locator import core_of, is_pack
from ruleforge.support.ceilings import CEILINGS
from ruleforge.support.diagnostics import Report
from ruleforge.support.input_files import Unreadable, is_folder, names_in, read_bytes
from ruleforge.support.records import dataclass

Texts = Mapping[Path, str]  # unsaved, by absolute path
_GAME = re.compile(r"^\ufeff?[\"']?game[\"']?\s*:", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Root:
    """The folder or file of a game; `pack` is the folder of one of its packs."""

    core: Path
    pack: Path | None = None

    @property
    def lost(self) -> bool:
        """A pack whose game is not known stands for itself."""
        return self.core == self.pack


def has_game(text: str) -> bool:
    """Does a text begin a `game` section?"""
    return bool(_GAME.search(text))


def root_of(file: Path, texts: Texts) -> Root | None:
    """The nearest folder above a file that is a pack or has a `game` section; None if there is none."""
    if file.suffix not in SUFFIXES:
        return None
    for folder in file.parents:
        if is_pack(folder) or folder / "pack.yaml" in texts:
            core = core_of(folder, Report())
            return Root(core.absolute() if core is not None else folder, folder)
        games = _games_in(folder, texts)
        if file in games and len(games) > 1:
            return Root(file)  # several games of one file each
        if games:
            return Root(folder) if len(games) == 1 else None
    return None


def _games_in(folder: Path, texts: Texts) -> list[Path]:
    """The files of a folder that have a `game` section."""
    unsaved = [path.name for path in texts if path.parent == folder]
    names = sorted(name for name in {*names_in(folder), *unsaved} - OTHER_FILES if name.endswith(SUFFIXES))
    return [path for name in names if has_game(_text_of(path := folder / name, texts))]


def _text_of(path: Path, texts: Texts) -> str:
    if path in texts:
        return texts[path]
    try:
        data = b"" if is_folder(path) else read_bytes(path, CEILINGS.file_bytes)
    except Unreadable:
        return ""
    return data.decode("utf-8", "replace")
