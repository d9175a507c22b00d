"""The citations of clauses in a file, with their places."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from ruleforge.lang.source.tree import Entry, MappingNode, ScalarNode, SequenceNode, SourceFile, SourceNode
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

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
        found: list[Citation] = []
        _gather(file.root, keys, (), found)
        known[keys] = tuple(found)
    return known[keys]


def _gather(node: SourceNode, keys: frozenset[str], above: tuple[str, ...], found: list[Citation]) -> None:
    """Adds what is cited in a value that stands below some keys."""
    if isinstance(node, SequenceNode):
        for item in node.items:
            if not isinstance(item, ScalarNode):
                _gather(item, keys, (*above, _label(item)), found)
    elif isinstance(node, MappingNode):
        for entry in node.entries:
            if entry.key.text in keys and not _is_misshapen(entry):
                rule = ".".join(word for word in above if word) or "game"
                found += [Citation(c.text, rule, c.span) for c in _scalars(entry.value)]
            elif not isinstance(entry.value, ScalarNode):
                _gather(entry.value, keys, (*above, entry.key.text), found)


def _is_misshapen(entry: Entry) -> bool:
    """`cites` is a list; of anything else the schema has complained already."""
    return entry.key.text in CITES and not isinstance(entry.value, SequenceNode)


def _scalars(node: SourceNode) -> list[ScalarNode]:
    items = node.items if isinstance(node, SequenceNode) else (node,)
    return [item for item in items if isinstance(item, ScalarNode)]


def _label(node: SourceNode) -> str:
    """Phases have their name inside."""
    name = node.get("phase") if isinstance(node, MappingNode) else None
    return name.text if isinstance(name, ScalarNode) else ""
