"""The outline of a file, and the search for symbols of a game."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ruleforge.frontends.lsp.symbols import CLAUSE, LOCAL, Symbol
from ruleforge.frontends.lsp.workspace import View
from ruleforge.lang.source.tree import MappingNode, SequenceNode, SourceFile, SourceNode
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

MOST = 200


@dataclass(frozen=True, slots=True)
class Part:
    """A definition in a file: its name, its range, and its parts."""

    name: str
    what: str
    detail: str
    name_span: Span
    span: Span
    parts: tuple[Part, ...] = ()


def outline(view: View, path: Path) -> tuple[Part, ...]:
    """The sections of a file with the definitions in them."""
    file = _file(view, path)
    if file is None:
        return ()
    named = {span[:3]: symbol for symbol, span in view.index_in(path).everywhere(path) if span == symbol.span}
    found = []
    for entry in file.root:
        parts = _parts(entry.value, named)
        span = entry.key.span.to(entry.value.span)
        found.append(Part(entry.name, "section", "", entry.key.span, span, parts))
    return tuple(found)


def fitting(views: Iterable[View], query: str) -> list[Symbol]:
    """Declared names with these letters in them, those that begin with them first."""
    wanted = query.lower()
    found: dict[Symbol, None] = {}
    for view in views:
        found |= {symbol: None for symbol in view.index.uses if symbol.what != LOCAL and symbol.written}
    fits = [symbol for symbol in found if wanted in symbol.name.lower()]
    return sorted(fits, key=lambda s: (not s.name.lower().startswith(wanted), s.what == CLAUSE, s.name))[
        :MOST
    ]


def _file(view: View, path: Path) -> SourceFile | None:
    analysis, beside = view.found.analysis, view.found.beside
    trees = [tree for tree in (analysis.source, *(pack.source for pack in analysis.packs)) if tree]
    rules = (file for tree in trees for file in tree.files)
    others = (f.source for folder in beside.folders for f in folder.files if f.source)
    return next((f for f in (*rules, *others) if Path(f.path).absolute() == path), None)


def _parts(node: SourceNode, named: dict[tuple[str, int, int], Symbol]) -> tuple[Part, ...]:
    """The declarations below a value, at any depth."""
    found: list[Part] = []
    if isinstance(node, MappingNode):
        for entry in node:
            below = _parts(entry.value, named)
            symbol = named.get(entry.key.span[:3])
            if symbol is None:
                found += below
                continue
            span = entry.key.span.to(entry.value.span)
            found.append(Part(symbol.name, symbol.what, symbol.of, entry.key.span, span, below))
    elif isinstance(node, SequenceNode):
        for item in node.items:
            below = _parts(item, named)
            symbol = _named_inside(item, named)
            if symbol is None:
                found += below
            else:
                found.append(Part(symbol.name, symbol.what, symbol.of, symbol.span, item.span, below))
    return tuple(found)


def _named_inside(item: SourceNode, named: dict[tuple[str, int, int], Symbol]) -> Symbol | None:
    """An item of a list may be a name, or have its name inside, as phases and clauses do."""
    if not isinstance(item, MappingNode):
        return named.get(item.span[:3])
    return next((s for entry in item if (s := named.get(entry.value.span[:3]))), None)
