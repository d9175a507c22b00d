"""Collects the diagnostics of all views of a workspace by file, each once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ruleforge.frontends.lsp.workspace import View, Workspace
from ruleforge.project.locator import MANIFEST
from ruleforge.support.diagnostics import Diagnostic


def diagnostics_by_file(workspace: Workspace) -> Mapping[Path, tuple[Diagnostic, ...]]:
    """By absolute path; a file of a view that nothing is wrong with has an empty list.

    The files of a game are told about as the game alone sees them; a pack is told about with its game, and of the game
    then only what the pack brings about. Of a file that a view of now has read, views of a while ago say nothing: what
    is mended would still be wrong there, and what was moved would be told at both places.
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
    """Where a complaint is shown; one about no file at all where its game or pack says what it is."""
    path = Path(one.span.file).absolute()
    if path in view.contents or path.suffix:
        return path
    if view.root.pack is not None and view.root.lost:
        return view.root.pack / MANIFEST
    analysis = view.found.analysis
    trees = (*(pack.source for pack in analysis.packs), analysis.source)
    head = next((s.key.span.file for t in trees if t for n in ("pack", "game") for s in t.sections(n)), None)
    return Path(head).absolute() if head else next(iter(view.texts), path)
