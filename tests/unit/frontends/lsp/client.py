"""An editor that speaks with the server as a real one does: over its standard input and output."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

A = TypeVar("A")
GAMES = ("orbit-simulator", "primordial-orbs", "primordial-soup", "soul-gems", "splicers")
WAIT = 60.0
COMMAND = (sys.executable, "-c", "from ruleforge.frontends.cli.main import main; main()", "lsp")


class Editor:
    """Open texts, and what the server has said of files."""

    def __init__(self) -> None:
        self.client = LanguageClient("editor of the tests", "1")
        self.told: dict[Path, list[lsp.Diagnostic]] = {}
        self.texts: dict[Path, str] = {}
        self._versions: dict[Path, int] = {}
        self._news = asyncio.Event()

        def told(params: lsp.PublishDiagnosticsParams) -> None:
            self.told[Path(params.uri.removeprefix("file://"))] = list(params.diagnostics)
            self._news.set()

        self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(told)

    async def start(self, folder: Path, *encodings: str) -> lsp.InitializeResult:
        """`encodings` are the units of columns that this editor knows, best first; without any it is silent."""
        await self.client.start_io(*COMMAND)
        general = lsp.GeneralClientCapabilities(position_encodings=encodings) if encodings else None
        capabilities = lsp.ClientCapabilities(general=general)
        params = lsp.InitializeParams(capabilities=capabilities, root_uri=folder.as_uri())
        result = await self.client.initialize_async(params)
        self.client.initialized(lsp.InitializedParams())
        return result

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()

    def open(self, path: Path, text: str | None = None) -> None:
        self.texts[path] = path.read_text("utf-8") if text is None else text
        self._versions[path] = 1
        item = lsp.TextDocumentItem(path.as_uri(), "yaml", 1, self.texts[path])
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def change(self, path: Path, text: str) -> None:
        self.texts[path] = text
        self._versions[path] += 1
        which = lsp.VersionedTextDocumentIdentifier(self._versions[path], path.as_uri())
        whole = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(which, [whole]))

    def edit(self, path: Path, stretch: lsp.Range, new: str, text: str) -> None:
        """Only a part is sent, as most editors do; `text` is what comes of it."""
        self.texts[path] = text
        self._versions[path] += 1
        which = lsp.VersionedTextDocumentIdentifier(self._versions[path], path.as_uri())
        part = lsp.TextDocumentContentChangePartial(stretch, new)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(which, [part]))

    def saw(self, *changes: tuple[Path, lsp.FileChangeType]) -> None:
        """Somebody else has changed files on disk."""
        events = [lsp.FileEvent(path.as_uri(), how) for path, how in changes]
        self.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams(events))

    def close(self, path: Path) -> None:
        del self.texts[path]
        which = lsp.TextDocumentIdentifier(path.as_uri())
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(which))

    def wrong(self) -> dict[str, list[tuple[int, str]]]:
        """What is wrong now: by the name of the file the line and the code of each complaint."""
        found = {
            path.name: [(d.range.start.line + 1, str(d.code)) for d in told]
            for path, told in self.told.items()
            if told
        }
        return dict(sorted(found.items()))

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until what was told is so."""
        async with asyncio.timeout(WAIT):
            while not holds():
                self._news.clear()
                await self._news.wait()


class Talk:
    """One server for many tests: to start one costs more than all that is asked of it."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self.editor: Editor | None = None

    def about(self, part: Callable[[Editor], Awaitable[A]]) -> A:
        """A part of the talk; after it nothing is open any more."""

        async def whole() -> A:
            if self.editor is None:
                self.editor = Editor()
                await self.editor.start(Path.cwd())
            try:
                return await part(self.editor)
            finally:
                for path in list(self.editor.texts):
                    self.editor.close(path)
                self.editor.told.clear()

        return self._loop.run_until_complete(whole())

    def end(self) -> None:
        if self.editor is not None:
            self._loop.run_until_complete(self.editor.stop())
        self._loop.close()
