"""A text that was read before, elsewhere -> the same tree with the places of this one.

Many cards say the same in the same words. To carry a tree over costs a fraction of reading it.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser.fields import EffectText
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.diagnostics import Span

Shape = tuple[str, str | None, str, tuple[tuple[int, int], ...]]


def shape_of(text: EffectText) -> Shape | None:
    """Texts of one shape differ only by where they begin; None: places inside this one do not follow from that."""
    source = text.source
    breaks = source.text.count("\n")
    if source.folds or breaks >= len(source.starts):
        return None
    key = text.key if text.start == "picked" else None
    if not breaks:
        return (text.start, key, source.text, ())
    first = source.starts[0][0]
    return (text.start, key, source.text, tuple((line - first, column) for line, column in source.starts))


def moved(node: n.Node, old: SourceText, new: SourceText) -> n.Node:
    """The tree of a text for another one of the same shape."""
    (old_line, old_column), (line, column) = old.starts[0], new.starts[0]
    return _moved(node, new.span.file, line - old_line, column - old_column)  # type: ignore[no-any-return]


_FIELDS: dict[type, tuple[str, ...] | None] = {}  # of a node without its span; None: not a node


def _moved(value: Any, file: str, lines: int, columns: int) -> Any:
    kind = type(value)
    if kind is tuple:
        return tuple([_moved(item, file, lines, columns) for item in value])
    names = _FIELDS[kind] if kind in _FIELDS else _fields_of(kind)
    if names is None:
        return value
    _, line, column, end_line, end_column = value.span
    span = Span(file, line + lines, column + columns, end_line + lines, end_column + columns)
    return kind(span, *[_moved(getattr(value, name), file, lines, columns) for name in names])


def _fields_of(kind: type) -> tuple[str, ...] | None:
    names = tuple(f.name for f in fields(kind) if f.name != "span") if issubclass(kind, n.Node) else None
    _FIELDS[kind] = names
    return names
