"""Names that occur as YAML keys and words: facts of things, additions and targets of packs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleforge.lang.checker.names import Key, last_word
from ruleforge.lang.source.tree import Entry, MappingNode, ScalarNode, SequenceNode, SourceNode, SourceTree
from ruleforge.project.pipeline import Analysis
from ruleforge.support.diagnostics import Span


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
    for what, name, span in (named for pack in analysis.packs for named in _attached(pack.source)):
        found.setdefault((what, "", name), []).append(span)
    return found


def _attached(tree: SourceTree) -> Iterator[tuple[str, str, Span]]:
    """What of the game a pack fills, settles, adds conditions to or hangs phases at: sort, name and place."""
    for section in tree.sections("fills"):
        yield from (("event", entry.name, entry.key.span) for entry in _entries(section.value))
    for section in tree.sections("chooses"):
        for entry in _entries(section.value):
            yield from ((what, entry.name, entry.key.span) for what in ("option", "number"))
    for section in tree.sections("holds"):
        for entry in _entries(section.value):
            of = entry.value.get("of") if isinstance(entry.value, MappingNode) else None
            if isinstance(of, ScalarNode):
                yield from ((what, of.text, of.span) for what in ("action", "phase"))
    for section in tree.sections("flow"):
        for item in section.value.items if isinstance(section.value, SequenceNode) else ():
            at = item.get("at") if isinstance(item, MappingNode) else None
            if isinstance(at, ScalarNode):
                phase = at.text.rpartition(" ")[2]
                yield "phase", phase, last_word(at.span, phase)


def _entries(node: SourceNode | None) -> Iterator[Entry]:
    return iter(node.entries if isinstance(node, MappingNode) else ())


def _below(node: SourceNode, key: str) -> Iterator[Entry]:
    return _entries(node.get(key) if isinstance(node, MappingNode) else None)
