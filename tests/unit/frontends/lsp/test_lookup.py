"""Where a name is declared, who speaks of it, and what is said of it: asked at places all over the games."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from ruleforge.frontends.lsp.hover import hover
from ruleforge.frontends.lsp.symbols import LOCAL, Symbol
from ruleforge.frontends.lsp.workspace import View, Workspace
from ruleforge.support.diagnostics import Span
from tests.unit.frontends.lsp.client import GAMES, Editor, Talk

SAMPLED = 12


def view_of(path: Path) -> View:
    workspace = Workspace().edited(path, path.read_text("utf-8"))
    root = workspace.homes[path]
    assert root is not None
    return workspace.looked_at(root).views[root]


def asked(span: Span) -> tuple[lsp.TextDocumentIdentifier, lsp.Position]:
    uri = Path(span.file).absolute().as_uri()
    return lsp.TextDocumentIdentifier(uri), lsp.Position(span.line - 1, span.column - 1)


def location(span: Span) -> tuple[str, int, int]:
    return Path(span.file).absolute().as_uri(), span.line - 1, span.column - 1


def place(found: lsp.Location) -> tuple[str, int, int]:
    return found.uri, found.range.start.line, found.range.start.character


@pytest.mark.parametrize("name", GAMES)
def test_names_lead_to_where_they_are_declared(name: str, talk: Talk, copied: Callable[..., Path]):
    folder = copied(name)
    view = view_of(folder / "game.yaml")
    symbols = [symbol for symbol, uses in view.index.uses.items() if uses and symbol.written]
    chosen = random.Random(name).sample(symbols, SAMPLED)
    chosen += [next(s for s in symbols if s.what == what) for what in ("clause", "thing", "kind", LOCAL)]

    async def one(editor: Editor, symbol: Symbol) -> None:
        use = view.index.uses[symbol][-1]
        for span in (use, symbol.span):
            path = Path(span.file).absolute()
            if path not in editor.texts:
                editor.open(path)
        document, position = asked(use)
        params = lsp.DefinitionParams(document, position)
        found = await editor.client.text_document_definition_async(params)
        assert isinstance(found, lsp.Location)
        assert place(found) == location(symbol.span)
        document, position = asked(symbol.span)
        context = lsp.ReferenceContext(include_declaration=True)
        everywhere = await editor.client.text_document_references_async(
            lsp.ReferenceParams(context, document, position)
        )
        assert {location(use), location(symbol.span)} <= {place(one) for one in everywhere or ()}
        said = await editor.client.text_document_hover_async(lsp.HoverParams(document, position))
        assert said is not None and symbol.name in str(said.contents)

    async def part(editor: Editor) -> None:
        for symbol in chosen:
            await one(editor, symbol)

    talk.about(part)


def test_hover_tells_what_an_author_asks(talk: Talk, copied: Callable[..., Path]):
    folder = copied("splicers", "weathermakers")
    formulas = folder / "formulas.yaml"

    async def part(editor: Editor) -> None:
        editor.open(formulas)
        line = editor.texts[formulas].split("\n").index("  power:")
        await editor.client.text_document_references_async(
            lsp.ReferenceParams(
                lsp.ReferenceContext(True),
                lsp.TextDocumentIdentifier(formulas.as_uri()),
                lsp.Position(line, 3),
            )
        )
        params = lsp.HoverParams(lsp.TextDocumentIdentifier(formulas.as_uri()), lsp.Position(line, 3))
        said = await editor.client.text_document_hover_async(params)
        assert said is not None and isinstance(said.contents, lsp.MarkupContent)
        text = said.contents.value
        for words in ("power(c: card) -> 0..99", "open formula", "SP-3.2-f", "modified by", "weathermakers"):
            assert words in text

    talk.about(part)


def test_outline_and_names_of_the_workspace(talk: Talk, copied: Callable[..., Path]):
    formulas = copied("splicers") / "formulas.yaml"

    async def part(editor: Editor) -> None:
        editor.open(formulas)
        params = lsp.DocumentSymbolParams(lsp.TextDocumentIdentifier(formulas.as_uri()))
        (section,) = await editor.client.text_document_document_symbol_async(params) or []
        assert isinstance(section, lsp.DocumentSymbol)
        assert section.name == "formulas"
        assert "power" in [part.name for part in section.children or ()]
        found = await editor.client.workspace_symbol_async(lsp.WorkspaceSymbolParams("pow"))
        assert found and found[0].name == "power"

    talk.about(part)


HOSTILE = "![x](http://example.org/x.png) <img src=x> [y](command:y) `z` &amp; **w**"


def test_untrusted_words_are_shown_as_text(tmp_path: Path):
    """No link, no picture that is fetched when somebody points at a name."""
    path = tmp_path / "game.yaml"
    path.write_text(
        f"""\
game: {{id: told, title: T, version: "1.0", text: T, players: 2, cites: [C-1]}}
kinds: {{player: {{text: "{HOSTILE}", things: [ann, ben]}}}}
formulas: {{worth: {{takes: {{p: player}}, is: 1, text: "{HOSTILE}", cites: [C-1]}}}}
flow: [{{phase: turn, do: finish over for ann}}]
endings: {{over: {{text: "{HOSTILE}"}}}}
scores: worth(p)
""",
        "utf-8",
    )
    clause = f'{{id: C-1, section: "{HOSTILE}", kind: win, rule: "{HOSTILE}"}}'
    head = "game: told\ntitle: T\nsummary: T\nplayers: [2, 2]\n"
    (tmp_path / "rulebook.yaml").write_text(f"{head}clauses: [{clause}]\n", "utf-8")
    view = view_of(path)
    shown = set[str]()
    for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
        for column in range(1, len(line) + 1):
            found = hover(view, [], path, (number, column))
            shown |= {found[0]} if found else set()
    said = "\n".join(shown)
    assert said.count("example.org") >= 4
    assert not re.search(r"(?<!\\)[\[<&]|(?<!\\)`z", said)
