"""Find rules and packs: shipped games, packs of a game, or any folder."""

from __future__ import annotations

from pathlib import Path

from ruleforge.lang.source import ScalarNode, read_yaml_file
from ruleforge.lang.source.read_text import not_read
from ruleforge.lang.source.tree import node_at
from ruleforge.project.installed_packs import installed_pack
from ruleforge.project.pack_archive import NotAnArchive, is_archive, unpack
from ruleforge.support.diagnostics import NOWHERE, Report
from ruleforge.support.input_files import (
    LinkOutside,
    is_file,
    is_folder,
    names_in,
    real_path,
    sort_of,
    strays,
)
from ruleforge.support.resources import find_game, shipped_games
from ruleforge.support.spelling import did_you_mean

SHELF = "expansions"
MANIFEST = "pack.yaml"


def find_rules(name_or_path: str | Path, report: Report) -> Path | None:
    """The folder of rules: an existing path, else the folder of a shipped game or of a shipped pack."""
    path = Path(name_or_path)
    if is_archive(path):
        return _unpacked(path, report)
    if name_or_path != "" and sort_of(path):  # an empty text would be the folder we are in
        return path
    if isinstance(name_or_path, str) and (found := _shipped_pack(name_or_path)):
        return found
    if isinstance(name_or_path, str) and "/" not in name_or_path and not path.suffix:
        found = find_game(name_or_path)
        if found is None and (installed := installed_pack(name_or_path)) is not None:
            return _unpacked(installed, report)
        if found is None:
            names = [*shipped_games(), *_shipped_packs()]
            hint = did_you_mean(name_or_path, names) or "`ruleforge games` lists the games"
            report.add("RF842", f"there is no game `{name_or_path}`", NOWHERE, hint)
        return found
    return path  # reading it will report in the right words


def find_pack(name_or_path: str | Path, core: Path, report: Report) -> Path | None:
    """The folder of a pack of a core: by its name in the core's `expansions`, a path, or the name of a
    shipped pack.
    """
    known = packs_of(core)
    if str(name_or_path) in known:
        return known[str(name_or_path)]
    path = Path(name_or_path)
    if str(name_or_path) and is_folder(path):
        return path
    archive = path if is_archive(path) else installed_pack(str(name_or_path), core.name)
    if archive is not None:
        return _unpacked(archive, report)
    if str(name_or_path) in names_in(core / SHELF) and strays(core / SHELF / path, core):
        not_read(core / SHELF / path, LinkOutside(), report)
        return None
    if (found := _shipped_pack(str(name_or_path))) is not None:
        return found
    hint = did_you_mean(str(name_or_path), known) or "name a pack of the game, or the folder of one"
    report.add("RF845", f"there is no pack `{name_or_path}` of `{core.name}`", NOWHERE, hint)
    return None


def _unpacked(archive: Path, report: Report) -> Path | None:
    """The folder with the files of an archive."""
    try:
        return unpack(archive)
    except (NotAnArchive, OSError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        report.add("RF845", f"`{archive}` is no pack: {reason}", NOWHERE, "ask for it again, or pack it anew")
        return None


def packs_of(core: Path) -> dict[str, Path]:
    """The packs that lie beside a core, by the names of their folders; links that leave it do not count."""
    folders = (core / SHELF / name for name in sorted(names_in(core / SHELF)))
    return {folder.name: folder for folder in folders if is_pack(folder) and not strays(folder, core)}


def _shipped_pack(name: str) -> Path | None:
    """A pack that comes with RuleForge: `NAME`, if no game and no other pack is called so, or `GAME/expansions/NAME`."""
    game, _, rest = name.strip("/").partition(f"/{SHELF}/")
    core = find_game(game)
    if core is not None:
        return packs_of(core).get(rest)
    found = _shipped_packs().get(name, [])
    return found[0] if len(found) == 1 else None


def _shipped_packs() -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for core in shipped_games().values():
        for name, folder in packs_of(core).items():
            found.setdefault(name, []).append(folder)
    return found


def is_pack(path: Path) -> bool:
    """A pack is a folder with a manifest."""
    return is_file(path / MANIFEST)


def core_of(pack: Path, report: Report) -> Path | None:
    """The game of a pack: the one in the folder around it, else the shipped one that it names."""
    real = Path(real_path(pack))
    if real.parent.name == SHELF:
        return real.parent.parent
    name = _named_core(pack)
    found = find_game(name) if name else None
    if found is None:
        help = "put the pack into the folder `expansions` of its game, or use it as in `GAME --with PACK`"
        what = f"there is no game `{name}` for the pack `{pack}`" if name else f"`{pack}` names no game"
        report.add("RF842", what, NOWHERE, help)
    return found


def _named_core(pack: Path) -> str | None:
    """The core that the manifest of a pack names.

    Mistakes in the manifest are reported when the pack is read.
    """
    file = read_yaml_file(pack / MANIFEST, Report(), pack)
    node = node_at(file.root, ("pack", "for", "core")) if file else None
    return node.text if isinstance(node, ScalarNode) else None
