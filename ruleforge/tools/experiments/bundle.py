"""Bundles the files of a game and its packs into one value for another machine."""

from __future__ import annotations

import tempfile
from pathlib import Path

from ruleforge.engine.errors import RulesetError
from ruleforge.engine.game import Game
from ruleforge.engine.loader import load
from ruleforge.lang.source.folder import SUFFIXES
from ruleforge.project.locator import core_of, find_pack, find_rules, is_pack
from ruleforge.support.ceilings import CEILINGS
from ruleforge.support.diagnostics import NOWHERE, Report
from ruleforge.support.input_files import files_below, is_folder, read_bytes
from ruleforge.support.output_files import write_text
from ruleforge.support.records import dataclass

BESIDE = frozenset({"scenarios", "expansions"})  # no part of the rules


@dataclass(frozen=True, slots=True)
class Bundle:
    """Texts by path; the file or folder of the game, and the folders of its packs, among them."""

    game: str
    packs: tuple[str, ...]
    texts: tuple[tuple[str, str], ...]
    digest: str

    def load(self, backend: str, observe: bool) -> Game:
        """The game, from files that are written anew and gone when it is read. Raises RulesetError."""
        with tempfile.TemporaryDirectory(prefix="ruleforge-") as name:
            folder = Path(name)
            for path, text in self.texts:
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                write_text(folder / path, text)
            packs = [folder / pack for pack in self.packs]
            game = load(folder / self.game, packs, backend=backend, observe=observe)
        if game.digest != self.digest:
            report = Report()
            report.add("RF822", f"the rules of `{self.game}` differ on another machine", NOWHERE)
            raise RulesetError(report.diagnostics)
        return game


def bundle_of(game: Game, what: str, packs: tuple[str, ...]) -> Bundle:
    """All that was read for a game that has been loaded by this name or path."""
    report = Report()
    path = find_rules(what, report)
    assert path is not None, "it has been loaded"
    folders: list[Path] = []
    core = path
    if is_pack(path):
        folders.append(path)
        core = core_of(path, report) or path
    folders += [found for name in packs if (found := find_pack(name, core, report))]
    home = game.id if is_folder(core) else f"{game.id}{core.suffix}"
    texts = dict(_texts(core, home))
    names = [f"packs/{number}-{pack.name}" for number, pack in enumerate(folders)]
    for name, pack in zip(names, folders, strict=True):
        texts.update(_texts(pack, name))
    return Bundle(home, tuple(names), tuple(texts.items()), game.digest)


def _texts(path: Path, name: str) -> list[tuple[str, str]]:
    if not is_folder(path):
        return [(name, _text(path))]
    found = files_below(path, SUFFIXES, BESIDE)
    return [(f"{name}/{file.relative_to(path).as_posix()}", _text(file)) for file in found]


def _text(path: Path) -> str:
    return read_bytes(path, CEILINGS.file_bytes).decode("utf-8-sig")
