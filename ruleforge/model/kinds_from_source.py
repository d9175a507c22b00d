"""One entry of the section `kinds` -> Kind: its things, board, lines, facts and attributes."""

from __future__ import annotations

from ruleforge.diagnostics import Span
from ruleforge.model import ruleset as m
from ruleforge.model.read_fields import WORDS_FOR_PEOPLE, Fields, Key, Names, filled
from ruleforge.source import Entry, MappingNode, ScalarNode, SourceNode

COLUMN = {
    **WORDS_FOR_PEOPLE,
    "type": Key("type", Fields.text),
    "sees": Key("sees", Fields.text),
    "resets": Key("resets", Fields.word),
    "capped": Key("capped", Fields.flag),
}
THING = {**WORDS_FOR_PEOPLE, "copies": Key("copies", Fields.number)}
GRID = {
    "shape": Key("shape", Fields.word),
    "columns": Key("columns", Fields.number),
    "rows": Key("rows", Fields.number),
    "without": Key("without", Fields.texts),
}
# Each of these says what the things of a kind are; one of them is enough.
_SOURCES_OF_THINGS = ("things", "count", "grid")


def kind_from_source(fields: Fields, entry: Entry) -> m.Kind:
    found = {"plural": f"{entry.name}s"} | filled(fields, entry.value, KIND)
    _check_things(fields, entry)
    return m.Kind(entry.name, entry.key.span, **found)


def columns_from_source(fields: Fields, node: SourceNode) -> tuple[m.Column, ...]:
    """Facts or attributes: each a type as text, or a mapping with `type`."""
    return tuple(_column(fields, entry) for entry in fields.entries(node))


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
        return None  # the schema stage has complained
    return m.Grid(node.span, **found)


def lines_from_source(fields: Fields, node: SourceNode) -> tuple[tuple[str, int, Span], ...]:
    found = ((entry, fields.number(entry.value)) for entry in fields.entries(node))
    return tuple((entry.name, length, entry.key.span) for entry, length in found if length is not None)


KIND = {
    **WORDS_FOR_PEOPLE,
    "plural": Key("plural", Fields.word),
    "things": Key("things", things_from_source),
    "count": Key("count", Fields.number),
    "grid": Key("grid", grid_from_source),
    "lines": Key("lines", lines_from_source),
    "facts": Key("facts", columns_from_source),
    "has": Key("has", columns_from_source),
}


def _column(fields: Fields, entry: Entry) -> m.Column:
    if isinstance(entry.value, MappingNode):
        return m.Column(entry.name, entry.key.span, **filled(fields, entry.value, COLUMN))
    return m.Column(entry.name, entry.key.span, type=fields.text(entry.value))


def _thing(fields: Fields, entry: Entry) -> m.Thing:
    given = entry.value.entries if isinstance(entry.value, MappingNode) else ()
    values = ((fact.name, fields.value(fact.value)) for fact in given if fact.name not in THING)
    facts = tuple((name, value) for name, value in values if value)
    return m.Thing(entry.name, entry.key.span, facts=facts, **filled(fields, entry.value, THING))


def _check_things(fields: Fields, entry: Entry) -> None:
    if not isinstance(entry.value, MappingNode):
        return
    given = [e.key for e in entry.value if e.name in _SOURCES_OF_THINGS]
    if len(given) > 1:
        message = f"the kind `{entry.name}` has both `{given[0].text}` and `{given[1].text}`"
        help = "keep the one that says what its things are"
        fields.report.add("RF304", message, given[1].span, help)
    if not given and entry.name != "game":
        help = "name them under `things`, or give their `count`, or a `grid`"
        fields.report.add("RF306", f"the kind `{entry.name}` has no things", entry.key.span, help)
    lines = entry.value.entry("lines")
    if lines and not entry.value.get("grid"):
        fields.report.add("RF306", "only the cells of a `grid` form lines", lines.key.span, "add a `grid`")
