"""Renames a symbol in all files of a game and its packs, or gives the reason against it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ruleforge.frontends.lsp.lookup import named_at
from ruleforge.frontends.lsp.mutants_file_edits import Edits, excused
from ruleforge.frontends.lsp.symbols import CLAUSE, LOCAL, Place, Symbol
from ruleforge.frontends.lsp.workspace import View, Workspace
from ruleforge.support.diagnostics import Diagnostic, Edit, Span
from ruleforge.support.diagnostics.diagnostic import apply_edits
from ruleforge.support.resources import never_names
from ruleforge.support.spelling import is_id

# Kinds that the language itself speaks of.
BUILT_IN = frozenset({"player", "game", "direction", "keyword"})
# Diagnostics that a new name may cause without a mistake: a locked core differs from its lock.
EXPECTED = frozenset({"RF341"})
# Names that effects never use, or only behind a dot: any word is allowed.
NEVER_BARE = frozenset({"action", "rule", "option", "fact", "attribute", "invariant", "check", "profile"})
# Names that effects write with brackets behind them.
CALLED = frozenset({"kind", "formula", "event", "window", "keyword"})
_CLAUSE = re.compile(r"[A-Za-z0-9][\w.-]*\Z")


class RenameRefused(Exception):
    """The reason why a name stays, as a sentence."""


def renameable(view: View, path: Path, place: Place) -> tuple[Symbol, Span]:
    """The name at a place. Raises Refused."""
    found = named_at(view, path, place)
    if found is None:
        raise RenameRefused("no name of this game is declared here")
    symbol, span = found
    if not symbol.written or (symbol.what == LOCAL and symbol.name in ("me", "self")):
        raise RenameRefused(f"`{symbol.name}` is a word of the language here")
    if symbol.what == "kind" and symbol.name in BUILT_IN:
        raise RenameRefused(f"`{symbol.name}` is a built-in kind")
    if _text_at(view, span) != symbol.name:
        raise RenameRefused(f"this is another word for `{symbol.name}`; rename it at its declaration")
    return symbol, span


def renamed(workspace: Workspace, views: Sequence[View], symbol: Symbol, new: str) -> Edits:
    """Every place with the new name; the game and its packs must be as right as before. Raises Refused."""
    _check_name(symbol, new)
    edits = _with_mutants(views, symbol, new)
    texts = {}
    for path, changes in edits.items():
        file = changes[0][0].file
        texts[path] = apply_edits(workspace.text_of(path), file, [Edit(span, text) for span, text in changes])
    roots = [view.root for view in views]
    after = workspace.with_texts(texts).looked_at(*roots)
    for view in views:
        broken = _new_diagnostic(view, after.views[view.root])
        if broken is not None:
            where = f"{Path(broken.span.file).name}:{broken.span.line}"
            raise RenameRefused(f"`{new}` would cause a mistake: {broken.message} ({where})")
    return edits


def _check_name(symbol: Symbol, new: str) -> None:
    if symbol.what == CLAUSE:
        if not _CLAUSE.match(new):
            raise RenameRefused(f"`{new}` cannot be the id of a clause")
    elif not is_id(new):
        raise RenameRefused(f"`{new}` is not a valid name; use lower case letters, digits and underscores")
    elif new in never_names(symbol.what in CALLED) and symbol.what not in NEVER_BARE:
        raise RenameRefused(f"`{new}` is a word of the language")
    if new == symbol.name:
        raise RenameRefused(f"its name is already `{new}`")


def edits_of(views: Sequence[View], symbol: Symbol, new: str) -> Edits:
    """The edits that write the new name at every place of the name, without any check of the result."""
    found: dict[Path, dict[Span, str]] = {}
    for view in views:
        for span in (symbol.span, *view.index.uses.get(symbol, ())):
            path = Path(span.file).absolute()
            if path not in view.contents:
                continue
            if (ending := _ending(_text_at(view, span), symbol)) is not None:
                found.setdefault(path, {})[span] = f"{new}{ending}"
    return _sorted(found)


def _with_mutants(views: Sequence[View], symbol: Symbol, new: str) -> Edits:
    """The same, and the entries that repeat lines in which the name stands."""
    edits = edits_of(views, symbol, new)
    found = {path: dict(changes) for path, changes in edits.items()}
    for view in views:
        for path, (span, text) in excused(view, _sorted(found), symbol, new):
            found.setdefault(path, {})[span] = text
    return _sorted(found)


def _sorted(found: Mapping[Path, Mapping[Span, str]]) -> Edits:
    return {path: tuple(sorted(changes.items())) for path, changes in found.items()}


def _ending(text: str, symbol: Symbol) -> str | None:
    """The ending of a word made from the name: of a plural, or of one of several copies."""
    plural = "s" if symbol.what == "kind" else ""
    number = r"|_[0-9]+" if symbol.what in ("kind", "thing") else ""
    found = re.fullmatch(rf"{re.escape(symbol.name)}({plural}{number}|)", text)
    return found[1] if found else None


def _text_at(view: View, span: Span) -> str:
    lines = view.lines.get(span.file, [])
    return lines[span.line - 1][span.column - 1 : span.end_column - 1] if span.line <= len(lines) else ""


def _new_diagnostic(before: View, after: View) -> Diagnostic | None:
    """The first diagnostic that was not there before."""
    known = [d.code for d in before.diagnostics]
    for found in after.diagnostics:
        if found.code in known:
            known.remove(found.code)
        elif found.code not in EXPECTED:
            return found
    return None
