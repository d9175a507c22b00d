"""Signs, line ends and units of columns as editors have them; files that change behind an editor's back."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from ruleforge.frontends.lsp.session import diagnostics_by_file
from ruleforge.frontends.lsp.workspace import Workspace
from ruleforge.project.resolver import analyse
from ruleforge.tools.validation import validated
from tests.unit.frontends.lsp.client import Editor, Talk

GAME = """\
game: {id: tea, title: "Tee für zwei 🙂", version: "1.0", players: 2}
kinds:
  player: {things: [ann, ben], text: "Köche 🍵", has: {cups: 0..9}}
flow:
  - {phase: turn, text: "Züge 🙂🙂", each: me in players, repeat: true, window: one}
actions:
  pour: {text: "Gießt 🍵 ein", during: turn, needs: "me.cups < 9", do: me.cups += 1}
  drink: {text: "Trinkt 🍵 aus: ä", during: turn, needs: "me.cups is 9", do: finish full for me}
endings:
  full: {text: "Voll 🙂"}
"""
WIDTHS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
UNIT = {"utf-8": 1, "utf-16": 2, "utf-32": 4}


def place_of(text: str, encoding: str, needle: str, after: int = 0) -> lsp.Position:
    """Where a word begins, counted as editor and server have agreed."""
    start = text.index(needle) + after
    line = text[:start].rpartition("\n")[2]
    units = len(line.encode(WIDTHS[encoding])) // UNIT[encoding]
    return lsp.Position(text[:start].count("\n"), units)


def stretch(text: str, encoding: str, needle: str) -> lsp.Range:
    return lsp.Range(place_of(text, encoding, needle), place_of(text, encoding, needle, len(needle)))


def applied(text: str, encoding: str, edits: list[lsp.TextEdit]) -> str:
    """A text after edits, the last place first."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
        data = lines[edit.range.start.line].encode(WIDTHS[encoding])
        start, end = (p.character * UNIT[encoding] for p in (edit.range.start, edit.range.end))
        new = data[:start] + edit.new_text.encode(WIDTHS[encoding]) + data[end:]
        lines[edit.range.start.line] = new.decode(WIDTHS[encoding])
    return "\n".join(lines)


@pytest.mark.parametrize("offered", [(), ("utf-8", "utf-16"), ("utf-16",), ("utf-32", "utf-8")])
def test_columns_are_counted_as_both_sides_agreed(offered: tuple[str, ...], tmp_path: Path):
    """Real editors want bytes (Neovim, Helix), code points (Emacs) or half words (all others)."""
    path = tmp_path / "tea.yaml"
    path.write_text(GAME, "utf-8")
    encoding = offered[0] if offered else "utf-16"

    async def talk() -> None:
        editor = Editor()
        result = await editor.start(tmp_path, *offered)
        assert result.capabilities.position_encoding == encoding
        editor.open(path)
        broken = GAME.replace("me.cups += 1", "me.cubs += 1")
        editor.edit(path, stretch(GAME, encoding, "cups += 1"), "cubs += 1", broken)
        await editor.until(lambda: bool(editor.told.get(path)))
        (told,) = editor.told[path]
        assert told.range == stretch(broken, encoding, "cubs")
        which = lsp.TextDocumentIdentifier(path.as_uri())
        asked = lsp.CodeActionParams(which, told.range, lsp.CodeActionContext([told]))
        (action,) = await editor.client.text_document_code_action_async(asked) or []
        assert isinstance(action, lsp.CodeAction) and action.edit and action.edit.changes
        assert applied(broken, encoding, list(action.edit.changes[path.as_uri()])) == GAME
        editor.change(path, GAME)
        here = lsp.DefinitionParams(which, place_of(GAME, encoding, "cups is 9", 1))
        found = await editor.client.text_document_definition_async(here)
        assert isinstance(found, lsp.Location) and found.range == stretch(GAME, encoding, "cups")
        renaming = lsp.RenameParams(which, here.position, "mugs")
        renamed = await editor.client.text_document_rename_async(renaming)
        assert renamed is not None and renamed.changes is not None
        edits = list(renamed.changes[path.as_uri()])
        assert applied(GAME, encoding, edits) == GAME.replace("cups", "mugs")
        hover = await editor.client.text_document_hover_async(lsp.HoverParams(which, here.position))
        assert hover is not None and hover.range is not None
        assert hover.range.start == place_of(GAME, encoding, "cups is 9")
        coming = lsp.CompletionParams(which, place_of(GAME, encoding, "cups is 9", 2))
        items = await editor.client.text_document_completion_async(coming)
        assert isinstance(items, lsp.CompletionList)
        (cups,) = (item for item in items.items if item.label == "cups")
        assert isinstance(cups.text_edit, lsp.TextEdit)
        assert cups.text_edit.range.start == place_of(GAME, encoding, "cups is 9")
        await editor.stop()

    asyncio.run(talk())


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_and_the_mark_at_the_start(mark: str, end: str, tmp_path: Path, talk: Talk):
    path = tmp_path / "tea.yaml"
    broken = mark + GAME.replace("me.cups += 1", "me.cubs += 1").replace("\n", end)
    path.write_bytes(broken.encode())

    async def part(editor: Editor) -> None:
        editor.open(path, broken)
        await editor.until(lambda: bool(editor.told.get(path)))
        ((line, code),) = editor.wrong()["tea.yaml"]
        assert (line, code) == (7, "RF501")
        assert editor.told[path][0].range == stretch(broken, "utf-16", "cubs")
        editor.change(path, broken.replace("cubs", "cups"))
        await editor.until(lambda: not editor.told[path])

    talk.about(part)


