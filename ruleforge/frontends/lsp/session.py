"""One editor session: keeps the workspace current, collects diagnostics by file and publishes changes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

from ruleforge.frontends.lsp.workspace import Root, View, Workspace
from ruleforge.frontends.process import collect_if_due
from ruleforge.project.locator import MANIFEST
from ruleforge.support.diagnostics import Diagnostic

PAUSE = 0.08  # seconds without a keystroke before a check
REST = 0.3  # more seconds before the views with packs: between two keystrokes there is no time for them
IDLE = 2.0  # more seconds before a full garbage collection, which takes longer than an edit
BREATH = 0.005  # between two views, so that questions are answered first
Publish = Callable[[Path, tuple[Diagnostic, ...], Workspace], None]


class Session:
    """Holds the workspace; `publish` sends the diagnostics of one file."""

    def __init__(self, publish: Publish) -> None:
        self.workspace = Workspace()
        self._publish = publish
        self._published: dict[Path, tuple[Diagnostic, ...]] = {}
        self._task: asyncio.Task[None] | None = None

    # --- what an editor tells ---

    def change(self, path: Path, text: str) -> None:
        self.workspace = self.workspace.edited(path, text)
        self._look_soon()

    def close(self, path: Path) -> None:
        if path in self.workspace.texts:
            self.workspace = self.workspace.closed(path)
            self._look_soon()

    def changed_on_disk(self) -> None:
        self.workspace = self.workspace.changed_on_disk()
        self._look_soon()

    # --- what an editor asks ---

    def view(self, path: Path) -> View | None:
        """The view that an open file belongs to, as it is now."""
        root = self.workspace.homes.get(path)
        if root is None:
            return None
        self.workspace = self.workspace.looked_at(root)
        return self.workspace.views[root]

    def views_of_game(self, path: Path) -> tuple[View, ...]:
        """The game of an open file alone, and with each of its packs, all as they are now."""
        root = self.workspace.homes.get(path)
        roots = self.workspace.views_of_game(root) if root is not None else ()
        self.workspace = self.workspace.looked_at(*roots)
        return tuple(self.workspace.views[root] for root in roots)

    def beside(self, view: View) -> list[View]:
        """The other views of the same game as they were last looked at: good enough to be told of."""
        views = self.workspace.views.values()
        return [other for other in views if other.root.core == view.root.core and other.root != view.root]

    def everything(self) -> tuple[View, ...]:
        """Every view there is, as it is now."""
        self.workspace = self.workspace.looked_at(*self.workspace.roots)
        return tuple(self.workspace.views.values())

    # --- diagnostics, in pauses between keystrokes ---

    def _look_soon(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._task = asyncio.get_running_loop().create_task(self._look())

    async def _look(self) -> None:
        """Check view by view: those with an open file first, all others in pauses; a keystroke ends it."""
        await asyncio.sleep(PAUSE)
        self._tell()
        await self._look_at(lambda root: root in self.workspace.homes.values())
        await asyncio.sleep(REST)
        await self._look_at(lambda root: True)
        await asyncio.sleep(IDLE)
        collect_if_due()

    async def _look_at(self, wanted: Callable[[Root], bool]) -> None:
        while (root := next(filter(wanted, self.workspace.stale()), None)) is not None:
            self.workspace = self.workspace.looked_at(root)
            self._tell()
            await asyncio.sleep(BREATH)

    def _tell(self) -> None:
        """Publish changed diagnostics; a file without a view has none."""
        found = diagnostics_by_file(self.workspace)
        for path in {**self._published, **found}:
            now = found.get(path, ())
            if now != self._published.get(path, ()):
                self._publish(path, now, self.workspace)
        self._published = {path: wrong for path, wrong in found.items() if wrong}


# Collects the diagnostics of all views of a workspace by file, each once.


def diagnostics_by_file(workspace: Workspace) -> Mapping[Path, tuple[Diagnostic, ...]]:
    """Diagnostics by absolute path; a file without diagnostics has an empty list.

    The view of the game alone reports on the game's files. The view of a pack reports on the pack, and on the
    game only the diagnostics that the pack causes. Stale views say nothing about files of a fresh view: they
    would repeat repaired mistakes, and show moved ones twice.
    """
    found: dict[Path, dict[Diagnostic, None]] = {}
    fresh = {root: view for root, view in workspace.views.items() if workspace.is_fresh(root)}
    known = {path for view in fresh.values() for path in view.contents}
    for view in sorted(workspace.views.values(), key=lambda view: view.root.pack is not None):
        for path in view.contents:
            found.setdefault(path, {})
        for one in view.diagnostics:
            path = _file_of(one, view)
            if view.root in fresh or path not in known:
                found.setdefault(path, {})[one] = None
    return {path: tuple(of_file) for path, of_file in found.items()}


def _file_of(one: Diagnostic, view: View) -> Path:
    """The file in which a diagnostic is shown; without a file of its own, the head of its game or pack."""
    path = Path(one.span.file).absolute()
    if path in view.contents or path.suffix:
        return path
    if view.root.pack is not None and view.root.lost:
        return view.root.pack / MANIFEST
    analysis = view.found.analysis
    trees = (*(pack.source for pack in analysis.packs), analysis.source)
    head = next((s.key.span.file for t in trees if t for n in ("pack", "game") for s in t.sections(n)), None)
    return Path(head).absolute() if head else next(iter(view.texts), path)
