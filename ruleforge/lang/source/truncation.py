"""Files and what was said of them -> whether the end of one is lost: half saved, or copied in part.

A file that ends within a line may be whole; if what it says last cannot be right either, the rest of it is lost.
"""

from __future__ import annotations

from collections.abc import Iterable

from ruleforge.lang.source.error_nodes import NO_ERROR_NODES, ErrorNodes
from ruleforge.lang.source.read_text import lines_of
from ruleforge.lang.source.repairs import indent_of, says_something
from ruleforge.lang.source.tree import SourceFile
from ruleforge.support.diagnostics import Diagnostic

_DEFINITION = 2  # how deep the names of definitions are at most


def cut_off(files: Iterable[SourceFile], complaints: Iterable[Diagnostic]) -> ErrorNodes:
    """Anything may have stood behind a file that ends within a line, with a mistake in its last definition."""
    lasts = {file.path: _last_definition(file.content) for file in _ending_within_a_line(files)}
    wrong = (
        d.severity == "error" and d.span.line >= lasts[d.span.file]
        for d in complaints
        if d.span.file in lasts
    )
    return ErrorNodes(anything=True) if any(wrong) else NO_ERROR_NODES


def _ending_within_a_line(files: Iterable[SourceFile]) -> list[SourceFile]:
    return [file for file in files if file.content and not file.content.endswith("\n")]


def _last_definition(text: str) -> int:
    lines = lines_of(text)
    filled = (r for r in range(len(lines) - 1, -1, -1) if says_something(lines[r]))
    return next((r for r in filled if indent_of(lines[r]) <= _DEFINITION), 0) + 1
