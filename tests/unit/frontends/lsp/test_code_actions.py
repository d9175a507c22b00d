"""What an editor offers to mend mistakes, as its user sees it: in words, made as editors make it, about texts of now."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ruleforge.frontends.lsp.code_actions import CodeActions, fixes_of
from ruleforge.frontends.lsp.session import diagnostics_by_file
from ruleforge.frontends.lsp.workspace import Workspace
from ruleforge.support.diagnostics import Diagnostic, Edit, Span
from ruleforge.support.diagnostics.diagnostic import apply_edits
from tests.diagnostics.planting import Case, cases, planted

OFFERED = [case for case in cases() if "  edit: " in case.said]
MENU = 120  # signs for which a menu has room


def offered(case: Case) -> list[CodeActions]:
    found = planted(case)
    texts = {(found.folder / name).absolute(): text for name, text in found.texts.items()}
    return fixes_of(Workspace(texts=texts), found.after.diagnostics)


@pytest.mark.parametrize("case", OFFERED[::5], ids=str)
def test_what_is_offered_says_in_a_line_what_it_does(case: Case):
    for mending in offered(case):
        assert "\n" not in mending.title and len(mending.title) <= MENU
        assert not re.search(r"`\s*`", mending.title)


TITLES = [
    ("a semicolon at the end", "delete `;`"),
    ("return", "delete `return`"),
    ("a key is indented one space too little", "indent it by 4 spaces"),
    ("what a formula takes is written as it is called", "write `: takes: {c: cell, way: direction}`"),
    ("a kind is renamed", "write `creature` at 76 places"),
]


@pytest.mark.parametrize(("name", "title"), TITLES)
def test_the_words_of_an_offer(name: str, title: str):
    (case,) = (case for case in OFFERED if case.title == name)
    assert [mending.title for mending in offered(case)] == [title]


def diagnostic_of(path: Path, *edits: tuple[int, int, str]) -> Diagnostic:
    spans = [(Span(str(path), 1, first, 1, last), text) for first, last, text in edits]
    return Diagnostic("RF401", "m", spans[0][0], fix=tuple(Edit(span, text) for span, text in spans))


def test_edits_in_each_others_way_are_not_made_at_once(tmp_path: Path):
    """Editors refuse edits that overlap, and half of a mending mends nothing."""
    path = tmp_path / "a.yaml"
    found = [
        diagnostic_of(path, (1, 4, "one")),
        diagnostic_of(path, (3, 6, "two"), (9, 10, "end")),
        diagnostic_of(path, (1, 4, "one"), (7, 8, "seven")),
        diagnostic_of(path, (7, 7, "before")),
    ]
    workspace = Workspace(texts={path: "0123456789\n"})
    *_, everything = fixes_of(workspace, found)
    made = [(span.column, span.end_column, text) for span, text in everything.edits[path]]
    assert made == [(1, 4, "one"), (7, 8, "seven")]
    edits = [Edit(span, text) for span, text in everything.edits[path]]
    assert apply_edits(workspace.text_of(path), str(path), edits) == "one345seven789\n"


def test_a_diagnostic_is_told_where_it_is_now(copied: Callable[..., Path]):
    """While views with packs are of a while ago, what was moved is not told twice, and what was mended is gone."""
    path = copied("splicers", "symbiosis") / "formulas.yaml"
    right = path.read_text("utf-8")
    wrong = f"{right}nonsense: 1\n"
    workspace = Workspace().edited(path, wrong)
    workspace = workspace.looked_at(*workspace.roots)
    assert len(workspace.views) == 2
    home = workspace.homes[path]
    assert home is not None

    def told(text: str) -> list[int]:
        after = workspace.edited(path, text).looked_at(home)
        assert list(after.stale())
        return [d.span.line for d in diagnostics_by_file(after)[path]]

    assert told(f"# one more line\n{wrong}") == [wrong.count("\n") + 1]
    assert told(right) == []
