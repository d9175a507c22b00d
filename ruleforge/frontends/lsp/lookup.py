"""Definition and references of the name at a position, across a game and its packs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ruleforge.frontends.lsp.symbols import Index, Place, Symbol
from ruleforge.frontends.lsp.workspace import View
from ruleforge.support.diagnostics import Span


def named_at(view: View, path: Path, place: Place) -> tuple[Symbol, Span] | None:
    return view.index_in(path).at(path, place)


def definition(view: View, path: Path, place: Place) -> Span | None:
    found = named_at(view, path, place)
    return found[0].span if found else None


def references(views: Iterable[View], symbol: Symbol, declared: bool = True) -> list[Span]:
    """Every place that names a symbol, in whichever view: rules, scenarios, rulebooks, contracts and packs."""
    return spoken_of((view.index for view in views), symbol, declared)


def highlights(view: View, path: Path, place: Place) -> list[Span]:
    """Every place of a file that names what is named at a place."""
    found = named_at(view, path, place)
    spans = spoken_of([view.index_in(path)], found[0]) if found else []
    return [span for span in spans if Path(span.file).absolute() == path]


def spoken_of(indexes: Iterable[Index], symbol: Symbol, declared: bool = True) -> list[Span]:
    found = dict.fromkeys([symbol.span] if declared else [])
    for index in indexes:
        found |= dict.fromkeys((*index.uses.get(symbol, ()), *index.hints.get(symbol, ())))
    if not declared:
        found.pop(symbol.span, None)
    return sorted(found)