def test_two_games_and_an_unknown_file_in_one_workspace(tmp_path: Path, talk: Talk):
    """A mistake of one game is none of the other; a file of no game is nobody's."""
    one, two, other = tmp_path / "one" / "tea.yaml", tmp_path / "two" / "tea.yaml", tmp_path / "notes.yaml"
    for path in (one, two):
        path.parent.mkdir()
        path.write_text(GAME, "utf-8")
    other.write_text("a: [\n", "utf-8")

    async def part(editor: Editor) -> None:
        for path in (one, two, other):
            editor.open(path)
        editor.change(one, GAME.replace("me.cups += 1", "me.cubs += 1"))
        await editor.until(lambda: bool(editor.told.get(one)))
        which = lsp.TextDocumentIdentifier(two.as_uri())
        here = place_of(GAME, "utf-16", "cups is 9")
        context = lsp.ReferenceContext(include_declaration=True)
        found = await editor.client.text_document_references_async(lsp.ReferenceParams(context, which, here))
        assert found and {place.uri for place in found} == {two.as_uri()}
        assert not editor.told.get(two) and not editor.told.get(other)
        hover = lsp.HoverParams(lsp.TextDocumentIdentifier(other.as_uri()), lsp.Position(0, 0))
        assert await editor.client.text_document_hover_async(hover) is None

    talk.about(part)


def test_files_come_and_go_behind_the_back_of_the_editor(tmp_path: Path, talk: Talk):
    home, more = tmp_path / "tea.yaml", tmp_path / "more.yaml"
    section = "formulas:\n  lots:\n    takes: {p: player}\n    is: p.cups > 5\n"
    home.write_text(GAME, "utf-8")
    uses = GAME.replace('needs: "me.cups < 9"', "needs: not lots(me)")

    async def part(editor: Editor) -> None:
        editor.open(home, uses)  # unsaved, and what it calls is nowhere
        await editor.until(lambda: bool(editor.told.get(home)))
        more.write_text(section, "utf-8")
        editor.saw((more, lsp.FileChangeType.Created))
        await editor.until(lambda: not editor.told[home])
        more.rename(tmp_path / "less.yaml")
        editor.saw((more, lsp.FileChangeType.Deleted), (tmp_path / "less.yaml", lsp.FileChangeType.Created))
        editor.change(home, uses.replace("lots(me)", "lot(me)"))
        await editor.until(lambda: bool(editor.told.get(home)))
        (told,) = editor.told[home]
        assert "did you mean `lots`" in told.message
        (tmp_path / "less.yaml").unlink()
        editor.saw((tmp_path / "less.yaml", lsp.FileChangeType.Deleted))
        await editor.until(lambda: bool(editor.told[home]) and "`lots`" not in editor.told[home][0].message)
        home.unlink()  # what is open is still there
        editor.saw((home, lsp.FileChangeType.Deleted))
        editor.change(home, GAME)
        await editor.until(lambda: not editor.told[home])

    talk.about(part)


