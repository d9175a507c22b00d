"""The section `kinds` of all files -> kinds; the things of one may be listed in several files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from ruleforge.lang.model import ruleset as m
from ruleforge.lang.model.kinds_from_source import kind_from_source, linked_things, things_from_source
from ruleforge.lang.model.read_fields import Fields, Names
from ruleforge.lang.source import Entry, MappingNode


def kinds_from_source(fields: Fields, entries: Iterable[Entry]) -> tuple[m.Kind, ...]:
    """What says more than `things` is the kind; what says nothing else goes on with it."""
    given = list(entries)
    heads = {entry.name for entry in given if not _only_things(entry)}
    more: dict[str, list[Entry]] = defaultdict(list)
    seen: Names = {}
    found = []
    for entry in given:
        goes_on = entry.name in heads or (fields.in_pack and entry.name in seen)
        if _only_things(entry) and goes_on:
            more[entry.name].append(entry)
        elif fields.is_new("the kind", entry.key, seen, entry.value):
            found.append(entry)
    return tuple(_kind(fields, entry, more[entry.name]) for entry in found)


def _only_things(entry: Entry) -> bool:
    return isinstance(entry.value, MappingNode) and [e.name for e in entry.value] == ["things"]


def _kind(fields: Fields, entry: Entry, more: list[Entry]) -> m.Kind:
    kind = kind_from_source(fields, entry, more)
    things = {thing.id: thing for thing in kind.things}
    for part in more:
        assert isinstance(part.value, MappingNode)
        for thing in things_from_source(fields, part.value.entries[0].value):
            first = things.setdefault(thing.id, thing)
            if first is not thing:
                fields.twice("the thing", thing.id, thing.span, first.span)
    if kind.graph is not None:  # which makes its things; what is listed says more of some of them
        made = {thing.id: thing for thing in linked_things(fields, entry.value)}
        things = {**made, **things}
    return replace(kind, things=tuple(things.values()))
