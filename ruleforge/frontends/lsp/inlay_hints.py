"""Inlay hints: types and ranges of locals, and results of formulas."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ruleforge.frontends.lsp.symbols import LOCAL
from ruleforge.frontends.lsp.word_help import short
from ruleforge.frontends.lsp.workspace import View
from ruleforge.support.diagnostics import Span

_LET = "let "


def hints(view: View, path: Path, first: int, last: int) -> Iterator[tuple[Span, str]]:
    """Behind a name: what it is; for the lines from `first` to `last`, counted from 1."""
    checked = view.found.analysis.checked
    lines = view.contents.get(path, "").split("\n")
    for symbol, span in view.index_in(path).everywhere(path):
        if span != symbol.span or not first <= span.line <= last or span.line > len(lines):
            continue
        if symbol.what == LOCAL and symbol.type is not None:
            if lines[span.line - 1][: span.column - 1].endswith(_LET):
                yield span, f": {short(symbol.type)}"
        elif symbol.what == "formula" and checked is not None and symbol.name in checked.formulas:
            yield span, f" -> {short(checked.formulas[symbol.name].result)}"
