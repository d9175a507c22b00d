"""An Analysis -> the names that stand as keys of YAML: facts of things, and kinds and things that packs add to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleforge.check.names import Key
from ruleforge.diagnostics import Span
from ruleforge.pipeline import Analysis
from ruleforge.source.tree import Entry, MappingNode, ScalarNode, SourceNode


def named_by_keys(analysis: Analysis) -> Mapping[Key, list[Span]]:
    found: dict[Key, list[Span]] = {}
    trees = [tree for tree in (analysis.source, *(pack.source for pack in analysis.packs)) if tree]
    for section in (section for tree in trees for section in tree.sections("kinds")):
        for kind in _entries(section.value):
            found.setdefault(("kind", "", kind.name), []).append(kind.key.span)
            for column in (*_below(kind.value, "has"), *_below(kind.value, "facts")):
                resets = column.value.get("resets") if isinstance(column.value, MappingNode) else None
                if isinstance(resets, ScalarNode):
                    found.setdefault(("phase", "", resets.text), []).append(resets.span)
            for thing in _below(kind.value, "things"):
                found.setdefault(("thing", kind.name, thing.name), []).append(thing.key.span)
                for fact in _entries(thing.value):
                    found.setdefault(("fact", kind.name, fact.name), []).append(fact.key.span)
    return found


def _entries(node: SourceNode | None) -> Iterator[Entry]:
    return iter(node.entries if isinstance(node, MappingNode) else ())


def _below(node: SourceNode, key: str) -> Iterator[Entry]:
    return _entries(node.get(key) if isinstance(node, MappingNode) else None)
