"""The workspace finds the game of each open file, and analyses it alone and with each of its packs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from ruleforge.frontends.lsp.symbols import Index, index_of
from ruleforge.lang.source.folder import OTHER_FILES, SUFFIXES
from ruleforge.project import resolver as analysing
from ruleforge.project.locator import core_of, is_pack, packs_of
from ruleforge.project.pipeline import analyse
from ruleforge.support.ceilings import CEILINGS
from ruleforge.support.diagnostics import Diagnostic, Report
from ruleforge.support.input_files import Unreadable, is_folder, names_in, read_bytes
from ruleforge.support.records import dataclass
from ruleforge.tools.validation import Validated, validated

Texts = Mapping[Path, str]  # unsaved, by absolute path
_GAME = re.compile(r"^\ufeff?[\"']?game[\"']?\s*:", re.MULTILINE)


@dataclass(frozen=True)
class View:
    """A game alone, or with one of its packs, as it was when it was last looked at with these unsaved texts."""

    root: Root
    texts: Texts
    found: Validated
    saved: int  # the state of the disk that it shows

    def has(self, texts: Texts) -> bool:
        """Whether the view was made from these texts. An opened file without changes equals the file that was read."""
        known = (text in (self.texts.get(path), self.contents.get(path)) for path, text in texts.items())
        return self.texts.keys() <= texts.keys() and all(known)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return self.found.diagnostics

    @cached_property
    def contents(self) -> Mapping[Path, str]:
        """The text of each file that was read, by its absolute path."""
        return {Path(name).absolute(): text for name, text in self.named_contents.items()}

    @cached_property
    def named_contents(self) -> Mapping[str, str]:
        """The same by the names that spans have for them."""
        analysis, beside = self.found.analysis, self.found.beside
        trees = [tree for tree in (analysis.source, *(pack.source for pack in analysis.packs)) if tree]
        found = {file.path: file.content for tree in trees for file in tree.files}
        found |= {f.path: f.text for folder in beside.folders for f in folder.files if f.text is not None}
        return found

    @cached_property
    def lines(self) -> Mapping[str, list[str]]:
        """The same as lines."""
        return {name: text.split("\n") for name, text in self.named_contents.items()}

    @cached_property
    def index(self) -> Index:
        """Every name, and all who speak of it."""
        return index_of(self.found, self.named_contents)

    def text_of(self, path: Path) -> str:
        """As it was read; of a file that could not be understood as it was given."""
        return self.contents.get(path) or self.texts.get(path, "")

    def index_in(self, path: Path) -> Index:
        """The names in one file alone: what is asked at every keystroke does not wait for all the others."""
        if path not in self._indexes:
            name = next((name for name in self.named_contents if Path(name).absolute() == path), str(path))
            self._indexes[path] = index_of(self.found, self.named_contents, (name,))
        return self._indexes[path]

    @cached_property
    def index_of_pack(self) -> Index:
        """The names in the files of the pack alone, which speak of the game; of a game without one, all of them."""
        if self.root.pack is None:
            return self.index
        names = {name for name in self.named_contents if self.root.pack in Path(name).absolute().parents}
        return index_of(self.found, self.named_contents, names)

    @cached_property
    def _indexes(self) -> dict[Path, Index]:
        return {}


@dataclass(frozen=True)
class Workspace:
    """All views that an editor can ask for. A missing or outdated view is computed on demand."""

    texts: Texts = field(default_factory=dict)
    homes: Mapping[Path, Root | None] = field(default_factory=dict)  # to what each open file belongs
    roots: tuple[Root, ...] = ()  # every game of an open file, alone and with each of its packs
    views: Mapping[Root, View] = field(default_factory=dict)
    saved: int = 0  # goes up when files were changed on disk

    def edited(self, path: Path, text: str) -> Workspace:
        """With the text of an open file."""
        old = self.texts.get(path)
        after = replace(self, texts=MappingProxyType({**self.texts, path: text}))
        same = old is not None and (self.homes[path] is not None or has_game(old) == has_game(text))
        return after if same else after._settled({p: r for p, r in self.homes.items() if p != path and r})

    def with_texts(self, texts: Texts) -> Workspace:
        """With several texts at once, as if all of them were open."""
        after = replace(self, texts=MappingProxyType({**self.texts, **texts}))
        return after._settled({path: root for path, root in self.homes.items() if root})

    def closed(self, path: Path) -> Workspace:
        texts = {name: text for name, text in self.texts.items() if name != path}
        return replace(self, texts=MappingProxyType(texts))._settled(
            {p: root for p, root in self.homes.items() if p in texts}
        )

    def changed_on_disk(self) -> Workspace:
        return replace(self, saved=self.saved + 1)._settled({})

    def text_of(self, path: Path) -> str:
        """The text of a file in the editor, else as it was read; empty if it was not read."""
        if path in self.texts:
            return self.texts[path]
        return next((v.contents[path] for v in self.views.values() if path in v.contents), "")

    def is_fresh(self, root: Root) -> bool:
        view = self.views.get(root)
        return view is not None and view.saved == self.saved and view.has(self._texts_of(root))

    def stale(self) -> Iterator[Root]:
        return (root for root in self.roots if not self.is_fresh(root))

    def looked_at(self, *roots: Root) -> Workspace:
        """With views of these roots that are of now."""
        views = dict(self.views)
        for root in roots:
            if not self.is_fresh(root):
                before = views.get(root) or views.get(Root(root.core))
                views[root] = _view(root, self._texts_of(root), before, self.saved)
        return replace(self, views=MappingProxyType(views))

    def views_of_game(self, root: Root) -> tuple[Root, ...]:
        """All roots of the same game, the game alone first."""
        return tuple(sorted((r for r in self.roots if r.core == root.core), key=lambda r: str(r.pack or "")))

    def _settled(self, known: Mapping[Path, Root | None]) -> Workspace:
        """The workspace with the homes of all open files, and without views of closed ones."""
        homes = {path: known[path] if path in known else root_of(path, self.texts) for path in self.texts}
        roots: dict[Root, None] = {}
        for home in homes.values():
            if home is not None:
                roots |= {home: None} if home.lost else {Root(home.core): None, home: None}
        for core in dict.fromkeys(root.core for root in roots):
            roots |= {Root(core, pack): None for pack in packs_of(core).values()}
        views = {root: view for root, view in self.views.items() if root in roots}
        return replace(self, homes=homes, roots=tuple(roots), views=MappingProxyType(views))

    def _texts_of(self, root: Root) -> Texts:
        """The unsaved texts that a view of a root depends on: its own, and those of the game."""
        homes = (root, Root(root.core))
        return {path: text for path, text in self.texts.items() if self.homes[path] in homes}


def _view(root: Root, texts: Texts, before: View | None, saved: int) -> View:
    old = before.found if before else None
    if root.lost:
        return View(root, texts, validated(analysing.analyse(root.core)), saved)
    packs = (root.pack,) if root.pack else ()
    analysis = analyse(root.core, _overlay(root, texts), old.analysis if old else None, packs)
    if analysis.packs and (
        needed := _needed(root, tuple(n.id for n in analysis.packs[0].pack.manifest.needs))
    ):
        analysis = analyse(root.core, _overlay(root, texts), old.analysis if old else None, (*packs, *needed))
    return View(root, texts, validated(analysis, old), saved)


def _needed(root: Root, names: tuple[str, ...]) -> tuple[Path, ...]:
    """The packs that a pack cannot do without, where they lie beside it."""
    shelf = packs_of(root.core) if names else {}
    return tuple(shelf[name] for name in names if name in shelf)


def _overlay(root: Root, texts: Texts) -> dict[str, str]:
    """Unsaved texts by the names that an analysis knows them by."""
    found = {}
    for path, text in texts.items():
        if path == root.core:
            found[path.name] = text
        elif root.core in path.parents and not (root.pack and root.pack in path.parents):
            found[path.relative_to(root.core).as_posix()] = text
        else:
            found[str(path)] = text
    return found


# Finds the game, and the pack, of an open file.


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
