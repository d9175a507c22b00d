"""Renames things of a pack in its scenario for play with further packs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ruleforge.lang.source.scalar_origin import renamed_in, with_names
from ruleforge.lang.source.tree import Entry, MappingNode, ScalarNode, SequenceNode, SourceFile, SourceNode

_PLAYED = frozenset({"options", "begin", "start", "steps"})  # what speaks of the game
_WORDS = frozenset({"expect", "refuse", "sees", "plays", "outcome", "given"})
_PEOPLES = frozenset({"why", "code"})  # their text is for people, or is no name


def with_own_names(file: SourceFile, names: Mapping[str, str]) -> SourceFile:
    if not names:
        return file
    entries = (
        Entry(entry.key, _spoken(entry.value, names)) if entry.name in _PLAYED else entry
        for entry in file.root
    )
    return replace(file, root=replace(file.root, entries=tuple(entries)))


def _spoken(node: SourceNode, names: Mapping[str, str]) -> SourceNode:
    if isinstance(node, SequenceNode):
        return replace(node, items=tuple(_spoken(item, names) for item in node.items))
    if isinstance(node, MappingNode):
        return replace(node, entries=tuple(_entry(entry, names) for entry in node))
    return _scalar(node, names)


def _entry(entry: Entry, names: Mapping[str, str]) -> Entry:
    if entry.name in _PEOPLES:
        return entry
    key = entry.key if entry.name in _WORDS else _scalar(entry.key, names)
    return Entry(key, _spoken(entry.value, names))


def _scalar(node: ScalarNode, names: Mapping[str, str]) -> ScalarNode:
    text = renamed_in(node.text, names) if node.kind == "str" else node.text
    if text == node.text:
        return node
    origin = node.origin
    return replace(node, text=text, layout=with_names(origin, names) if origin else None)
