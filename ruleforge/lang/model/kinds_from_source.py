"""Builds the kinds of the section `kinds`: their things, boards, facts, attributes and rules, from all files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from ruleforge.lang.model import ruleset as m
from ruleforge.lang.model.read_fields import WORDS_FOR_PEOPLE, Fields, Key, Names, filled
from ruleforge.lang.model.rules_from_source import actions_from_source, rules_from_source
from ruleforge.lang.source import Entry, MappingNode, ScalarNode, SequenceNode, SourceNode, SourceText
from ruleforge.support.diagnostics import Span

COLUMN = {
    **WORDS_FOR_PEOPLE,
    "type": Key("type", Fields.text),
    "sees": Key("sees", Fields.text),
    "resets": Key("resets", Fields.word),
    "capped": Key("capped", Fields.flag),
}
THING = {
    **WORDS_FOR_PEOPLE,
    "copies": Key("copies", Fields.number),
    "pool": Key("pool", Fields.number),
    "keywords": Key("keywords", Fields.texts),
    "rules": Key("rules", rules_from_source),
    "actions": Key("actions", actions_from_source),
}
# Each of these says what the things of a kind are; one of them is enough, but a product may have more things beside it,
# and beside a board `things` say more of those that it makes.
_SOURCES_OF_THINGS = (
    *("things", "count", "product", "grid", "rings", "graph", "track", "edges", "corners", "pool"),
)
_BOARDS = ("grid", "rings", "graph", "track", "edges", "corners")
_BOTH = ({"things", "product"}, *({"things", board} for board in _BOARDS))
_IN_A_ROW = {"line", "loop"}  # a track of the things that are said otherwise
# Keys that need another key: the reason, and the key to add.
_ONLY_WITH = {
    "lines": ("grid", "only the cells of a `grid` form lines", "add a `grid`"),
    "lasts": ("pool", "only the things of a `pool` can be removed", "add a `pool`"),
    "copies": ("product", "only a `product` makes copies", "add a `product`, or say it of a thing"),
    "called": ("product", "only the things of a `product` get such titles", "add a `product`"),
}


def kind_from_source(fields: Fields, entry: Entry, more: Sequence[Entry] = ()) -> m.Kind:
    """The kind; `more` of its things are listed elsewhere."""
    found = {"plural": f"{entry.name}s"} | filled(fields, entry.value, KIND)
    _check_things(fields, entry, more)
    fields.need_beside(entry.value, _ONLY_WITH, entry.key)
    return m.Kind(entry.name, entry.key.span, **found)


def columns_from_source(fields: Fields, node: SourceNode) -> tuple[m.Column, ...]:
    """Facts or attributes: each a type as text, or a mapping with `type`."""
    return tuple(_column(fields, entry) for entry in fields.entries(node, bare=False))


def things_from_source(fields: Fields, node: SourceNode) -> tuple[m.Thing, ...]:
    """A list of names, or names with the values of their facts."""
    if isinstance(node, MappingNode):
        return tuple(_thing(fields, entry) for entry in fields.entries(node))
    names = [item for item in getattr(node, "items", ()) if isinstance(item, ScalarNode)]
    seen: Names = {}
    for name in names:
        fields.allow_name(name)
    return tuple(m.Thing(name.text, name.span) for name in names if fields.is_new("the thing", name, seen))


def grid_from_source(fields: Fields, node: SourceNode) -> m.Grid | None:
    found = filled(fields, node, GRID)
    if not {"shape", "columns", "rows"} <= found.keys():
        return None  # the schema stage has reported
    return m.Grid(node.span, **found)


def product_from_source(fields: Fields, node: SourceNode) -> tuple[tuple[str, SourceText], ...]:
    """Facts, each with the values that it has in turn."""
    return fields.pairs(node, bare=False)


def lines_from_source(fields: Fields, node: SourceNode) -> tuple[tuple[str, int, Span], ...]:
    found = ((entry, fields.number(entry.value)) for entry in fields.entries(node))
    return tuple((entry.name, length, entry.key.span) for entry, length in found if length is not None)


def leaps_from_source(fields: Fields, node: SourceNode) -> tuple[m.Leap, ...]:
    found = (_leap(entry, fields.numbers(entry.value)) for entry in fields.entries(node))
    return tuple(leap for leap in found if leap is not None)


def _leap(entry: Entry, away: tuple[int, ...]) -> m.Leap | None:
    if len(away) == 3:
        return entry.name, away[0], away[1], away[2], entry.key.span
    return (entry.name, away[0], away[1], entry.key.span) if len(away) == 2 else None


def graph_from_source(fields: Fields, node: SourceNode) -> m.Graph:
    return m.Graph(node.span, **({"links": ()} | filled(fields, node, GRAPH)))


def track_from_source(fields: Fields, node: SourceNode) -> m.Track:
    """The word `line` or `loop`, a number of spaces, or stretches by name."""
    if isinstance(node, MappingNode):
        stretches = (_stretch(fields, entry) for entry in fields.entries(node))
        return m.Track(node.span, stretches=tuple(s for s in stretches if s is not None))
    return m.Track(node.span, fields.word(node) or "")


def _stretch(fields: Fields, entry: Entry) -> m.Stretch | None:
    length = fields.number(entry.value)
    found = {"length": length} if length is not None else filled(fields, entry.value, STRETCH)
    return m.Stretch(entry.name, entry.key.span, **found) if "length" in found else None


def borders_from_source(fields: Fields, node: SourceNode) -> m.Borders | None:
    """The kind of the board, or a mapping with it."""
    of = fields.text(node)
    found = {"of": of} if of is not None else filled(fields, node, BORDERS)
    return m.Borders(node.span, **found) if "of" in found else None


def links_from_source(fields: Fields, node: SourceNode) -> tuple[tuple[str, tuple[SourceText, ...]], ...]:
    return tuple((entry.name, fields.texts(entry.value)) for entry in fields.entries(node))


GRID = {
    "shape": Key("shape", Fields.word),
    "columns": Key("columns", Fields.number),
    "rows": Key("rows", Fields.number),
    "without": Key("without", Fields.texts),
    "leaps": Key("leaps", leaps_from_source),
    "first_row": Key("first_row", Fields.word),
    "neighbours": Key("neighbours", Fields.word),
    "levels": Key("levels", Fields.number),
}
STRETCH = {
    "length": Key("length", Fields.number),
    "loop": Key("loop", Fields.flag),
    "from": Key("start", Fields.text),
    "to": Key("to", Fields.text),
}
BORDERS = {"of": Key("of", Fields.text), "rim": Key("rim", Fields.flag)}
GRAPH = {"links": Key("links", links_from_source), "one_way": Key("one_way", Fields.flag)}
KIND = {
    **WORDS_FOR_PEOPLE,
    "plural": Key("plural", Fields.word),
    "things": Key("things", things_from_source),
    "count": Key("count", Fields.number),
    "product": Key("product", product_from_source),
    "copies": Key("copies", Fields.text),
    "called": Key("called", Fields.text),
    "grid": Key("grid", grid_from_source),
    "rings": Key("rings", Fields.numbers),
    "graph": Key("graph", graph_from_source),
    "track": Key("track", track_from_source),
    "edges": Key("edges", borders_from_source),
    "corners": Key("corners", borders_from_source),
    "pool": Key("pool", Fields.text),
    "lasts": Key("lasts", Fields.text),
    "lines": Key("lines", lines_from_source),
    "facts": Key("facts", columns_from_source),
    "has": Key("has", columns_from_source),
    "controller": Key("controller", Fields.text),
    "works": Key("works", Fields.text),
    "trigger_order": Key("trigger_order", Fields.text),
    "rules": Key("rules", rules_from_source),
    "actions": Key("actions", actions_from_source),
}


def _column(fields: Fields, entry: Entry) -> m.Column:
    if isinstance(entry.value, MappingNode):
        return m.Column(entry.name, entry.key.span, **filled(fields, entry.value, COLUMN))
    return m.Column(entry.name, entry.key.span, type=fields.text(entry.value))


def _thing(fields: Fields, entry: Entry) -> m.Thing:
    given = entry.value.entries if isinstance(entry.value, MappingNode) else ()
    values = ((fact.name, fields.value(fact.value)) for fact in given if fact.name not in THING)
    facts = tuple((name, value) for name, value in values if value)
    found = filled(fields, entry.value, THING)
    if found.get("pool"):
        found["copies"] = found["pool"]
    return m.Thing(entry.name, entry.key.span, facts=facts, **found)


def linked_things(fields: Fields, kind: SourceNode) -> tuple[m.Thing, ...]:
    """The things of a graph, with nothing but their names: those that have links, then those that are only led to."""
    graph = kind.get("graph") if isinstance(kind, MappingNode) else None
    links = graph.get("links") if isinstance(graph, MappingNode) else None
    entries = links.entries if isinstance(links, MappingNode) else ()
    names = {entry.name: entry.key for entry in entries}
    for entry in entries:
        items = entry.value.items if isinstance(entry.value, SequenceNode) else ()
        for item in items:
            if isinstance(item, ScalarNode) and item.text not in names:
                fields.allow_name(item)
                names[item.text] = item
    return tuple(m.Thing(name, node.span) for name, node in names.items())


class _Refused(NamedTuple):
    """The allowed ways to list the things of a built-in kind, with the reason against the others."""

    ordered_parts: frozenset[str]
    why: str
    help: str


_REFUSED = {
    "game": _Refused(
        frozenset(),
        "the kind `game` is the game itself",
        "give it attributes under `has`, and declare a kind for the things",
    ),
    "player": _Refused(
        frozenset(("things", "count")),
        "the things of the kind `player` are the seats",
        "name the seats under `things`",
    ),
}


def _arranges(entry: Entry) -> bool:
    """Does a key say how the things of a kind lie, and not what they are?"""
    return entry.name == "track" and getattr(entry.value, "text", "") in _IN_A_ROW


def _check_things(fields: Fields, entry: Entry, more: Sequence[Entry]) -> None:
    """Things are said in exactly one way; the kind `game` has only the game itself."""
    if not isinstance(entry.value, MappingNode):
        return
    if fields.error_nodes.damage(entry.key.span):
        return
    given = [e.key for e in entry.value if e.name in _SOURCES_OF_THINGS and not _arranges(e)]
    given += [part.value.entries[0].key for part in more if isinstance(part.value, MappingNode)][:1]
    if len(given) > 1 and {key.text for key in given} not in _BOTH:
        message = f"the kind `{entry.name}` has both `{given[0].text}` and `{given[1].text}`"
        help = "keep one of them; it makes the things of the kind"
        fields.report.add("RF304", message, given[1].span, help)
    for key in given:
        if (refused := _REFUSED.get(entry.name)) is not None and key.text not in refused.ordered_parts:
            fields.report.add("RF304", f"{refused.why}, so it has no `{key.text}`", key.span, refused.help)
    if not given and entry.name != "game" and not fields.in_pack:
        boards = "a `grid`, `rings`, a `graph`, a `track`, `edges`, `corners`"
        help = f"name them under `things`, or give a `count`, a `product`, {boards} or a `pool`"
        fields.report.add("RF306", f"the kind `{entry.name}` has no things", entry.key.span, help)


# The section `kinds` of all files; the things of one kind may be listed in several files.


def kinds_from_source(fields: Fields, entries: Iterable[Entry]) -> tuple[m.Kind, ...]:
    """The kinds of a section. An entry with only `things` continues a kind that another entry declares."""
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
