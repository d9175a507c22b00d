"""Ruleset -> every effect text in it, with the printer of its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from ruleforge.diagnostics import Report
from ruleforge.dsl import from_text as read
from ruleforge.dsl import printer as show
from ruleforge.model import ruleset as m
from ruleforge.source.scalar_origin import SourceText

Printed = Callable[[SourceText], str | None]


def _form(parse: Callable[..., Any], display: Callable[[Any], str], *more: str) -> Printed:
    """Text -> canonical text; None where it cannot be read."""

    def printed(text: SourceText) -> str | None:
        node = parse(text, Report(), *more)
        return None if node is None else display(node)

    return printed


EXPR = _form(read.parse_expr, show.print_expr)
BLOCK = _form(read.parse_block, show.print_block)
BINDER = _form(read.parse_binder, show.print_binder)
PICKED = _form(read.parse_picked, show.print_picked, "x")
COLUMN = _form(read.parse_column, show.print_column)
TYPE = _form(read.parse_type, show.print_type)
PATTERN = _form(read.parse_pattern, show.print_pattern)

# Field of a model class -> how its text is read. What is not listed is a name or a value, not an effect.
FIELDS: dict[type, dict[str, Printed]] = {
    m.Column: {"type": COLUMN, "sees": EXPR},
    m.Place: {"of": TYPE, "sees": EXPR, "starts": EXPR},
    m.Formula: {"takes": TYPE, "value": EXPR, "sees": EXPR},
    m.Event: {"takes": TYPE, "needs": EXPR, "do": BLOCK},
    m.Action: {"choose": PICKED, "needs": EXPR, "holds": EXPR, "works": EXPR, "sees": EXPR, "cost": BLOCK, "do": BLOCK},
    m.Window: {"takes": TYPE},
    m.Rule: {
        "after": PATTERN, "instead_of": PATTERN, "forbid": PATTERN, "modify": PATTERN, "always": BINDER,
        "when": EXPR, "works": EXPR, "before": EXPR, "who": EXPR, "cost": BLOCK, "do": BLOCK,
        "add": EXPR, "set": EXPR, "remove": EXPR,
    },
    m.Kind: {"lasts": PATTERN, "controller": EXPR, "works": EXPR},
    m.Keyword: {"takes": TYPE, "works": EXPR},
    m.Phase: {
        "when": EXPR, "each": BINDER, "repeat": EXPR, "holds": EXPR, "sees": EXPR,
        "do": BLOCK, "stuck": BLOCK, "end": BLOCK,
    },
    m.Ending: {"when": EXPR, "winners": EXPR, "at": PATTERN},
    m.Invariant: {"that": EXPR},
    m.Check: {"each": BINDER, "that": EXPR},
    m.Ruleset: {"setup": BLOCK, "scores": EXPR},
}  # fmt: skip


def effect_texts(node: object) -> Iterator[tuple[SourceText, Printed]]:
    """Every effect text of a definition and of those inside it."""
    known = FIELDS.get(type(node), {})
    for field in fields(node) if is_dataclass(node) else ():
        value = getattr(node, field.name)
        if field.name in known:
            yield from ((text, known[field.name]) for text in _texts(value))
        elif isinstance(value, tuple):
            for item in value:
                if isinstance(item, m.Named):
                    yield from effect_texts(item)


def _texts(value: object) -> Iterator[SourceText]:
    """The texts of a field: one, several, or those of a mapping."""
    if isinstance(value, SourceText):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _texts(item[1] if isinstance(item, tuple) else item)
