"""`prose` finds the places in rule files that are prose, and the ids of games and packs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ruleforge.lang.source.tree import MappingNode, ScalarNode, SequenceNode, SourceNode

# Keys whose values are words for people.
PROSE = frozenset(
    (
        "title",
        "text",
        "tells",
        "called",
        "hint",
        "rule",
        "example",
        "section",
        "summary",
        "question",
        "ruling",
    )
) | {"scenario", "say", "fix", "sign", "why", "decision.prompt"}
REASON = "why"  # in scenarios: words of a refusal, which the engine says otherwise in a twin
IDS = frozenset({"id", "game", "core", "needs", "excludes", "with"})  # whose values may name a game or a pack
_QUOTED = re.compile(r'"[^"\n]*"')


def scalars(node: SourceNode, key: str = "") -> Iterator[tuple[str, ScalarNode]]:
    """Every value under the key that it belongs to."""
    match node:
        case ScalarNode():
            yield key, node
        case SequenceNode():
            for item in node.items:
                yield from scalars(item, key)
        case MappingNode():
            for entry in node.entries:
                yield from scalars(entry.value, entry.name)


def linked(node: SourceNode, inside: bool = False) -> Iterator[ScalarNode]:
    """The names in graphs: who is linked with whom."""
    match node:
        case ScalarNode() if inside:
            yield node
        case SequenceNode():
            for item in node.items:
                yield from linked(item, inside)
        case MappingNode():
            for entry in node.entries:
                if inside:
                    yield entry.key
                yield from linked(entry.value, inside or entry.name == "links")


def stretches(value: ScalarNode, lines: list[str], code: bool) -> Iterator[tuple[int, int, str]]:
    """The prose in a value: line, column (both from 0), text. In `code` it is what stands in double quotes.

    Expressions in braces are left out.
    """
    depth, span, marks = 0, value.span, int(value.style == "quoted")
    for number in range(span.line - 1, span.end_line):
        line = lines[number]
        first = span.column - 1 + marks if number == span.line - 1 else 0
        last = span.end_column - 1 - marks if number == span.end_line - 1 else len(line)
        if code:
            pieces = [(found.start(), found.end()) for found in _QUOTED.finditer(line, first, last)]
        else:
            pieces = [(first, last)]
        for begin, end in pieces:
            start = begin
            for at in range(begin, end):
                if line[at] == "{":
                    if depth == 0:
                        yield number, start, line[start:at]
                    depth += 1
                elif line[at] == "}" and depth:
                    depth -= 1
                    start = at + 1
            if depth == 0:
                yield number, start, line[start:end]
