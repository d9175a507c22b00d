"""Which field of the model holds which text: the one table of start symbols, and the walk over a ruleset by it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Literal, NamedTuple

from ruleforge.lang.model import ruleset as m
from ruleforge.lang.source.scalar_origin import SourceText

Start = Literal["block", "expr", "picked", "binder", "column", "type", "pattern"]

# Class of the model -> field -> how its text is read; of a field with pairs or a list, each text by itself.
FIELDS: Mapping[type, Mapping[str, Start]] = {
    m.Option: {"range": "type", "default": "expr"},
    m.NumberDef: {"value": "expr"},
    m.Column: {"type": "column", "sees": "expr"},
    m.Rule: {
        "after": "pattern", "instead_of": "pattern", "forbid": "pattern", "modify": "pattern",
        "always": "binder", "when": "expr", "works": "expr", "before": "expr", "who": "expr",
        "cost": "block", "do": "block", "add": "expr", "set": "expr", "remove": "expr",
    },
    m.Thing: {"facts": "expr", "keywords": "expr"},
    m.Kind: {
        "pool": "expr", "lasts": "pattern", "controller": "expr", "works": "expr", "trigger_order": "expr",
    },
    m.Keyword: {"kind": "type", "takes": "type", "works": "expr"},
    m.Place: {"of": "type", "holds": "type", "max": "expr", "sees": "expr", "starts": "expr"},
    m.Formula: {
        "takes": "type", "lets": "expr", "value": "expr", "sees": "expr", "each": "type", "sum": "type",
        "clamp": "type",
    },
    m.Event: {"takes": "type", "needs": "expr", "do": "block"},
    m.Action: {
        "choose": "picked", "needs": "expr", "works": "expr", "cost": "block", "do": "block",
        "holds": "expr", "sees": "expr",
    },
    m.Manner: {"needs": "expr", "works": "expr", "cost": "block", "holds": "expr", "sees": "expr"},
    m.Window: {"takes": "type"},
    m.Phase: {
        "when": "expr", "each": "binder", "repeat": "expr", "do": "block", "stuck": "block", "holds": "expr",
        "sees": "expr", "end": "block",
    },
    m.Ending: {"when": "expr", "winners": "expr", "at": "pattern"},
    m.Invariant: {"that": "expr"},
    m.Weight: {"value": "expr"},
    m.Check: {"each": "binder", "that": "expr"},
    m.Ruleset: {"setup": "block", "scores": "expr", "heuristic": "expr"},
}  # fmt: skip

# Texts that are no part of the effect language: names, and how often something may be used.
PLAIN: Mapping[type, frozenset[str]] = {
    m.Rule: frozenset({"limit"}),
    m.Action: frozenset({"limit", "during", "manner"}),
    m.Manner: frozenset({"limit", "during"}),
    m.Kind: frozenset({"product", "copies", "called"}),
    m.Position: frozenset({"of"}),
    m.Keyword: frozenset({"includes"}),
    m.Grid: frozenset({"without"}),
    m.Graph: frozenset({"links"}),
    m.Stretch: frozenset({"start", "to"}),
    m.Borders: frozenset({"of"}),
}

Definition = m.Named | m.Ruleset


class EffectText(NamedTuple):
    """A text and where it belongs: its definition, the field, and in a field of pairs the key it stands under."""

    definition: Definition
    field: str
    key: str | None
    start: Start
    source: SourceText


def effect_texts(definition: Definition) -> Iterator[EffectText]:
    """Every effect text of a definition and of those inside it, in the order of the model's fields."""
    table = FIELDS.get(type(definition), {})
    for field in fields(definition):
        value = getattr(definition, field.name)
        if field.name in table:
            start = table[field.name]
            yield from (EffectText(definition, field.name, key, start, text) for key, text in _texts(value))
        elif isinstance(value, tuple):
            for item in value:
                if isinstance(item, m.Thing) and isinstance(definition, m.Kind):
                    yield from _of_thing(item, definition)
                elif isinstance(item, m.Named):
                    yield from effect_texts(item)


def _of_thing(thing: m.Thing, kind: m.Kind) -> Iterator[EffectText]:
    """Under a name that is no fact stands something unknown, about which the name alone is complained."""
    known = {column.id for column in kind.facts}
    yield from (text for text in effect_texts(thing) if text.field != "facts" or text.key in known)


def _texts(value: object) -> Iterator[tuple[str | None, SourceText]]:
    if isinstance(value, SourceText):
        yield None, value
    elif isinstance(value, tuple):
        for item in value:
            if isinstance(item, tuple):
                yield item
            elif isinstance(item, SourceText):
                yield None, item
