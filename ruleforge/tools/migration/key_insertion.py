"""Adds a key to a mapping in a YAML file, in the style of its other keys."""

from __future__ import annotations

from ruleforge.lang.source.tree import Entry, MappingNode
from ruleforge.support.diagnostics import Edit, Span


def key_inserted(mapping: MappingNode, behind: Entry, words: str, lines: list[str]) -> Edit:
    """`words` (`key: value`) as an entry behind another one; the comment at the end of its line stays there."""
    value = behind.value.span
    if mapping.flow:
        return Edit(_after(value, value.end_column), f", {words}")
    line = lines[value.end_line - 1]
    text = line.removesuffix("\r")
    end = line[len(text) :]  # of a file that was written on Windows
    indent = " " * (behind.key.span.column - 1)
    return Edit(_after(value, len(text) + 1), f"{end}\n{indent}{words}")


def _after(value: Span, column: int) -> Span:
    return Span(value.file, value.end_line, column, value.end_line, column)
