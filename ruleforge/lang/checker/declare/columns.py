"""Numbers, options, attributes, facts and places."""

from __future__ import annotations

from math import prod

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.constants import constant_number, constant_value, type_of
from ruleforge.lang.checker.declare.base import Declaring
from ruleforge.lang.checker.declare.facts import Facts, Head
from ruleforge.lang.checker.expressions.checker import Expressions
from ruleforge.lang.checker.names import last_word
from ruleforge.lang.checker.symbols import Symbols
from ruleforge.lang.checker.typed.own_columns import EXISTS
from ruleforge.lang.checker.types import ERROR, FLAG, NumberT, ThingT, Type
from ruleforge.lang.model import ruleset as m
from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser.depth import all_nodes
from ruleforge.support.diagnostics import NOWHERE

Indices = tuple[tuple[str, t.Kind], ...]


class Columns(Declaring):
    def __init__(self, ruleset: m.Ruleset, symbols: Symbols, expressions: Expressions) -> None:
        super().__init__(ruleset, symbols, expressions)
        self._written: dict[str, n.Expr | None] = {}  # numbers as they are read

    def declare_plain_numbers(self) -> None:
        """Numbers that count no things: how many things there are may depend on them, by the outline of a board."""
        for number in self.whole(self.ruleset.numbers):
            node = self._written[number.id] = self.expr(number.value)
            names = [part.id for part in all_nodes(node) if isinstance(part, n.Name)] if node else [""]
            if all(name in self.symbols.numbers for name in names):
                self._number(number, node)

    def declare_numbers(self) -> None:
        """The other numbers, which sizes of pools may depend on; whether their names are free is asked later."""
        for number in self.whole(self.ruleset.numbers):
            if number.id not in self.symbols.numbers:
                self._number(number, self._written[number.id])

    def _number(self, number: m.NumberDef, node: n.Expr | None) -> None:
        value = constant_number(node, self.symbols) if node else None
        self.symbols.numbers[number.id] = 0 if value is None else value
        self.symbols.number_spans[number.id] = number.span

    def declare_options(self) -> None:
        for number in self.whole(self.ruleset.numbers):
            value = self.symbols.numbers.pop(number.id)
            self.fresh(number.id, number.span)
            self.symbols.numbers[number.id] = value
        self._options()

    def declare(self) -> None:
        self.symbols.room.room_for_limits(self.ruleset.limits, self.ruleset.span)
        for kind in self.ruleset.kinds:
            self._columns(kind)
        self._places()

    def _options(self) -> None:
        for option in self.whole(self.ruleset.options):
            kind = None
            type: Type
            if option.values:
                kind = t.Kind(f"{option.id}_option", f"{option.id}_options", option.values, option.span)
                self.add(kind)
                type = ThingT(kind.name)
            else:
                node = self.symbols.parsed.type(option.range) if option.range else None
                type = type_of(node, self.symbols) if node else FLAG
            start = self.expr(option.default)
            if kind is not None and isinstance(start, n.Name) and start.id not in option.values:
                self.symbols.unknown(f"value of `{option.id}`", start.id, start.span, option.values)
                start = None
            value = constant_value(start, type, self.symbols) if start and type != ERROR else 0
            self.symbols.options[option.id] = t.Option(
                option.id,
                type,
                value if isinstance(value, int) else 0,
                option.span,
                kind,
                option.text or "",
                option.settled_by,
            )

    def _columns(self, kind: m.Kind) -> None:
        owner = self.symbols.kinds.get(kind.id)
        if owner is None:
            return
        for column in self.whole(kind.facts):
            self._fact(owner, column, kind)
        self._unknown_facts(kind)
        for column in self.whole(kind.has):
            self._attribute(owner, column)
        if owner.pool:
            exists = t.Column(EXISTS, owner, FLAG, owner.span, start=t.Constant(NOWHERE, FLAG, 0))
            self.symbols.columns[owner.name, EXISTS] = exists

    def _fact(self, kind: t.Kind, column: m.Column, source: m.Kind) -> None:
        if self._is_taken(kind, column):
            return
        node, type, per = self._type(column)
        room, entries = self.symbols.room, prod((kind.size, *(each.size for each in per)))
        if not room.room_for_table(entries, f"`{column.id}`", column.span):
            self.symbols.lost(column.id)
            return
        head, made = Head(column.id, type, per, column.span, node.start if node else None), room.made(source)
        self.symbols.columns[kind.name, column.id] = t.Column(
            column.id,
            kind,
            type,
            column.span,
            per,
            constant=True,
            values=Facts(self.ruleset, self.symbols, self.expressions).values(head, kind, made),
            text=column.text or "",
            clauses=column.cites,
        )

    def _attribute(self, kind: t.Kind, column: m.Column) -> None:
        if self._is_taken(kind, column):
            return
        node, type, per = self._type(column)
        room = self.symbols.room
        if not room.room_for_column(kind, per, room.words(type, self.symbols.kinds), column.id, column.span):
            self.symbols.lost(column.id)
            return
        self.symbols.columns[kind.name, column.id] = t.Column(
            column.id,
            kind,
            type,
            column.span,
            per,
            start=self._start(node, type),
            hidden=column.sees is not None,
            resets=column.resets,
            capped=column.capped,
            text=column.text or "",
            clauses=column.cites,
        )

    def _is_taken(self, kind: t.Kind, column: m.Column) -> bool:
        taken = (kind.name, column.id) in self.symbols.columns or (kind.pool and column.id == EXISTS)
        if not taken:
            return False
        first = self.symbols.columns.get((kind.name, column.id))
        notes = (("it is declared", first.span),) if first else ()
        message = f"`{kind.name}` already has `{column.id}`"
        self.symbols.report.add("RF505", message, column.span, "choose another name", notes)
        return True

    def _type(self, column: m.Column) -> tuple[n.ColumnType | None, Type, tuple[t.Kind, ...]]:
        """The written type, the resolved type, and the kinds of the indices."""
        node = self.symbols.parsed.column(column.type) if column.type else None
        if node is None:
            self.symbols.lost(column.id)
            return None, ERROR, ()
        per = tuple(k for p in node.per if (k := self.symbols.kind_named(p, node.span)))
        type = type_of(node.type, self.symbols)
        if type == ERROR or len(per) < len(node.per):
            self.symbols.lost(column.id)
        return node, type, per

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

    def _unknown_facts(self, kind: m.Kind) -> None:
        known = [c.id for c in kind.facts]
        for thing in kind.things:
            for name, text in thing.facts:
                if name not in known:
                    self.symbols.unknown(f"fact of `{kind.id}`", name, text.span, known)

    def _places(self) -> None:
        for place in self.whole(self.ruleset.places):
            self.fresh(place.id, place.span)
            holds = self.kind_text(place.holds)
            of = tuple((name, k) for name, text in place.of if (k := self.kind_text(text)))
            if holds is None or len(of) < len(place.of):
                self.symbols.lost(place.id, *(name for name, _ in place.of))
                continue
            self._hides_attribute(place, of)
            most = self.expr(place.max)
            room = self._room(most, of)
            limit = constant_number(most, self.symbols) if most and not room else None
            declared = t.Place(
                place.id,
                of,
                holds,
                None if limit is None else t.Constant(place.span, NumberT(limit, limit), limit),
                place.ordered,
                place.span,
                single=limit == 1 and not place.ordered,
                hidden=place.sees is not None,
                text=place.text or "",
                clauses=place.cites,
                room=room,
            )
            if self.symbols.room.room_for_place(declared):
                self.symbols.places[place.id] = declared
            else:
                self.symbols.lost(place.id, *(name for name, _ in place.of))

    def _hides_attribute(self, place: m.Place, of: Indices) -> None:
        """`me.hand` cannot be both; what lies there is meant more often, and taken for meant."""
        owner = of[0][1].name if of else ""
        column = self.symbols.columns.get((owner, place.id))
        if column is not None:
            sort = "a fact" if column.constant else "an attribute"
            message = f"`{place.id}` already names {sort} of `{owner}`"
            notes = (("it is declared", column.span),)
            self.symbols.report.add(
                "RF505", message, place.span, "choose another name for one of them", notes
            )
            del self.symbols.columns[owner, place.id]

    def _room(self, most: n.Expr | None, of: Indices) -> tuple[int, t.Column] | None:
        """`max: site.room`: each container has as much room as the thing it belongs to says."""
        names = [name for name, _ in of]
        match most:
            case n.Attribute(of=n.Name(id=index), name=fact, index=()) if index in names:
                number = names.index(index)
                column = self.symbols.columns.get((of[number][1].name, fact))
                if column and column.constant and not column.per and isinstance(column.type, NumberT):
                    self.symbols.uses.name("fact", fact, last_word(most.span, fact), column.kind.name)
                    return number, column
        return None
