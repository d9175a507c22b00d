"""The language server: maps protocol messages to the modules of this package."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO, cast

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from ruleforge.frontends.lsp.code_actions import fixes_of
from ruleforge.frontends.lsp.completion import complete, replaced
from ruleforge.frontends.lsp.hover import hover
from ruleforge.frontends.lsp.inlay_hints import hints
from ruleforge.frontends.lsp.lookup import definition, highlights, named_at, references
from ruleforge.frontends.lsp.outline import fitting, outline
from ruleforge.frontends.lsp.protocol_types import (
    Lines,
    code_action,
    completion_item,
    diagnostic,
    document_symbol,
    encoded,
    path_of,
    symbol_information,
    uri_of,
    workspace_edit,
)
from ruleforge.frontends.lsp.rename import RenameRefused, renameable, renamed
from ruleforge.frontends.lsp.semantic_tokens import TOKEN_TYPES, tokens
from ruleforge.frontends.lsp.session import Session, diagnostics_by_file
from ruleforge.frontends.lsp.symbols import Place
from ruleforge.frontends.lsp.workspace import View, Workspace
from ruleforge.support.ceilings import CEILINGS
from ruleforge.support.diagnostics import Diagnostic
from ruleforge.support.records import dataclass
from ruleforge.tools.formatter import canonical_text

LARGEST_MESSAGE = 8 * CEILINGS.file_bytes  # bytes; JSON may write a sign of a file in six
LONGEST_HEADER = 10_000  # bytes
REQUEST_FAILED = int(lsp.LSPErrorCodes.RequestFailed)
WATCHED = "**/*.{yaml,yml,lock}"


_OPTIONS: dict[str, Any] = {
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: lsp.SemanticTokensLegend(list(TOKEN_TYPES), []),
    lsp.TEXT_DOCUMENT_RENAME: lsp.RenameOptions(prepare_provider=True),
    lsp.TEXT_DOCUMENT_CODE_ACTION: lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]),
    lsp.TEXT_DOCUMENT_COMPLETION: lsp.CompletionOptions(trigger_characters=[".", " ", "["]),
}


@dataclass(frozen=True, slots=True)
class TextPosition:
    """A question about a place in a file."""

    view: View
    path: Path
    place: Place
    lines: Lines


class Server:
    """Registers the requests of editors, and holds the session."""

    def __init__(self, version_: str) -> None:
        self.protocol = LanguageServer("ruleforge", version_)
        self.session = Session(self._publish)
        self.code = 0  # with which to leave
        self._may_leave = False
        features: dict[str, Callable[[Any], object]] = {
            lsp.INITIALIZED: self.initialized,
            lsp.SHUTDOWN: self.shutdown,
            lsp.EXIT: self.exit,
            lsp.TEXT_DOCUMENT_DID_OPEN: self.changed,
            lsp.TEXT_DOCUMENT_DID_CHANGE: self.changed,
            lsp.TEXT_DOCUMENT_DID_CLOSE: self.closed,
            lsp.TEXT_DOCUMENT_DID_SAVE: self.saved,
            lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: self.saved,
            lsp.TEXT_DOCUMENT_COMPLETION: self.completion,
            lsp.TEXT_DOCUMENT_HOVER: self.hover,
            lsp.TEXT_DOCUMENT_DEFINITION: self.definition,
            lsp.TEXT_DOCUMENT_REFERENCES: self.references,
            lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: self.highlights,
            lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: self.outline,
            lsp.WORKSPACE_SYMBOL: self.symbols,
            lsp.TEXT_DOCUMENT_PREPARE_RENAME: self.prepare_rename,
            lsp.TEXT_DOCUMENT_RENAME: self.rename,
            lsp.TEXT_DOCUMENT_CODE_ACTION: self.code_actions,
            lsp.TEXT_DOCUMENT_FORMATTING: self.formatting,
            lsp.TEXT_DOCUMENT_INLAY_HINT: self.inlay_hints,
            lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: self.semantic_tokens,
        }
        for name, handler in features.items():
            self.protocol.feature(name, _OPTIONS.get(name))(_plain(handler))

    # --- hello and goodbye ---

    def shutdown(self, params: None) -> None:
        self._may_leave = True

    def exit(self, params: None) -> None:
        """Without a goodbye before it something is wrong with the editor, and the protocol wants that to be seen."""
        self.code = 0 if self._may_leave else 1

    def initialized(self, params: lsp.InitializedParams) -> None:
        """Ask to be told when files change on disk."""
        files = self.protocol.client_capabilities.workspace
        watching = files.did_change_watched_files if files else None
        if watching is not None and watching.dynamic_registration:
            options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(WATCHED)])
            method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
            registered = lsp.Registration("files", method, options)
            self.protocol.client_register_capability(lsp.RegistrationParams([registered]))

    # --- texts ---

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

    # --- names ---

    def completion(self, params: lsp.CompletionParams) -> lsp.CompletionList:
        position = self._position(params)
        if position is None:
            return lsp.CompletionList(False, [])
        text = self.session.workspace.text_of(position.path)
        found = complete(position.view, position.path, position.place)
        items = []
        for number, suggestion in enumerate(found):
            back = replaced(text, position.place, suggestion.word)
            here = params.position
            start = lsp.Position(here.line, max(0, here.character - back))
            items.append(completion_item(suggestion, lsp.Range(start, here), number))
        return lsp.CompletionList(False, items)

    def hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        position = self._position(params)
        if position is None:
            return None
        others = self.session.beside(position.view)
        found = hover(position.view, others, position.path, position.place)
        if found is None:
            return None
        text, span = found
        content = lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
        return lsp.Hover(content, position.lines.range(span))

    def definition(self, params: lsp.DefinitionParams) -> lsp.Location | None:
        position = self._position(params)
        span = definition(position.view, position.path, position.place) if position else None
        return position.lines.location(span) if position and span else None

    def references(self, params: lsp.ReferenceParams) -> list[lsp.Location]:
        position = self._position(params)
        found = named_at(position.view, position.path, position.place) if position else None
        if position is None or found is None:
            return []
        views = self.session.views_of_game(position.path)
        spans = references(views, found[0], params.context.include_declaration)
        return [position.lines.location(span) for span in spans]

    def highlights(self, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        position = self._position(params)
        spans = highlights(position.view, position.path, position.place) if position else []
        return [lsp.DocumentHighlight(position.lines.range(span)) for span in spans] if position else []

    def outline(self, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        path, view = self._view(params.text_document.uri)
        lines = self._lines()
        return [document_symbol(part, lines) for part in outline(view, path)] if view and path else []

    def symbols(self, params: lsp.WorkspaceSymbolParams) -> list[lsp.SymbolInformation]:
        views = self.session.everything()
        lines = self._lines()
        return [symbol_information(symbol, lines) for symbol in fitting(views, params.query)]

    def inlay_hints(self, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        path, view = self._view(params.text_document.uri)
        if path is None or view is None:
            return []
        lines = self._lines()
        found = hints(view, path, params.range.start.line + 1, params.range.end.line + 1)
        return [lsp.InlayHint(lines.range(span).end, text, lsp.InlayHintKind.Type) for span, text in found]

    def semantic_tokens(self, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        path, view = self._view(params.text_document.uri)
        found = tokens(view, path) if view is not None and path is not None else []
        return lsp.SemanticTokens(encoded(found, self._lines(), path))

    # --- changes ---

    def prepare_rename(self, params: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder:
        position = self._position(params)
        try:
            if position is None:
                raise RenameRefused("this file does not belong to a game")
            symbol, span = renameable(position.view, position.path, position.place)
        except RenameRefused as refused:
            raise JsonRpcException(str(refused), REQUEST_FAILED) from None
        return lsp.PrepareRenamePlaceholder(position.lines.range(span), symbol.name)

    def rename(self, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        position = self._position(params)
        try:
            if position is None:
                raise RenameRefused("this file does not belong to a game")
            symbol, _ = renameable(position.view, position.path, position.place)
            views = self.session.views_of_game(position.path)
            edits = renamed(self.session.workspace, views, symbol, params.new_name)
        except RenameRefused as refused:
            raise JsonRpcException(str(refused), REQUEST_FAILED) from None
        return workspace_edit(edits, position.lines)

    def code_actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        path, view = self._view(params.text_document.uri)
        if path is None or view is None:
            return []
        lines = self._lines()
        here = [
            d
            for d in diagnostics_by_file(self.session.workspace).get(path, ())
            if _meets(lines.range(d.span), params.range)
        ]
        found = fixes_of(self.session.workspace, here)
        return [code_action(action, lines) for action in found]

    def formatting(self, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        path, view = self._view(params.text_document.uri)
        new = formatted(view, path) if view is not None and path is not None else None
        if new is None or path is None:
            return []
        end = self.session.workspace.text_of(path).count("\n") + 1
        return [lsp.TextEdit(lsp.Range(lsp.Position(0, 0), lsp.Position(end, 0)), new)]

    # --- what was asked about ---

    def _view(self, uri: str) -> tuple[Path | None, View | None]:
        path = path_of(uri)
        return path, self.session.view(path) if path is not None else None

    def _position(self, params: Any) -> TextPosition | None:
        path, view = self._view(params.text_document.uri)
        if path is None or view is None:
            return None
        lines = self._lines()
        return TextPosition(view, path, lines.place(path, params.position), lines)

    def _lines(self) -> Lines:
        return Lines(self.session.workspace.text_of, self._encoding)

    @property
    def _encoding(self) -> str:
        """In what an editor counts columns: both sides have agreed on it at the start."""
        return self.protocol.workspace.position_encoding or lsp.PositionEncodingKind.Utf16

    # --- diagnostics ---

    def _publish(self, path: Path, found: tuple[Diagnostic, ...], workspace: Workspace) -> None:
        lines = Lines(workspace.text_of, self._encoding)
        sent = [diagnostic(one, lines) for one in found]
        self.protocol.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri_of(path), sent))


def _meets(one: lsp.Range, other: lsp.Range) -> bool:
    """Do two stretches have a place in common?"""
    first, last = (one.start.line, one.start.character), (one.end.line, one.end.character)
    begin, end = (other.start.line, other.start.character), (other.end.line, other.end.character)
    return first <= end and begin <= last


def _plain(handler: Callable[[Any], object]) -> Callable[[Any], object]:
    """A method as a function of its own: the protocol writes on what it is given."""

    def answer(params: Any) -> object:
        return handler(params)

    return answer


class _Answers:
    """Standard output for the protocol; it stays open after the protocol writer closes it."""

    def write(self, data: bytes) -> None:
        sys.stdout.buffer.write(data)

    def flush(self) -> None:
        sys.stdout.buffer.flush()

    close = flush


class _Questions:
    """Standard input for the protocol, which would make room for as many bytes as a header promises."""

    def readline(self) -> bytes:
        return sys.stdin.buffer.readline(LONGEST_HEADER)

    def read(self, size: int) -> bytes:
        if size > LARGEST_MESSAGE:
            raise ValueError(f"a message of {size} bytes is too large")
        return sys.stdin.buffer.read(size)


def serve() -> int:
    """Speak with an editor over standard input and output, until it says goodbye or is gone; how to leave then."""
    logger = logging.getLogger()  # of the protocol: an editor would show what it prints
    logger.addHandler(logging.NullHandler())
    logger.setLevel(logging.CRITICAL)
    server = Server(version("ruleforge"))
    server.protocol.start_io(cast(BinaryIO, _Questions()), cast(BinaryIO, _Answers()))
    return server.code


# --- formatting ---


def formatted(view: View, path: Path) -> str | None:
    """The new text of a rule file; None if it has no effect texts, or nothing changes."""
    parsed = view.found.analysis.parsed
    if parsed is None or path not in view.contents:
        return None
    texts = [text for text in parsed.texts.values() if Path(text.source.span.file).absolute() == path]
    if not texts:
        return None
    old = view.contents[path]
    new = canonical_text(texts[0].source.span.file, old, texts)
    return new if new != old else None
