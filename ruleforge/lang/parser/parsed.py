"""Parses every effect text of a ruleset once, with its definition and field."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, cast

from ruleforge.lang.model import ruleset as m
from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser.text_parser import parse_picked, parse_text
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.diagnostics import Diagnostic, Report, Span
from ruleforge.support.records import dataclass

Shape = tuple[str, str | None, str, tuple[tuple[int, int], ...]]
Start = Literal["block", "expr", "picked", "binder", "column", "type", "pattern"]
# Class of the model -> field -> the parser of its text; for pairs or a list, each text by itself.
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


@dataclass(frozen=True, slots=True)
class ParsedText:
    """One text with its tree; a text with a mistake has the mistake instead."""

    text: EffectText
    node: n.Node | None
    mistake: Diagnostic | None = None

    @property
    def source(self) -> SourceText:
        return self.text.source


@dataclass(frozen=True, slots=True)
class Parsed:
    """All texts in the order of the model; a text is looked up by itself, as its place is part of it."""

    texts: Mapping[SourceText, ParsedText]

    def expr(self, text: SourceText) -> n.Expr | None:
        return cast("n.Expr | None", self.texts[text].node)

    def block(self, text: SourceText) -> n.Block | None:
        return cast("n.Block | None", self.texts[text].node)

    def binder(self, text: SourceText) -> n.Binder | None:
        return cast("n.Binder | None", self.texts[text].node)

    def picked(self, text: SourceText) -> n.Binder | n.Several | None:
        return cast("n.Binder | n.Several | None", self.texts[text].node)

    def column(self, text: SourceText) -> n.ColumnType | None:
        return cast("n.ColumnType | None", self.texts[text].node)

    def type(self, text: SourceText) -> n.Type | None:
        return cast("n.Type | None", self.texts[text].node)

    def pattern(self, text: SourceText) -> n.Pattern | None:
        return cast("n.Pattern | None", self.texts[text].node)


def parse(ruleset: m.Ruleset, report: Report, before: Parsed | None = None) -> Parsed:
    """Read all texts; those that stand where they stood `before` an edit are not read again."""
    known = before.texts if before else {}
    found: dict[SourceText, ParsedText] = {}
    first: dict[Shape, ParsedText] = {}
    reported = {d.span for d in report}
    for text in effect_texts(ruleset):
        old = known.get(text.source)
        if old is not None and (old.text.start, old.text.key) == (text.start, text.key):
            read = replace(old, text=text)
        else:
            first = first or _shapes(known.values())
            read = _read(text, first)
        found[text.source] = read
        if text.source.span in reported or read.mistake is None:
            continue
        if not _is_misnamed(read, ruleset.error_nodes.misnamed):
            report.include(read.mistake)
    return Parsed(MappingProxyType(found))


def _shapes(known: Iterable[ParsedText]) -> dict[Shape, ParsedText]:
    """The texts parsed before an edit, by shape: a text that only moved is not parsed again."""
    read = ((shape_of(text.text), text) for text in known if text.node is not None)
    return {shape: text for shape, text in read if shape is not None}


def _read(text: EffectText, first: dict[Shape, ParsedText]) -> ParsedText:
    """A text by itself, or, where one of its shape was read without a mistake, that one at another place."""
    shape = shape_of(text)
    if shape is None:
        return _read_alone(text)
    like = first.get(shape)
    if like is None or like.node is None:
        first[shape] = read = _read_alone(text)
        return read
    return ParsedText(text, moved(like.node, like.source, text.source))


def _read_alone(text: EffectText) -> ParsedText:
    report = Report()
    if not text.source.starts:
        return ParsedText(text, None)
    if text.start == "picked":
        node: n.Node | None = parse_picked(text.source, report, text.key or "")
    else:
        node = parse_text(text.start, text.source, report)
    return ParsedText(text, node, next(iter(report), None))


def _is_misnamed(read: ParsedText, misnamed: frozenset[str]) -> bool:
    """Whether the parser stops at an invalid name whose declaration was reported."""
    return bool(misnamed) and any(
        re.search(rf"\b{re.escape(word)}\b", line) for line in _lines_of(read) for word in sorted(misnamed)
    )


def _lines_of(read: ParsedText) -> list[str]:
    """The lines of a text on which its mistake is."""
    assert read.mistake is not None
    first = read.mistake.span.line - read.source.starts[0][0]
    last = read.mistake.span.end_line - read.source.starts[0][0]
    return read.source.text.split("\n")[max(first, 0) : last + 1]


# A text that was parsed before, elsewhere: the same tree with the places of this one. Many cards have the
# same text. A copy of a tree costs a fraction of a parse.


def shape_of(text: EffectText) -> Shape | None:
    """Texts of one shape differ only by where they begin; None: places inside this one do not follow from that."""
    source = text.source
    breaks = source.text.count("\n")
    if source.folds or breaks >= len(source.starts):
        return None
    key = text.key if text.start == "picked" else None
    if not breaks:
        return (text.start, key, source.text, ())
    first = source.starts[0][0]
    return (text.start, key, source.text, tuple((line - first, column) for line, column in source.starts))


def moved(node: n.Node, old: SourceText, new: SourceText) -> n.Node:
    """The tree of a text for another one of the same shape."""
    (old_line, old_column), (line, column) = old.starts[0], new.starts[0]
    return _moved(node, new.span.file, line - old_line, column - old_column)  # type: ignore[no-any-return]


_FIELDS: dict[type, tuple[str, ...] | None] = {}  # of a node without its span; None: not a node


def _moved(value: Any, file: str, lines: int, columns: int) -> Any:
    kind = type(value)
    if kind is tuple:
        return tuple([_moved(item, file, lines, columns) for item in value])
    names = _FIELDS[kind] if kind in _FIELDS else _fields_of(kind)
    if names is None:
        return value
    _, line, column, end_line, end_column = value.span
    span = Span(file, line + lines, column + columns, end_line + lines, end_column + columns)
    return kind(span, *[_moved(getattr(value, name), file, lines, columns) for name in names])


def _fields_of(kind: type) -> tuple[str, ...] | None:
    names = tuple(f.name for f in fields(kind) if f.name != "span") if issubclass(kind, n.Node) else None
    _FIELDS[kind] = names
    return names


# Which field of the model holds which text: the one table of start symbols, and the walk over a ruleset by
# it.


class EffectText(NamedTuple):
    """A text with its definition, its field, and in a field of pairs its key."""

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
    """Under a name that is no fact stands something unknown, about which the name alone is reported."""
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
