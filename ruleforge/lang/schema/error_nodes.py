"""One finding about shape -> the hole it leaves: what later stages cannot rely on."""

from __future__ import annotations

import re

from ruleforge.lang.schema.messages.finding import Finding
from ruleforge.lang.source import Entry, MappingNode, ScalarNode, SequenceNode, SourceFile, SourceNode
from ruleforge.lang.source.error_nodes import ErrorNodes, start_of
from ruleforge.lang.source.tree import words_of
from ruleforge.support.diagnostics import Span
from ruleforge.support.spelling import proper

_WORD = re.compile(r"[a-z]\w*")
_LOSING = ("required", "type", "anyOf")  # after these, what a section declares is not known
_BOARDS = ("grid", "rings", "graph", "track", "edges", "corners")
_ABOUT_KEYS = ("additionalProperties", "required", "minProperties", "maxProperties")


def hole_of(finding: Finding, file: SourceFile) -> ErrorNodes:
    """Unknown keys and values of the wrong shape hold words; what is around them lacks something."""
    keys = keys_along(file.root, finding.path)
    around = ErrorNodes(_names_along(finding.path, keys))
    if finding.keyword in _LOSING:
        around |= ErrorNodes(sections=frozenset(key.text for key in keys[:1]))
    if len(finding.path) > 2 and finding.path[0] == "kinds" and finding.path[2] in _BOARDS:
        around |= ErrorNodes(
            anything=True
        )  # how many cells there are, and what they are called, is not known
    return around | _lost(finding, keys)


def _names_along(path: tuple[str | int, ...], keys: list[ScalarNode]) -> frozenset[str]:
    """The definition in which something is lost: it may be left out; of a kind, what it says of all its things."""
    names = {key.text for key in keys[1:][-2:]}
    if path[:1] == ("kinds",) and "things" not in path and len(keys) > 1:
        names.add(keys[1].text)
    return frozenset(names)


def _lost(finding: Finding, keys: list[ScalarNode]) -> ErrorNodes:
    if finding.is_key:
        name = str(finding.value)
        entry = finding.node.entry(name) if isinstance(finding.node, MappingNode) else None
        lost = words_of(entry.value) if entry else frozenset()
        bare = name.partition("(")[0]  # what it takes may stand behind it
        words = lost | {name, bare, name.lower(), proper(name), *_WORD.findall(name)}
        return ErrorNodes(words, _starts(keys[-1:]), frozenset({name, bare}))
    if finding.keyword == "additionalProperties" and isinstance(finding.node, MappingNode):
        known = finding.schema.get("properties", {})
        strays = [entry for entry in finding.node if entry.name not in known]
        words = frozenset(w for e in strays for w in (e.name, *words_of(e.value)))
        return ErrorNodes(
            words | words_of(finding.node), _starts(keys[-1:])
        )  # it may be left out with all it holds
    if finding.keyword in _ABOUT_KEYS:
        missing = frozenset(finding.expected) if finding.keyword == "required" else frozenset()
        return ErrorNodes(words_of(finding.node) | missing, _starts(keys[-1:]))
    said = _WORD.findall(finding.node.text) if isinstance(finding.node, ScalarNode) else ()
    return ErrorNodes(words_of(finding.node) | frozenset(said), _starts(keys[-2:]))


def keys_along(root: SourceNode, path: tuple[str | int, ...]) -> list[ScalarNode]:
    """The keys that lead to a value; an item of a list is known by its own first key."""
    found: list[ScalarNode] = []
    node = root
    for step in path:
        if isinstance(node, MappingNode) and isinstance(step, str):
            entry: Entry | None = node.entry(step)
            if entry is None:
                break
            found.append(entry.key)
            node = entry.value
        elif isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
            if isinstance(node, MappingNode) and node.entries:
                found.append(node.entries[0].key)
    return found


def _starts(keys: list[ScalarNode]) -> frozenset[Span]:
    return frozenset(start_of(key.span) for key in keys)
