"""Names are changed everywhere or not at all, what knows its own mending is mended, and files are formatted."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from ruleforge.frontends.lsp.symbols import Symbol
from ruleforge.project import pipeline
from ruleforge.project.resolver import analyse
from ruleforge.support.diagnostics.diagnostic import apply_edits
from ruleforge.tools.validation import validated
from tests.diagnostics.fixtures import chunks
from tests.unit.frontends.lsp.client import GAMES, Editor, Talk
from tests.unit.frontends.lsp.test_lookup import asked, view_of

NEW = "brand_new_name"


def write(changes: Mapping[str, Sequence[object]]) -> None:
    """Make the edits that a server wants, in files on disk."""
    for uri, edits in changes.items():
        path = Path(uri.removeprefix("file://"))
        lines = path.read_text("utf-8").split("\n")
        plain = [edit for edit in edits if isinstance(edit, lsp.TextEdit)]
        for edit in sorted(plain, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
            begin, end = edit.range.start, edit.range.end
            assert begin.line == end.line
            line = lines[begin.line]
            lines[begin.line] = line[: begin.character] + edit.new_text + line[end.character :]
        path.write_text("\n".join(lines), "utf-8")


def diagnostics(folder: Path) -> list[str]:
    return [d.code for d in validated(analyse(folder)).diagnostics if d.code != "RF341"]


def files(folder: Path) -> dict[Path, str]:
    return {path: path.read_text("utf-8") for path in folder.rglob("*.yaml")}


@pytest.mark.parametrize("name", GAMES)
def test_a_name_is_changed_everywhere_and_back(name: str, talk: Talk, copied: Callable[..., Path]):
    folder = copied(name)
    before = files(folder)
    view = view_of(folder / "game.yaml")
    chance = random.Random(name)
    sorts = [chance.choice(("thing", "formula", "event", "attribute", "place", "action", "phase"))]
    chosen = [
        chance.choice([s for s in view.index.uses if s.what == sort and view.index.uses[s]]) for sort in sorts
    ]

    async def rename(editor: Editor, symbol: Symbol, new: str) -> None:
        path = Path(symbol.span.file).absolute()
        editor.open(path)
        document, position = asked(symbol.span)
        found = await editor.client.text_document_rename_async(lsp.RenameParams(document, position, new))
        assert found is not None and found.changes
        write(found.changes)
        editor.close(path)
        saved = lsp.DidChangeWatchedFilesParams([])
        editor.client.workspace_did_change_watched_files(saved)

    async def part(editor: Editor) -> None:
        for symbol in chosen:
            await rename(editor, symbol, NEW)
            assert files(folder) != before
            assert diagnostics(folder) == []
            again = next(s for s in view_of(folder / "game.yaml").index.uses if s.name == NEW)
            await rename(editor, again, symbol.name)
            assert files(folder) == before

    talk.about(part)


REFUSED = [
    ("power", "power", "already"),
    ("power", "Power!", "valid name"),
    ("power", "where", "word of the language"),
    ("power", "total", "would cause a mistake"),
]


def test_what_would_break_is_refused_in_a_sentence(talk: Talk, copied: Callable[..., Path]):
    formulas = copied("splicers") / "formulas.yaml"

    async def part(editor: Editor) -> None:
        editor.open(formulas)
        lines = editor.texts[formulas].split("\n")
        document = lsp.TextDocumentIdentifier(formulas.as_uri())
        for old, new, words in REFUSED:
            place = lsp.Position(lines.index(f"  {old}:"), 3)
            with pytest.raises(JsonRpcException, match=words):
                await editor.client.text_document_rename_async(lsp.RenameParams(document, place, new))
        with pytest.raises(JsonRpcException, match="no name of this game is declared here"):
            await editor.client.text_document_prepare_rename_async(
                lsp.PrepareRenameParams(document, lsp.Position(0, 0))
            )

    talk.about(part)


MISTAKES = [
    ("formulas.yaml", "\n    text:", "\n    txet:"),
    ("events.yaml", "c.cover", "c.covre"),
    ("events.yaml", "is not none", "!= none"),
    ("scenarios", "steps:", "stpes:"),
]


def test_what_knows_its_repair_is_repaired(talk: Talk, copied: Callable[..., Path]):
    folder = copied("splicers")

    async def part(editor: Editor) -> None:
        for file, right, wrong in MISTAKES:
            path = folder / file if (folder / file).is_file() else min((folder / file).rglob("*.yaml"))
            whole = path.read_text("utf-8")
            editor.open(path)
            editor.change(path, whole.replace(right, wrong, 1))
            await editor.until(lambda path=path: bool(editor.told.get(path)))  # type: ignore[misc]
            (told,) = editor.told[path]
            found = await editor.client.text_document_code_action_async(
                lsp.CodeActionParams(
                    lsp.TextDocumentIdentifier(path.as_uri()), told.range, lsp.CodeActionContext([told])
                )
            )
            action = (found or [])[0]
            assert isinstance(action, lsp.CodeAction) and action.edit is not None and action.edit.changes
            path.write_text(editor.texts[path], "utf-8")
            write(action.edit.changes)
            assert path.read_text("utf-8") == whole
            editor.close(path)
            await editor.until(lambda path=path: not editor.told[path])  # type: ignore[misc]

    talk.about(part)


def test_every_edit_that_is_offered_repairs(tmp_path: Path):
    """Over all planted mistakes: what a complaint offers makes it go away, and brings no other about at its place."""
    offered = 0
    for number, chunk in enumerate(chunks()):
        folder = tmp_path / str(number)
        folder.mkdir()
        chunk.write(folder)
        before = pipeline.analyse(folder)
        for complaint in (d for d in before.diagnostics if d.fix):
            offered += 1
            overlay = {
                path.name: apply_edits(path.read_text("utf-8"), str(path), complaint.fix)
                for path in folder.iterdir()
            }
            after = before.edited(overlay).diagnostics
            same = [d for d in after if (d.code, d.message) == (complaint.code, complaint.message)]
            assert not same, f"{chunk}: {complaint.message}: {complaint.help}"
    assert offered >= 8


def test_a_file_is_formatted_as_by_the_command(talk: Talk, copied: Callable[..., Path]):
    formulas = copied("splicers") / "formulas.yaml"

    async def part(editor: Editor) -> None:
        editor.open(formulas)
        right = editor.texts[formulas]
        assert " >= " in right
        editor.change(formulas, right.replace(" >= ", ">=", 1))
        params = lsp.DocumentFormattingParams(
            lsp.TextDocumentIdentifier(formulas.as_uri()), lsp.FormattingOptions(2, True)
        )
        (edit,) = await editor.client.text_document_formatting_async(params) or []
        assert edit.new_text == right
        editor.change(formulas, right)
        assert not await editor.client.text_document_formatting_async(params)

    talk.about(part)
