"""Hints and colours; and whatever place of whatever file is asked about, there is an answer and no error."""

from __future__ import annotations

import json
import random
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from ruleforge.frontends.lsp.completion import complete
from ruleforge.frontends.lsp.hover import hover
from ruleforge.frontends.lsp.inlay_hints import hints
from ruleforge.frontends.lsp.lookup import definition, references
from ruleforge.frontends.lsp.outline import outline
from ruleforge.frontends.lsp.rename import RenameRefused, renameable
from ruleforge.frontends.lsp.semantic_tokens import TOKEN_TYPES, tokens
from ruleforge.frontends.lsp.server import formatted
from ruleforge.frontends.lsp.workspace import Workspace
from ruleforge.support.resources import shipped_games
from tests.unit.frontends.lsp.client import COMMAND, GAMES, Editor, Talk
from tests.unit.frontends.lsp.test_lookup import view_of

ASKED = 25  # places of each game, in texts as they are and in broken ones


def test_hints_and_colours(talk: Talk, copied: Callable[..., Path]):
    events = copied("splicers") / "events.yaml"

    async def part(editor: Editor) -> None:
        editor.open(events)
        document = lsp.TextDocumentIdentifier(events.as_uri())
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(10_000, 0))
        found = await editor.client.text_document_inlay_hint_async(lsp.InlayHintParams(document, whole))
        assert ": seed or none" in [hint.label for hint in found or ()]
        coloured = await editor.client.text_document_semantic_tokens_full_async(
            lsp.SemanticTokensParams(document)
        )
        assert coloured is not None and len(coloured.data) % 5 == 0
        sorts = {TOKEN_TYPES[number] for number in coloured.data[3::5]}
        assert {"keyword", "variable", "property", "function", "class"} <= sorts

    talk.about(part)


@pytest.mark.parametrize("name", GAMES)
def test_whatever_is_asked_is_answered(name: str):
    chance = random.Random(name)
    folder = shipped_games()[name]
    view = view_of(folder / "game.yaml")
    paths = sorted(view.contents)
    opened = Workspace().edited(folder / "game.yaml", view.contents[folder / "game.yaml"])
    opened = opened.looked_at(view.root)
    for number in range(ASKED):
        path = chance.choice(paths)
        if number % 5 == 0:  # something is cut away: texts and files that cannot be read
            text = view.contents[path]
            start = chance.randrange(len(text))
            broken = text[:start] + text[start + chance.randrange(40) :]
            workspace = opened.edited(path, broken)
            root = workspace.homes[path]
            assert root is not None
            now = workspace.looked_at(root).views[root]
        lines = now.contents.get(path, "").split("\n")
        line = chance.randrange(len(lines) + 1)
        place = line + 1, chance.randrange(90) + 1
        hover(now, [], path, place)
        definition(now, path, place)
        if found := now.index.at(path, place):
            references([now], found[0])
        complete(now, path, place)
        outline(now, path)
        list(hints(now, path, 1, 10_000))
        tokens(now, path)
        if number % 10 == 0:
            formatted(now, path)
        try:
            renameable(now, path, place)
        except RenameRefused as refused:
            assert str(refused)


GARBAGE = [
    b"",
    b"hello\r\n\r\n",
    b"Content-Length: 5\r\n\r\n{{{{{",
    b"Content-Length: 999\r\n\r\n{}",
    b"Content-Length: 2\r\n\r\n{}Content-Length: 4\r\n\r\nnull",
    b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n",
    b'Content-Length: 63\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":1}',
]


def _message(**parts: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **parts}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


HELLO = _message(id=1, method="initialize", params={"capabilities": {}}) + _message(
    method="initialized", params={}
)
GOODBYES = {  # how an editor leaves, and with which code the server does
    "goodbye": (_message(id=2, method="shutdown") + _message(method="exit"), 0),
    "no goodbye": (_message(method="exit"), 1),
    "gone": (b"", 0),
}


HEADERS = {
    "a length that no machine has": b"Content-Length: 99999999999999999\r\n\r\n{}",
    "a length without end": b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n",
    "two lengths": b"Content-Length: 2\r\nContent-Length: 64000000000\r\n\r\n{}",
}


def bounded() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (600_000_000, 600_000_000))


@pytest.mark.parametrize("what", HEADERS)
def test_no_header_takes_memory(what: str):
    done = subprocess.run(
        COMMAND, input=HEADERS[what], capture_output=True, timeout=100, check=False, preexec_fn=bounded
    )
    assert done.returncode in (0, 1)
    assert b"Traceback" not in done.stderr, done.stderr.decode()


@pytest.mark.parametrize("how", GOODBYES)
def test_an_editor_says_goodbye(how: str):
    sent, code = GOODBYES[how]
    done = subprocess.run(COMMAND, input=HELLO + sent, capture_output=True, timeout=100, check=False)
    assert (done.returncode, done.stderr) == (code, b"")


def test_garbage_and_an_editor_that_goes_away_are_no_tracebacks():
    """Several in one server, as to start one costs time; the last message is cut in the middle."""
    sent = b"".join(GARBAGE[1:4:2]) + GARBAGE[4] + GARBAGE[6] + GARBAGE[3]
    for data in (sent, GARBAGE[5]):
        done = subprocess.run(COMMAND, input=data, capture_output=True, timeout=100, check=False)
        assert b"Traceback" not in done.stderr, done.stderr.decode()
