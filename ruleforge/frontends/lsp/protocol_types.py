"""Converts positions and diagnostics between RuleForge and the language server protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from lsprotocol import types as lsp
from pygls import uris

from ruleforge.frontends.lsp.code_actions import CodeActions
from ruleforge.frontends.lsp.outline import Part
from ruleforge.frontends.lsp.semantic_tokens import TOKEN_TYPES
from ruleforge.frontends.lsp.symbols import Symbol
from ruleforge.lang.checker.scope_completion import Suggestion
from ruleforge.support.diagnostics import Diagnostic, Span

SOURCE = "ruleforge"
_SEVERITIES = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}
_PLAIN = {"utf-8": "\x7f", "utf-16": "\uffff"}  # up to this sign each counts as one; by code points all do


def path_of(uri: str) -> Path | None:
    """The file that an editor names; None for what is not on a disk."""
    found = uris.to_fs_path(uri) if uri.startswith("file:") else None
    return Path(found).absolute() if found else None


def uri_of(path: Path) -> str:
    return str(uris.from_fs_path(str(path)) or path.as_uri())


class Lines:
    """The lines of texts, to count columns with, in the units that editor and server have agreed on."""

    def __init__(self, text_of: Callable[[Path], str], encoding: str = "utf-16") -> None:
        self._text_of = text_of
        self._encoding = encoding
        self._plain = _PLAIN.get(encoding)
        self._lines: dict[Path, list[str] | None] = {}

    def line(self, path: Path, number: int) -> str | None:
        """A line, counted from 1; None where every sign counts as one, so that it need not be known."""
        if path not in self._lines:
            text = self._text_of(path)
            wide = self._plain is not None and max(text, default="") > self._plain
            self._lines[path] = text.split("\n") if wide else None
        lines = self._lines[path]
        return lines[number - 1] if lines is not None and number <= len(lines) else None

    def range(self, span: Span) -> lsp.Range:
        path = Path(span.file).absolute()
        return lsp.Range(
            self._position(path, span.line, span.column), self._position(path, span.end_line, span.end_column)
        )

    def _position(self, path: Path, line: int, column: int) -> lsp.Position:
        text = self.line(path, line)
        more = sum(map(self._more, text[: column - 1])) if text else 0
        return lsp.Position(max(line - 1, 0), max(column - 1 + more, 0))

    def _more(self, sign: str) -> int:
        """How many units a sign has beside the first."""
        if self._encoding == "utf-8":
            return len(sign.encode("utf-8", "replace")) - 1
        return int(sign > "\uffff")

    def place(self, path: Path, position: lsp.Position) -> tuple[int, int]:
        """Line and column, counted from 1."""
        text = self.line(path, position.line + 1)
        column = position.character
        if text:
            counted = 0
            for number, sign in enumerate(text):
                if counted >= position.character:
                    column = number
                    break
                counted += 1 + self._more(sign)
            else:
                column = len(text)
        return position.line + 1, column + 1

    def location(self, span: Span) -> lsp.Location:
        return lsp.Location(uri_of(Path(span.file).absolute()), self.range(span))


def diagnostic(found: Diagnostic, lines: Lines) -> lsp.Diagnostic:
    """A diagnostic with its help and the other places that it names."""
    message = found.message + (f"\nhelp: {found.help}" if found.help else "")
    notes = [lsp.DiagnosticRelatedInformation(lines.location(span), text) for text, span in found.notes]
    return lsp.Diagnostic(
        range=lines.range(found.span),
        message=message,
        severity=_SEVERITIES[found.severity],
        code=found.code,
        source=SOURCE,
        related_information=notes or None,
    )


_KINDS = {
    "section": lsp.SymbolKind.Namespace,
    "kind": lsp.SymbolKind.Class,
    "thing": lsp.SymbolKind.Object,
    "fact": lsp.SymbolKind.Constant,
    "attribute": lsp.SymbolKind.Field,
    "formula": lsp.SymbolKind.Function,
    "event": lsp.SymbolKind.Event,
    "rule": lsp.SymbolKind.Interface,
    "action": lsp.SymbolKind.Method,
    "keyword": lsp.SymbolKind.Enum,
    "place": lsp.SymbolKind.Array,
    "number": lsp.SymbolKind.Number,
    "option": lsp.SymbolKind.Boolean,
    "clause": lsp.SymbolKind.String,
}


def document_symbol(part: Part, lines: Lines) -> lsp.DocumentSymbol:
    whole, name = lines.range(part.span), lines.range(part.name_span)
    return lsp.DocumentSymbol(
        name=part.name or "(unnamed)",
        kind=_KINDS.get(part.what, lsp.SymbolKind.Property),
        range=whole,
        selection_range=name,
        detail=" ".join(word for word in (part.what, part.detail) if word),
        children=[document_symbol(below, lines) for below in part.parts],
    )


def symbol_information(symbol: Symbol, lines: Lines) -> lsp.SymbolInformation:
    return lsp.SymbolInformation(
        location=lines.location(symbol.span),
        name=symbol.name,
        kind=_KINDS.get(symbol.what, lsp.SymbolKind.Property),
        container_name=" ".join(word for word in (symbol.what, symbol.of) if word),
    )


_COMPLETED = {
    "key": lsp.CompletionItemKind.Property,
    "word": lsp.CompletionItemKind.Keyword,
    "local": lsp.CompletionItemKind.Variable,
    "formula": lsp.CompletionItemKind.Function,
    "function": lsp.CompletionItemKind.Function,
    "event": lsp.CompletionItemKind.Event,
    "attribute": lsp.CompletionItemKind.Field,
    "fact": lsp.CompletionItemKind.Constant,
    "kind": lsp.CompletionItemKind.Class,
    "thing": lsp.CompletionItemKind.EnumMember,
    "player": lsp.CompletionItemKind.EnumMember,
    "clause": lsp.CompletionItemKind.Reference,
}


def completion_item(found: Suggestion, place: lsp.Range, number: int) -> lsp.CompletionItem:
    """`number` keeps the order: what is likeliest comes first."""
    return lsp.CompletionItem(
        label=found.word,
        kind=_COMPLETED.get(found.what, lsp.CompletionItemKind.Value),
        detail=f"{found.what}: {found.detail}" if found.detail else found.what,
        sort_text=f"{number:05}",
        text_edit=lsp.TextEdit(place, found.word),
    )


def workspace_edit(edits: Mapping[Path, tuple[tuple[Span, str], ...]], lines: Lines) -> lsp.WorkspaceEdit:
    """New texts for stretches of files."""
    return lsp.WorkspaceEdit(
        changes={
            uri_of(path): [lsp.TextEdit(lines.range(span), text) for span, text in changes]
            for path, changes in edits.items()
        }
    )


def code_action(action: CodeActions, lines: Lines) -> lsp.CodeAction:
    return lsp.CodeAction(
        title=action.title,
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[diagnostic(one, lines) for one in action.about],
        edit=workspace_edit(action.edits, lines),
        is_preferred=len(action.about) == 1,
    )


def encoded(found: list[tuple[int, int, int, str]], lines: Lines, path: Path | None) -> list[int]:
    """Tokens as the protocol has them: five numbers each, places counted from the token before."""
    data: list[int] = []
    line = column = 0
    for row, start, length, sort in found:
        place = lines.range(Span(str(path), row, start, row, start + length))
        begin, end = place.start, place.end
        ahead = begin.character - (column if begin.line == line else 0)
        data += (begin.line - line, ahead, end.character - begin.character, TOKEN_TYPES.index(sort), 0)
        line, column = begin.line, begin.character
    return data
