"""What may be written at a place, from the schema and from the checker's own scope, also in unfinished texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from ruleforge.frontends.lsp.completion import complete
from ruleforge.frontends.lsp.cursor_context import path_at
from ruleforge.frontends.lsp.workspace import Workspace
from ruleforge.lang.source import read_yaml
from ruleforge.lang.source.tree import MappingNode, SequenceNode, SourceNode
from ruleforge.support.diagnostics import Report
from ruleforge.support.resources import shipped_games
from tests.unit.frontends.lsp.client import GAMES, Editor, Talk

HERE = "¦"


def with_cursor(text: str) -> tuple[str, int, int]:
    """The text without the mark, and line and column of it, from 1."""
    before = text.partition(HERE)[0]
    return text.replace(HERE, ""), before.count("\n") + 1, len(before) - before.rfind("\n")


CASES = [
    ("events.yaml", "      let s = c.cover", "      let s = c.¦", {"cover", "dominance"}, {"actions"}),
    ("events.yaml", "      let s = c.cover", "      if c.¦\n      let s = c.cover", {"cover"}, {"actions"}),
    ("events.yaml", "      let s = c.cover", "      for q in players: q.¦", {"actions"}, {"dominance"}),
    (
        "events.yaml",
        "      let s = c.cover",
        "      ¦\n      let s = c.cover",
        {"let", "c", "power"},
        {"text"},
    ),
    ("events.yaml", "      let s = c.cover", "      finish ¦", {"three_bioms"}, set()),
    ("formulas.yaml", "  power:\n", "  power:\n    op¦\n", {"open", "is", "takes"}, {"power"}),
    ("cards.yaml", "        dominance: 3", "        domi¦", {"dominance", "rules"}, {"power"}),
    ("cards.yaml", "cites: [", "cites: [¦, ", {"SP-3.2-f"}, {"power"}),
    ("actions.yaml", "    during: ", "    during: ¦", {"mulligans", "turns"}, {"power"}),
    ("kinds.yaml", "    has:\n", "    has:\n      foo: ¦\n", {"card", "flag"}, {"power"}),
]


@pytest.mark.parametrize(("file", "old", "new", "some", "others"), CASES, ids=[case[2] for case in CASES])
def test_what_may_be_written(file: str, old: str, new: str, some: set[str], others: set[str]):
    path = shipped_games()["splicers"] / file
    whole = path.read_text("utf-8")
    assert old in whole
    text, line, column = with_cursor(whole.replace(old, new, 1))
    workspace = Workspace().edited(path, text)
    root = workspace.homes[path]
    assert root is not None
    found = {s.word for s in complete(workspace.looked_at(root).views[root], path, (line, column))}
    assert some <= found
    assert not others & found


def test_an_editor_puts_in_what_it_chose(talk: Talk, copied: Callable[..., Path]):
    events = copied("splicers") / "events.yaml"

    async def part(editor: Editor) -> None:
        editor.open(events)
        whole = editor.texts[events].replace("let s = c.cover", "let s = c.cov¦", 1)
        text, line, column = with_cursor(whole)
        editor.change(events, text)
        params = lsp.CompletionParams(
            lsp.TextDocumentIdentifier(events.as_uri()), lsp.Position(line - 1, column - 1)
        )
        found = await editor.client.text_document_completion_async(params)
        assert isinstance(found, lsp.CompletionList)
        item = next(item for item in found.items if item.label == "cover")
        assert isinstance(item.text_edit, lsp.TextEdit)
        assert item.text_edit.range.start.character == column - 1 - len("cov")

    talk.about(part)


@pytest.mark.parametrize("name", GAMES)
def test_lines_and_indents_say_the_path_that_yaml_says(name: str):
    """What completion relies on in unfinished texts agrees with the reader where a text is finished."""
    for path in sorted(shipped_games()[name].rglob("*.yaml"))[::7]:
        text = path.read_text("utf-8")
        file = read_yaml(text, path.name, Report())
        assert file is not None
        for key, line, column in _keys(file.root, ()):
            found = path_at(text, (line, column + 1))
            assert found is not None and (found.path, found.is_key) == (key, True), (path, line, column)


def _keys(node: SourceNode, path: tuple[str, ...]) -> list[tuple[tuple[str, ...], int, int]]:
    if isinstance(node, SequenceNode):
        return [found for item in node.items for found in _keys(item, (*path, "-"))]
    if not isinstance(node, MappingNode):
        return []
    plain = [e.key for e in node if e.name.isidentifier()]
    own = [(path, key.span.line, key.span.column) for key in plain]
    return own + [found for e in node for found in _keys(e.value, (*path, e.name))]
