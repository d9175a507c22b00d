"""Shared parts of declarations: small texts, new names, facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.constants import type_of
from ruleforge.lang.checker.expressions.checker import Expressions
from ruleforge.lang.checker.holders import report_taken
from ruleforge.lang.checker.symbols import Symbols
from ruleforge.lang.checker.types import ERROR, NumberT, SetT, Type
from ruleforge.lang.model import ruleset as m
from ruleforge.lang.parser import nodes as n
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.diagnostics import NOWHERE, Span

D = TypeVar("D", bound=m.Named)


class Declaring:
    """Fills the symbol tables from the model; one subclass for each group of tables."""

    def __init__(self, ruleset: m.Ruleset, symbols: Symbols, expressions: Expressions) -> None:
        self.ruleset = ruleset
        self.symbols = symbols
        self.expressions = expressions

    def add(self, kind: t.Kind) -> None:
        taken = self.symbols.kinds.get(kind.name) or self.symbols.plurals.get(kind.plural)
        if taken:
            self.symbols.error("RF505", f"there is already a kind `{taken.name}`", kind.span)
            self.symbols.lost(kind.name, kind.plural, *kind.things)
            return
        self.symbols.add_kind(kind)

    def fact(self, kind: t.Kind, name: str, type: Type, values: Iterable[int | tuple[int, ...]]) -> t.Column:
        column = t.Column(name, kind, type, kind.span, constant=True, values=tuple(values))
        self.symbols.columns[kind.name, name] = column
        return column

    def kind_text(self, text: SourceText | None) -> t.Kind | None:
        node = self.symbols.parsed.type(text) if text else None
        if isinstance(node, n.KindType) and not node.optional:
            return self.symbols.kind_named(node.kind, node.span)
        if node is not None:
            self.symbols.error("RF502", "expected the name of a kind here", node.span)
        return None

    def parameter(self, name: str, type: Type, span: Span = NOWHERE) -> t.Variable:
        return t.Variable(name, type, span)

    def parameters(self, takes: tuple[tuple[str, SourceText], ...]) -> tuple[t.Variable, ...]:
        found = []
        for name, text in takes:
            node = self.symbols.parsed.type(text)
            type = type_of(node, self.symbols) if node else ERROR
            found.append(self.parameter(name, type, text.span))
        return tuple(found)

    def expr(self, text: SourceText | None) -> n.Expr | None:
        return self.symbols.parsed.expr(text) if text else None

    def whole(self, definitions: tuple[D, ...]) -> Iterator[D]:
        """Those that could be read whole; of the others only the name is known."""
        for definition in definitions:
            if self.symbols.error_nodes.damage(definition.span):
                self.symbols.lost(definition.id)
            else:
                yield definition

    def fresh(self, name: str, span: Span) -> None:
        if self.symbols.taken(name):
            report_taken(self.symbols, name, span)
            self.symbols.numbers.pop(name, None)  # so that what is said of the other one is understood

    def bounds(self, text: SourceText | None) -> tuple[int, int] | None:
        """A limit of modifiers, written as a range."""
        node = self.symbols.parsed.type(text) if text else None
        type = type_of(node, self.symbols) if node else None
        if isinstance(type, NumberT):
            return type.low, type.high
        if node is not None and type != ERROR:
            self.symbols.error("RF502", "expected a range here", node.span, "write `0..20`")
        return None


def zero(type: Type) -> int | tuple[int, ...]:
    match type:
        case SetT():
            return ()
        case NumberT(low=low, high=high):
            return min(max(0, low), high)
    return 0