def test_questions_that_are_cancelled_late_or_about_nothing(tmp_path: Path, talk: Talk):
    home = tmp_path / "tea.yaml"
    home.write_text(GAME, "utf-8")
    which = lsp.TextDocumentIdentifier(home.as_uri())
    far = lsp.Position(10_000, 10_000)

    async def part(editor: Editor) -> None:
        client = editor.client
        before = await client.text_document_hover_async(lsp.HoverParams(which, lsp.Position(0, 0)))
        assert before is None, "it is not open yet"
        editor.open(home)
        asked = [client.text_document_hover_async(lsp.HoverParams(which, far)) for _ in range(20)]
        asked += [client.text_document_completion_async(lsp.CompletionParams(which, far))]  # type: ignore[list-item]
        late = asyncio.ensure_future(
            client.text_document_document_symbol_async(lsp.DocumentSymbolParams(which))
        )
        client.cancel_request(lsp.CancelParams(id=987_654))  # never asked
        late.cancel()
        assert len(await asyncio.gather(*asked)) == 21
        editor.close(home)
        gone = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(which))
        assert not gone
        editor.open(home)
        assert await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(which))

    talk.about(part)


def test_a_huge_file_is_one_diagnostic(tmp_path: Path, talk: Talk):
    home, huge = tmp_path / "tea.yaml", tmp_path / "huge.yaml"
    home.write_text(GAME, "utf-8")
    text = "numbers:\n" + "".join(f"  n{n}: {n}\n" for n in range(200_000))

    async def part(editor: Editor) -> None:
        editor.open(home)
        editor.open(huge, text)
        await editor.until(lambda: bool(editor.told.get(huge)))
        assert len(editor.told[huge]) == 1
        editor.close(huge)
        await editor.until(lambda: not editor.told[huge])

    talk.about(part)


# --- whatever is typed, the server says what `validate` says of the same texts ---

EDITS, SEEDS = 25, 3
PIECES = (
    "",
    " ",
    "\n",
    "  ",
    "me.",
    "cups",
    ":",
    "{",
    "}",
    "if ",
    '"',
    "ä🙂",
    "\t",
    "- ",
    "#",
    "1",
    "finish full\n",
)


def typed(text: str, chance: random.Random) -> str:
    """A text after somebody has cut, copied or typed something, or has taken it back."""
    start = chance.randrange(len(text) + 1)
    end = min(len(text), start + chance.choice((0, 0, 1, 3, 12)))
    new = (
        chance.choice(PIECES)
        if chance.random() < 0.7
        else text[(cut := chance.randrange(len(text) + 1)) : cut + 20]
    )
    return text[:start] + new + text[end:]


@pytest.mark.parametrize("seed", range(SEEDS))
def test_after_any_edits_the_editor_says_what_validate_says(seed: int, tmp_path: Path):
    chance = random.Random(seed)
    texts = {"tea.yaml": GAME, "more.yaml": "numbers:\n  most: 9\n", "scenarios/a.yaml": SCENARIO}
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    workspace = Workspace()
    for name, text in texts.items():
        workspace = workspace.edited(tmp_path / name, text)
    now = dict(texts)
    for number in range(EDITS):
        name = chance.choice(sorted(now))
        now[name] = texts[name] if number % 6 == 5 else typed(now[name], chance)
        workspace = workspace.edited(tmp_path / name, now[name])
        workspace = workspace.looked_at(*workspace.stale())
        for other, text in now.items():
            (tmp_path / other).write_bytes(text.encode())
        told = {repr(one) for of_file in diagnostics_by_file(workspace).values() for one in of_file}
        assert told == set(map(repr, validated(analyse(tmp_path)).diagnostics)), (seed, number, now)


SCENARIO = """\
scenario: pouring
steps:
  - ann: pour
  - expect: {ann.cups: 1}
"""
