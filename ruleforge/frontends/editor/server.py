"""The language server: messages of the protocol -> questions to the modules of this room, and their answers back."""

from __future__ import annotations

import logging
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from ruleforge.diagnostics import Diagnostic
from ruleforge.frontends.editor.session import Session
from ruleforge.frontends.editor.wire import Lines, diagnostic, path_of, uri_of
from ruleforge.frontends.editor.workspace import Workspace

WATCHED = "**/*.{yaml,yml,lock}"


class Server:
    """Registers what an editor may ask, and holds the session."""

    def __init__(self, version_: str) -> None:
        self.protocol = LanguageServer("ruleforge", version_)
        self.session = Session(self._publish)
        features: dict[str, Callable[[Any], object]] = {
            lsp.INITIALIZED: self.initialized,
            lsp.TEXT_DOCUMENT_DID_OPEN: self.changed,
            lsp.TEXT_DOCUMENT_DID_CHANGE: self.changed,
            lsp.TEXT_DOCUMENT_DID_CLOSE: self.closed,
            lsp.TEXT_DOCUMENT_DID_SAVE: self.saved,
            lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: self.saved,
        }
        for name, handler in features.items():
            self.protocol.feature(name)(_plain(handler))

    # --- texts ---

    def initialized(self, params: lsp.InitializedParams) -> None:
        """Ask to be told when files change on disk."""
        files = self.protocol.client_capabilities.workspace
        watching = files.did_change_watched_files if files else None
        if watching is not None and watching.dynamic_registration:
            options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(WATCHED)])
            method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
            registered = lsp.Registration("files", method, options)
            self.protocol.client_register_capability(lsp.RegistrationParams([registered]))

    def changed(self, params: lsp.DidOpenTextDocumentParams | lsp.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        path = path_of(uri)
        if path is not None:
            self.session.change(path, self.protocol.workspace.get_text_document(uri).source)

    def closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        if path is not None:
            self.session.close(path)

    def saved(self, params: lsp.DidSaveTextDocumentParams | lsp.DidChangeWatchedFilesParams) -> None:
        self.session.changed_on_disk()

    # --- complaints ---

    def _publish(self, path: Path, found: tuple[Diagnostic, ...], workspace: Workspace) -> None:
        lines = Lines(workspace.text_of)
        told = [diagnostic(one, lines) for one in found]
        self.protocol.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri_of(path), told))


def _plain(handler: Callable[[Any], object]) -> Callable[[Any], object]:
    """A method as a function of its own: the protocol writes on what it is given."""

    def answer(params: Any) -> object:
        return handler(params)

    return answer


def serve() -> None:
    """Speak with an editor over standard input and output, until it says goodbye or is gone."""
    logger = logging.getLogger()  # of the protocol: an editor would show what it prints
    logger.addHandler(logging.NullHandler())
    logger.setLevel(logging.CRITICAL)
    Server(version("ruleforge")).protocol.start_io()
