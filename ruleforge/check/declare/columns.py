"""Numbers, options, attributes and facts with their values, places."""

from __future__ import annotations

from ruleforge.check import typed as t
from ruleforge.check.constants import constant_number, constant_value
from ruleforge.check.declare.base import Declaring, zero
from ruleforge.check.types import ERROR, FLAG, ErrorT, NumberT, ThingT, Type
from ruleforge.diagnostics import NOWHERE
from ruleforge.dsl import nodes as n
from ruleforge.model import ruleset as m
from ruleforge.source.scalar_origin import SourceText


class Columns(Declaring):
    def declare_numbers(self) -> None:
        self._numbers()
        self._options()

    def declare(self) -> None:
        for kind in self.ruleset.kinds:
            self._columns(kind)
        for kind in self.ruleset.kinds:
            self._fact_values(kind)
        self._places()

    def _numbers(self) -> None:
        for number in self.ruleset.numbers:
            self.fresh(number.id, number.span)
            node = self.expr(number.value)
            value = constant_number(node, self.symbols) if node else None
            self.symbols.numbers[number.id] = 0 if value is None else value

    def _options(self) -> None:
        for option in self.ruleset.options:
            kind = None
            type: Type
            if option.values:
                kind = t.Kind(f"{option.id}_option", f"{option.id}_options", list(option.values), option.span)
                self.add(kind)
                type = ThingT(kind.name)
            else:
                node = self.symbols.parsed.type(option.range) if option.range else None
                type = self.symbols.type_of(node) if node else FLAG
            start = self.expr(option.default)
            value = constant_value(start, type, self.symbols) if start and type != ERROR else 0
            self.symbols.options[option.id] = t.Option(
                option.id, type, value if isinstance(value, int) else 0, option.span, kind, option.text or ""
            )

    def _columns(self, kind: m.Kind) -> None:
        owner = self.symbols.kinds.get(kind.id)
        if owner is None:
            return
        for column in kind.facts:
            self._column(owner, column, True)
        for column in kind.has:
            self._column(owner, column, False)
        if owner.pool:
            exists = t.Column("exists", owner, FLAG, owner.span, start=t.Constant(NOWHERE, FLAG, 0))
            self.symbols.columns[owner.name, "exists"] = exists

    def _column(self, kind: t.Kind, column: m.Column, constant: bool) -> None:
        known = self.symbols.columns.get((kind.name, column.id))
        if known:
            self.symbols.error("RF505", f"`{kind.name}` already has `{column.id}`", column.span)
            return
        node = self.symbols.parsed.column(column.type) if column.type else None
        type = self.symbols.type_of(node.type) if node else ERROR
        per = tuple(k for p in (node.per if node else ()) if (k := self.symbols.kind_named(p, column.span)))
        typed = t.Column(column.id, kind, type, column.span, per, constant)
        typed.capped, typed.resets = column.capped, column.resets
        typed.text, typed.clauses = column.text or "", column.cites
        typed.start = self._start(node, type)
        self.symbols.columns[kind.name, column.id] = typed

    def _start(self, node: n.ColumnType | None, type: Type) -> t.Expr | None:
        """The start value: as written, else the natural zero of the type."""
        if node is not None and node.start is not None and type != ERROR:
            value = constant_value(node.start, type, self.symbols)
            if isinstance(value, tuple):
                members = tuple(t.Constant(node.start.span, ThingT(type.kind), i) for i in value)  # type: ignore[union-attr]
                return t.SetOf(node.start.span, type, members)
            return t.Constant(node.start.span, type, value or 0)
        match type:
            case NumberT(low=low, high=high):
                return t.Constant(NOWHERE, type, min(max(0, low), high))
            case ThingT(optional=False):
                return t.Constant(NOWHERE, type, 1)
        return t.Constant(NOWHERE, type, 0)

    def _fact_values(self, kind: m.Kind) -> None:
        owner = self.symbols.kinds.get(kind.id)
        if owner is None:
            return
        facts = {c.id: self.symbols.columns[owner.name, c.id] for c in kind.facts}
        for thing in kind.things:
            given = dict(thing.facts)
            for name, text in given.items():
                if name not in facts:
                    self.symbols.unknown(f"fact of `{kind.id}`", name, text.span, list(facts))
            for column in facts.values():
                value = self._fact_value(thing, column, given.get(column.name))
                column.values += [value] * thing.copies
        for column in facts.values():
            column.values += [zero(column.type)] * (owner.size - len(column.values))

    def _fact_value(self, thing: m.Thing, column: t.Column, text: SourceText | None) -> int | tuple[int, ...]:
        if isinstance(column.type, ErrorT):
            return 0
        if text is None:
            if isinstance(column.type, ThingT) and not column.type.optional:
                self.symbols.error("RF501", f"`{thing.id}` lacks the fact `{column.name}`", thing.span)
            return zero(column.type)
        node = self.expr(text)
        value = constant_value(node, column.type, self.symbols) if node else None
        return zero(column.type) if value is None else value

    def _places(self) -> None:
        for place in self.ruleset.places:
            self.fresh(place.id, place.span)
            holds = self.kind_text(place.holds)
            of = tuple((name, k) for name, text in place.of if (k := self.kind_text(text)))
            if holds is None or len(of) < len(place.of):
                continue
            most = self.expr(place.max)
            limit = constant_number(most, self.symbols) if most else None
            typed = t.Place(place.id, of, holds, None, place.ordered, place.span)
            typed.max = None if limit is None else t.Constant(place.span, NumberT(limit, limit), limit)
            typed.single = limit == 1 and not place.ordered
            typed.text, typed.clauses = place.text or "", place.cites
            self.symbols.places[place.id] = typed
