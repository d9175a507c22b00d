"""A name that is changed is changed in `mutants.yaml`, too: what an entry tells is still a change of the rules."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from ruleforge.frontends.lsp.mutants_file_edits import Edits
from ruleforge.frontends.lsp.rename import RenameRefused, renamed
from ruleforge.frontends.lsp.symbols import LOCAL, Symbol
from ruleforge.frontends.lsp.workspace import View, Workspace
from ruleforge.project.resolver import analyse
from ruleforge.support.diagnostics import Report, Span
from ruleforge.tools.mutation.all_mutants import mutants_of
from ruleforge.tools.mutation.excuses import Excuse, read_excuses_of
from tests.unit.frontends.lsp.client import GAMES

NEW = "brand_new_name"
SAMPLED = 1


def stale(folder: Path) -> list[Excuse]:
    """Entries that are about no change of the rules."""
    analysis = analyse(folder)
    assert analysis.source is not None
    texts = {file.path: file.content for file in analysis.source.files}
    mutants = mutants_of(analysis, analysis.source.files)
    excuses = read_excuses_of(folder, Report())
    assert excuses
    return [e for e in excuses if not any(e.covers(m, texts[m.span.file]) for m in mutants)]


def without_line(folder: Path) -> list[Excuse]:
    """Entries that repeat a line which is not there."""
    excuses = read_excuses_of(folder, Report())
    lines = {e.file: (folder / e.file).read_text("utf-8").split("\n") for e in excuses}
    return [e for e in excuses if e.before not in (" ".join(line.split()) for line in lines[e.file])]


def looked_at(folder: Path) -> tuple[Workspace, View]:
    path = folder / "game.yaml"
    workspace = Workspace().edited(path, path.read_text("utf-8"))
    workspace = workspace.looked_at(*workspace.roots)
    root = workspace.homes[path]
    assert root is not None
    return workspace, workspace.views[root]


def write(workspace: Workspace, edits: Edits) -> None:
    for path, changes in edits.items():
        lines = workspace.text_of(path).split("\n")
        for span, new in reversed(changes):
            line = lines[span.line - 1]
            lines[span.line - 1] = line[: span.column - 1] + new + line[span.end_column - 1 :]
        path.write_text("\n".join(lines), "utf-8")


def told(folder: Path, view: View) -> list[Symbol]:
    """Names that a line has which an entry repeats."""
    excuses = read_excuses_of(folder, Report())
    lines = {str(folder / e.file): (folder / e.file).read_text("utf-8").split("\n") for e in excuses}
    repeated = {(str(folder / e.file), e.before) for e in excuses}

    def is_told(span: Span) -> bool:
        file = str(Path(span.file).absolute())
        return file in lines and (file, " ".join(lines[file][span.line - 1].split())) in repeated

    named = {name for e in excuses for name in (*e.inside.split(".")[1:], *(e.after or "").split())}
    found = ((s, (s.span, *uses)) for s, uses in view.index.uses.items() if s.written)
    return [s for s, spans in found if any(map(is_told, spans)) or s.name in named]


@pytest.mark.parametrize("name", GAMES)
def test_entries_are_about_the_same_changes_after_a_new_name(name: str, copied: Callable[..., Path]):
    folder = copied(name)
    assert stale(folder) == []
    before = {path: path.read_text("utf-8") for path in folder.rglob("*.yaml")}
    workspace, view = looked_at(folder)
    chosen = random.Random(name).sample(told(folder, view), SAMPLED)
    for symbol in chosen:
        try:
            edits = renamed(workspace, [view], symbol, NEW)
        except RenameRefused:
            continue  # it is a word that the language itself speaks of
        write(workspace, edits)
        if symbol.what == LOCAL:  # which of several is put in its place goes by the alphabet
            assert without_line(folder) == [], symbol
        else:
            assert stale(folder) == [], symbol
        again, its_view = looked_at(folder)
        back = next(s for s in its_view.index.uses if s.name == NEW)
        if symbol.what != LOCAL:
            write(again, renamed(again, [its_view], back, symbol.name))
            assert {path: path.read_text("utf-8") for path in before} == before
        for path, text in before.items():
            path.write_text(text, "utf-8")


ENTRIES = [
    (
        "splicers",
        "attribute",
        "exhausted",
        "card",
        "is listed and not c.brand_new_name:",
    ),  # what a change brings in
    ("splicers", "event", "exhaust", "", "in: events.brand_new_name"),
    ("soul-gems", "number", "gem_roll_cap", "", '"sum: -brand_new_name..brand_new_name"'),
    ("soul-gems", LOCAL, "via", "", "where goal is not brand_new_name"),
]


@pytest.mark.parametrize(("game", "what", "name", "of", "entry"), ENTRIES)
def test_where_an_entry_has_the_name(
    game: str, what: str, name: str, of: str, entry: str, copied: Callable[..., Path]
):
    folder = copied(game)
    workspace, view = looked_at(folder)
    known = [s for s in view.index.uses if (s.what, s.name, s.of) == (what, name, of)]
    for symbol in known:
        write(workspace, renamed(workspace, [view], symbol, NEW))
    assert entry in (folder / "mutants.yaml").read_text("utf-8")
