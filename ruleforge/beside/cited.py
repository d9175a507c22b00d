"""A file -> the clauses it cites, each with its place and what cites it."""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from ruleforge.diagnostics import Span
from ruleforge.quick import dataclass
from ruleforge.source.tree import MappingNode, ScalarNode, SequenceNode, SourceFile, SourceNode

CITES = frozenset({"cites"})
# Keys of a contract whose values are clauses.
OF_CONTRACTS = frozenset({"cites", "otherwise", "clause", "over", "bare", "endless"})
OF_RULEBOOKS = frozenset({"about"})


@dataclass(frozen=True, slots=True)
class Citation:
    """`rule` is the path of the definition that cites."""

    clause: str
    rule: str
    span: Span


_KNOWN: WeakKeyDictionary[SourceFile, dict[frozenset[str], tuple[Citation, ...]]] = WeakKeyDictionary()


def citations(file: SourceFile, keys: frozenset[str] = CITES) -> tuple[Citation, ...]:
    """Every clause that is given under one of the keys, in the order of the file; a file is looked through once."""
    known = _KNOWN.setdefault(file, {})
    if keys not in known:
        known[keys] = tuple(_below(file.root, keys, ()))
    return known[keys]


def _below(node: SourceNode, keys: frozenset[str], above: tuple[str, ...]) -> Iterator[Citation]:
    if isinstance(node, SequenceNode):
        for item in node.items:
            yield from _below(item, keys, (*above, _label(item)))
    elif isinstance(node, MappingNode):
        for entry in node:
            if entry.name not in keys:
                yield from _below(entry.value, keys, (*above, entry.name))
                continue
            rule = ".".join(word for word in above if word) or "game"
            yield from (Citation(c.text, rule, c.span) for c in _scalars(entry.value))


def _scalars(node: SourceNode) -> list[ScalarNode]:
    items = node.items if isinstance(node, SequenceNode) else (node,)
    return [item for item in items if isinstance(item, ScalarNode)]


def _label(node: SourceNode) -> str:
    """Phases have their name inside."""
    name = node.get("phase") if isinstance(node, MappingNode) else None
    return name.text if isinstance(name, ScalarNode) else ""
