"""Short descriptions of a game and its packs, read without their rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ruleforge.lang.source.folder import OTHER_FILES, SUFFIXES
from ruleforge.lang.source.tree import MappingNode
from ruleforge.lang.source.yaml_reader import read_yaml_file
from ruleforge.project.locator import packs_of
from ruleforge.support.diagnostics import Report
from ruleforge.support.input_files import names_in


def described(name: str, folder: Path, more: dict[str, Path]) -> dict[str, Any]:
    """The text of the `game` section, and the `pack` sections of the packs beside the game and of `more`."""
    packs = [_words(pack, path, "pack") for pack, path in (packs_of(folder) | more).items()]
    return {**_words(name, folder, "game"), "packs": packs}


def _words(name: str, folder: Path, head: str) -> dict[str, str]:
    section = _section(folder, head)
    found = {key: str(section.get(key, "")) for key in ("title", "players", "text", "version")}
    return {"name": name, **found, "path": str(folder)}


def _section(folder: Path, head: str) -> dict[str, object]:
    for name in sorted(names_in(folder)):
        rules = name.endswith(SUFFIXES) and name not in OTHER_FILES
        source = read_yaml_file(folder / name, Report(), folder) if rules else None
        section = source.root.get(head) if source is not None else None
        if isinstance(section, MappingNode):
            return section.data
    return {}
