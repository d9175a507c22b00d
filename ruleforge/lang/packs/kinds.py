"""Kinds of a game and of a pack -> kinds with both: what a pack says of a kind of the game is added to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ruleforge.lang.model.ruleset import Graph, Kind, Named, Thing
from ruleforge.lang.packs.clashes import Clashes

# What a kind is, in contrast to what it has: only the one who defines the kind can say it.
FIXED = (
    "product",
    "copies",
    "called",
    "grid",
    "track",
    "edges",
    "corners",
    "lines",
    "pool",
    "lasts",
    "controller",
    "works",
    "trigger_order",
)
_SAID = ("title", "text")
_LISTS = {
    "things": "the thing",
    "facts": "the fact",
    "has": "the attribute",
    "rules": "the rule",
    "actions": "the action",
}


def with_kinds(there: tuple[Kind, ...], adds: tuple[Kind, ...], clashes: Clashes) -> tuple[Kind, ...]:
    """The kinds there are, with what a pack adds to them, and the new ones behind them."""
    more = {kind.id: kind for kind in adds}
    found = [_extended(kind, more.pop(kind.id), clashes) if kind.id in more else kind for kind in there]
    return (*found, *more.values())


def _extended(kind: Kind, adds: Kind, clashes: Clashes) -> Kind:
    for key in (*_SAID, *FIXED):
        if getattr(adds, key):
            clashes.changed(adds, key, kind)
    if adds.plural not in (kind.plural, f"{kind.id}s"):
        clashes.changed(adds, "plural", kind)
    lists: dict[str, Any] = {key: _joined(kind, adds, key, clashes) for key in _LISTS}
    return replace(
        kind,
        count=_sum(kind, adds, clashes),
        rings=_rings(kind, adds, clashes),
        graph=_graph(kind, adds, clashes),
        **lists,
    )


def _joined(kind: Kind, adds: Kind, key: str, clashes: Clashes) -> tuple[Named, ...]:
    there: tuple[Named, ...] = getattr(kind, key)
    known = {definition.id: definition for definition in there}
    more = []
    for definition in getattr(adds, key):
        if isinstance(definition, Thing) and adds.graph is not None and _only_linked(definition, known):
            continue  # a link from or to a thing of the game does not name it anew
        if definition.id in known:
            clashes.redefined(f"{_LISTS[key]} of `{kind.id}`", definition, known[definition.id])
        else:
            more.append(definition)
    if key == "things" and more and not _lists_things(kind):
        clashes.changed(adds, "things", kind)
        return there
    return (*there, *more)


def _only_linked(thing: Thing, known: Mapping[str, Named]) -> bool:
    return thing.id in known and thing.is_bare


def _lists_things(kind: Kind) -> bool:
    """Whether the things of a kind are named one by one, so that more can be named."""
    return not kind.is_drawn and not kind.pool and kind.id != "game"


def _sum(kind: Kind, adds: Kind, clashes: Clashes) -> int | None:
    if adds.count is None:
        return kind.count
    if kind.count is None or kind.things or adds.things:
        clashes.changed(adds, "count", kind)
        return kind.count
    return kind.count + adds.count


def _rings(kind: Kind, adds: Kind, clashes: Clashes) -> tuple[int, ...]:
    """More rings lie outside of those there are."""
    if adds.rings and not kind.rings:
        clashes.changed(adds, "rings", kind)
        return ()
    return (*kind.rings, *adds.rings)


def _graph(kind: Kind, adds: Kind, clashes: Clashes) -> Graph | None:
    if adds.graph is None or kind.graph is None:
        if adds.graph is not None:
            clashes.changed(adds, "graph", kind)
        return kind.graph
    links = dict(kind.graph.links)
    for name, others in adds.graph.links:
        links[name] = (*links.get(name, ()), *others)
    return replace(kind.graph, links=tuple(links.items()))
