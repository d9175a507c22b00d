"""Describes the definition that already has a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.support.diagnostics import Span

if TYPE_CHECKING:
    from ruleforge.lang.checker.symbols import Symbols

Note = tuple[str, Span]


def holder(symbols: Symbols, name: str) -> tuple[str, Span | None]:
    """The present meaning of a name that is taken."""
    for sort, table in (
        ("a formula", symbols.formula_heads),
        ("an event", symbols.event_heads),
        ("a kind", symbols.kinds),
        ("a place", symbols.places),
    ):
        if name in table:
            return sort, table[name].span
    if name in symbols.plurals:
        kind = symbols.plurals[name]
        return f"all things of the kind `{kind.name}`", kind.span
    if name in symbols.things:
        kind, _ = symbols.things[name][0]
        return f"a thing of the kind `{kind.name}`", kind.spans.get(name)
    if name in symbols.numbers:
        return "a number", symbols.number_spans.get(name)
    return "a word of the language", None


def report_taken(symbols: Symbols, name: str, span: Span) -> None:
    what, where = holder(symbols, name)
    notes: tuple[Note, ...] = (("it is declared", where),) if where is not None else ()
    symbols.report.add("RF505", f"`{name}` already names {what}", span, "choose another name", notes)
