"""Declarations: kinds, columns, places and the signatures of formulas and events -> symbols."""

from __future__ import annotations

from ruleforge.check import typed as t
from ruleforge.check.constants import constant_number, constant_value
from ruleforge.check.expressions import Expressions
from ruleforge.check.geometry import (
    DIRECTIONS,
    RING_DIRECTIONS,
    cell_name,
    cells_of,
    geometry_of,
    graph_of,
    lines_of,
    rings_of,
)
from ruleforge.check.scope import Scope
from ruleforge.check.symbols import Symbols
from ruleforge.check.types import ERROR, FLAG, NOTHING, ErrorT, NumberT, SetT, ThingT, Type
from ruleforge.diagnostics import NOWHERE, Span
from ruleforge.dsl import nodes as n
from ruleforge.dsl.from_text import parse_column, parse_expr, parse_type
from ruleforge.model import ruleset as m
from ruleforge.source.scalar_origin import SourceText


class Declarations:
    """Fills the symbol tables in the order in which one table needs another."""

    def __init__(self, ruleset: m.Ruleset, symbols: Symbols) -> None:
        self.ruleset = ruleset
        self.symbols = symbols
        self.expressions = Expressions(symbols)

    def declare(self) -> None:
        self._kinds()
        self._numbers()
        self._options()
        self._facts_of_boards()
        for kind in self.ruleset.kinds:
            self._columns(kind)
        for kind in self.ruleset.kinds:
            self._fact_values(kind)
        self._places()
        self._keywords()
        self._endings()
        self._signatures()
        self._windows()

    # --- kinds ---

    def _kinds(self) -> None:
        self.symbols.two_players = self.ruleset.players == (2, 2)
        for kind in sorted(self.ruleset.kinds, key=lambda k: k.id != "player"):
            self._kind(kind)
        if "player" not in self.symbols.kinds:
            self.symbols.error(
                "RF501",
                "the kind `player` is missing",
                self.ruleset.span,
                "list the seats in `kinds: player: things:`",
            )
        elif self.symbols.kinds["player"].size < self.ruleset.players[1]:
            seats = self.symbols.kinds["player"]
            self.symbols.error(
                "RF508", f"{seats.size} seats for up to {self.ruleset.players[1]} players", seats.span
            )
        if "game" not in self.symbols.kinds:
            self._add(t.Kind("game", "games", ["game"], NOWHERE))
        directions = self._directions()
        if directions:
            self._add(t.Kind("direction", "directions", directions, NOWHERE))
        if self.ruleset.keywords:
            names = [k.id for k in self.ruleset.keywords]
            self._add(t.Kind("keyword", "keywords", names, NOWHERE))

    def _directions(self) -> list[str]:
        """All directions that the boards of this ruleset know."""
        used = {name for g in self.symbols.geometry.values() for name in g.steps}
        known = [*DIRECTIONS, *RING_DIRECTIONS]
        return [d for d in known if d in used] + sorted(used - set(known))

    def _kind(self, kind: m.Kind) -> None:
        names, titles = self._things(kind)
        typed = t.Kind(
            kind.id, kind.plural, names, kind.span, titles, kind.id == "player", kind.pool is not None
        )
        self._add(typed)
        if kind.grid:
            self._board(kind, kind.grid, typed)
        if kind.rings:
            self.symbols.geometry[kind.id] = rings_of(typed, kind.rings)
        if kind.graph:
            links = {name: [o.text.strip() for o in others] for name, others in kind.graph.links}
            self.symbols.geometry[kind.id] = graph_of(typed, links, kind.graph.one_way)

    def _add(self, kind: t.Kind) -> None:
        taken = self.symbols.kinds.get(kind.name) or self.symbols.plurals.get(kind.plural)
        if taken:
            self.symbols.error("RF505", f"there is already a kind `{taken.name}`", kind.span)
            return
        self.symbols.add_kind(kind)

    def _things(self, kind: m.Kind) -> tuple[list[str], dict[str, str]]:
        if kind.id == "game":
            return ["game"], {}
        if kind.grid:
            without = frozenset(w.text.strip() for w in kind.grid.without)
            cells = cells_of(kind.grid.columns, kind.grid.rows, without)
            return [cell_name(c, r) for c, r in cells], {}
        if kind.rings:
            return [f"r{r}s{s}" for r, size in enumerate(kind.rings, start=1) for s in range(size)], {}
        if kind.graph:
            named = [name for name, _ in kind.graph.links]
            linked = [o.text.strip() for _, others in kind.graph.links for o in others]
            return list(dict.fromkeys(named + linked)), {}
        if kind.pool is not None:
            node = self._expr(kind.pool)
            size = constant_number(node, self.symbols) if node else None
            return [f"{kind.id}_{i}" for i in range(1, (size or 0) + 1)], {}
        names: list[str] = []
        titles: dict[str, str] = {}
        for thing in kind.things:
            for copy in range(1, thing.copies + 1):
                name = thing.id if thing.copies == 1 else f"{thing.id}_{copy}"
                names.append(name)
                titles[name] = thing.title or thing.id
        names += [f"{kind.id}_{i}" for i in range(1, (kind.count or 0) + 1)]
        return names, titles

    def _board(self, kind: m.Kind, grid: m.Grid, typed: t.Kind) -> None:
        without = frozenset(w.text.strip() for w in grid.without)
        cells = cells_of(grid.columns, grid.rows, without)
        for hole in grid.without:
            everywhere = {cell_name(c, r) for c, r in cells_of(grid.columns, grid.rows, frozenset())}
            if hole.text.strip() not in everywhere:
                self.symbols.unknown("cell", hole.text.strip(), hole.span, sorted(everywhere))
        geometry = geometry_of(
            typed,
            grid.shape,
            grid.columns,
            grid.rows,
            cells,
            {name: (x, y) for name, x, y, _ in grid.leaps},
            grid.first_row == "north",
        )
        self.symbols.geometry[kind.id] = geometry
        for name, length, span in kind.lines:
            lines = lines_of(geometry, length)
            names = [f"{name}_{i}" for i in range(1, len(lines) + 1)]
            line_kind = t.Kind(name, f"{name}s", names, span)
            self._add(line_kind)
            self._fact(line_kind, kind.plural, SetT(kind.id), list(lines))
            through = [
                tuple(i for i, line in enumerate(lines, 1) if c in line) for c in range(1, len(cells) + 1)
            ]
            self._fact(typed, f"{name}s", SetT(name), list(through))

    def _fact(self, kind: t.Kind, name: str, type: Type, values: list[int | tuple[int, ...]]) -> None:
        column = t.Column(name, kind, type, kind.span, constant=True, values=values)
        self.symbols.columns[kind.name, name] = column

    def _facts_of_boards(self) -> None:
        for geometry in self.symbols.geometry.values():
            kind = geometry.kind
            first = [c for c, _ in geometry.cells]
            second = [r for _, r in geometry.cells]
            if geometry.shape == "rings":
                sizes = [sum(1 for r, _ in geometry.cells if r == ring) for ring in first]
                self._fact(kind, "ring", NumberT(1, geometry.columns), list(first))
                self._fact(kind, "sector", NumberT(0, geometry.rows - 1), list(second))
                self._fact(kind, "sectors", NumberT(1, geometry.rows), list(sizes))
            elif geometry.cells:
                self._fact(kind, "column", NumberT(1, geometry.columns), list(first))
                self._fact(kind, "row", NumberT(1, geometry.rows), list(second))
            for direction in geometry.steps:
                self._fact(kind, direction, ThingT(kind.name, True), list(geometry.steps[direction]))

    # --- numbers and options ---

    def _numbers(self) -> None:
        for number in self.ruleset.numbers:
            self._fresh(number.id, number.span)
            node = self._expr(number.value)
            value = constant_number(node, self.symbols) if node else None
            self.symbols.numbers[number.id] = 0 if value is None else value

    def _options(self) -> None:
        for option in self.ruleset.options:
            kind = None
            type: Type
            if option.values:
                kind = t.Kind(f"{option.id}_option", f"{option.id}_options", list(option.values), option.span)
                self._add(kind)
                type = ThingT(kind.name)
            else:
                node = parse_type(option.range, self.symbols.report) if option.range else None
                type = self.symbols.type_of(node) if node else FLAG
            start = self._expr(option.default)
            value = constant_value(start, type, self.symbols) if start and type != ERROR else 0
            self.symbols.options[option.id] = t.Option(
                option.id, type, value if isinstance(value, int) else 0, option.span, kind, option.text or ""
            )

    # --- columns ---

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
        node = parse_column(column.type, self.symbols.report) if column.type else None
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
            column.values += [_zero(column.type)] * (owner.size - len(column.values))

    def _fact_value(self, thing: m.Thing, column: t.Column, text: SourceText | None) -> int | tuple[int, ...]:
        if isinstance(column.type, ErrorT):
            return 0
        if text is None:
            if isinstance(column.type, ThingT) and not column.type.optional:
                self.symbols.error("RF501", f"`{thing.id}` lacks the fact `{column.name}`", thing.span)
            return _zero(column.type)
        node = self._expr(text)
        value = constant_value(node, column.type, self.symbols) if node else None
        return _zero(column.type) if value is None else value

    # --- places, endings, signatures ---

    def _places(self) -> None:
        for place in self.ruleset.places:
            self._fresh(place.id, place.span)
            holds = self._kind_text(place.holds)
            of = tuple((name, k) for name, text in place.of if (k := self._kind_text(text)))
            if holds is None or len(of) < len(place.of):
                continue
            most = self._expr(place.max)
            limit = constant_number(most, self.symbols) if most else None
            typed = t.Place(place.id, of, holds, None, place.ordered, place.span)
            typed.max = None if limit is None else t.Constant(place.span, NumberT(limit, limit), limit)
            typed.single = limit == 1 and not place.ordered
            typed.text, typed.clauses = place.text or "", place.cites
            self.symbols.places[place.id] = typed

    def _kind_text(self, text: SourceText | None) -> t.Kind | None:
        node = parse_type(text, self.symbols.report) if text else None
        if isinstance(node, n.KindType) and not node.optional:
            return self.symbols.kind_named(node.kind, node.span)
        if node is not None:
            self.symbols.error("RF502", "the name of a kind is wanted here", node.span)
        return None

    def visibility(self) -> None:
        """`sees` may speak of anything declared, so it comes after all tables are filled."""
        for kind in self.ruleset.kinds:
            for column in kind.has:
                if column.sees is not None:
                    typed = self.symbols.columns[kind.id, column.id]
                    index = tuple(self._parameter(k.name, ThingT(k.name)) for k in typed.per)
                    typed.sees = self._visibility(column.sees, ThingT(kind.id), index)
        for kind in self.ruleset.kinds:
            self._about_kind(kind)
        for keyword in self.ruleset.keywords:
            if keyword.works is not None and keyword.id in self.symbols.keywords:
                typed_keyword = self.symbols.keywords[keyword.id]
                typed_keyword.works = self._about(keyword.works, typed_keyword.kind, FLAG, "`works`")
        for place in self.ruleset.places:
            found = self.symbols.places.get(place.id)
            if found and place.sees is not None:
                index = tuple(self._parameter(name, ThingT(k.name)) for name, k in found.of)
                found.sees = self._visibility(place.sees, ThingT(found.holds.name), index)
            if found and place.starts is not None and (node := self._expr(place.starts)):
                found.starts = self.expressions.wanted(node, Scope(), SetT(found.holds.name), "`starts`")

    def _about_kind(self, source: m.Kind) -> None:
        kind = self.symbols.kinds.get(source.id)
        if kind is None:
            return
        if source.controller is not None:
            kind.controller = self._about(source.controller, kind, ThingT("player"), "`controller`")
        else:
            kind.controller = self._owner(kind)
        if source.works is not None:
            kind.works = self._about(source.works, kind, FLAG, "`works`")
        if source.trigger_order is not None and source.trigger_order.text.strip() == "chosen":
            kind.triggers_chosen = True
            if kind.controller is None:
                self.symbols.error(
                    "RF506",
                    f"nobody controls a `{kind.name}`, so nobody can choose",
                    source.trigger_order.span,
                )
        elif source.trigger_order is not None:
            kind.trigger_order = self._about(source.trigger_order, kind, NumberT(0, 0), "`trigger_order`")

    def _owner(self, kind: t.Kind) -> t.About | None:
        """Things with an `owner` are controlled by it; a player controls itself."""
        this = self._parameter("self", ThingT(kind.name))
        use = t.Use(NOWHERE, this.type, this)
        if kind.seats:
            return t.About(this, use)
        owner = self.symbols.column(kind.name, "owner")
        if owner is None or owner.per or owner.type != ThingT("player"):
            return None
        return t.About(this, t.Read(NOWHERE, owner.type, owner, use))

    def _about(self, text: SourceText, kind: t.Kind, type: Type, what: str) -> t.About | None:
        this = self._parameter("self", ThingT(kind.name))
        node = self._expr(text)
        if node is None:
            return None
        return t.About(this, self.expressions.wanted(node, Scope().bind(this), type, what))

    def told(self, text: SourceText | None) -> t.Visibility | None:
        """Who is told of an action: an expression over the viewer and the player who acts."""
        if text is None:
            return None
        viewer, me = self._parameter("viewer", ThingT("player")), self._parameter("me", ThingT("player"))
        node = self._expr(text)
        if node is None:
            return None
        return t.Visibility(viewer, me, (), self.expressions.condition(node, Scope().bind(viewer, me)))

    def shown(self, formula: t.Formula, text: SourceText | None) -> t.Visibility | None:
        """Who is shown a formula's value: an expression over the viewer and its parameters."""
        if text is None:
            return None
        if not formula.parameters or not all(_is_sure_thing(p.type) for p in formula.parameters):
            self.symbols.error("RF506", "only a formula about things can be shown", text.span)
            return None
        viewer = self._parameter("viewer", ThingT("player"))
        node = self._expr(text)
        if node is None:
            return None
        test = self.expressions.condition(node, Scope().bind(viewer, *formula.parameters))
        return t.Visibility(viewer, formula.parameters[0], formula.parameters[1:], test)

    def _visibility(
        self, text: SourceText, thing: Type, index: tuple[t.Variable, ...]
    ) -> t.Visibility | None:
        viewer = self._parameter("viewer", ThingT("player"))
        this = self._parameter("self", thing)
        node = self._expr(text)
        if node is None:
            return None
        test = self.expressions.condition(node, Scope().bind(viewer, this, *index))
        return t.Visibility(viewer, this, index, test)

    def _parameter(self, name: str, type: Type, span: Span = NOWHERE) -> t.Variable:
        self.expressions._counter += 1
        return t.Variable(name, type, span, self.expressions._counter)

    # --- keywords and windows ---

    def _keywords(self) -> None:
        for number, keyword in enumerate(self.ruleset.keywords, start=1):
            kind = self._kind_text(keyword.kind)
            if kind is None:
                continue
            parameters = self.parameters(keyword.takes)
            columns = []
            for parameter in parameters:
                name = f"{keyword.id}_{parameter.name}"
                values: list[int | tuple[int, ...]] = [_zero(parameter.type)] * kind.size
                self._fact(kind, name, parameter.type, values)
                columns.append(self.symbols.columns[kind.name, name])
            self.symbols.keywords[keyword.id] = t.Keyword(
                keyword.id,
                number,
                kind,
                keyword.text or "",
                keyword.span,
                parameters,
                tuple(columns),
                None,
                keyword.cites,
            )
        for kind_source in self.ruleset.kinds:
            self._printed_keywords(kind_source)

    def _printed_keywords(self, source: m.Kind) -> None:
        """The fact `keywords` of a kind: what is printed on each thing, closed over what keywords include."""
        kind = self.symbols.kinds.get(source.id)
        if kind is None or not any(k.kind is kind for k in self.symbols.keywords.values()):
            return
        printed: list[int | tuple[int, ...]] = []
        for thing in source.things:
            first = len(printed)
            numbers = self._keywords_of(thing, range(first, first + thing.copies))
            printed += [numbers] * thing.copies
        printed += [()] * (kind.size - len(printed))
        self._fact(kind, "keywords", SetT("keyword"), printed)

    def _keywords_of(self, thing: m.Thing, places: range) -> tuple[int, ...]:
        found: list[str] = []
        for text in thing.keywords:
            node = self._expr(text)
            if node is None:
                continue
            name = node.id if isinstance(node, n.Name) else node.name if isinstance(node, n.Call) else ""
            keyword = self.symbols.keywords.get(name)
            if keyword is None:
                self.symbols.unknown("keyword", name, text.span, list(self.symbols.keywords))
                continue
            given = node.arguments if isinstance(node, n.Call) else ()
            if len(given) != len(keyword.columns):
                self.symbols.error("RF504", f"`{name}` takes {len(keyword.columns)} values", text.span)
                continue
            for column, argument in zip(keyword.columns, given, strict=True):
                value = constant_value(argument, column.type, self.symbols)
                for place in places:
                    column.values[place] = 0 if value is None else value
            found.append(name)
        return tuple(sorted({self.symbols.keywords[k].number for k in self._with_included(found)}))

    def _with_included(self, names: list[str]) -> list[str]:
        includes = {k.id: [i.text.strip() for i in k.includes] for k in self.ruleset.keywords}
        closed = list(names)
        for name in closed:
            closed += [i for i in includes.get(name, []) if i not in closed and i in self.symbols.keywords]
        return closed

    def _windows(self) -> None:
        for window in self.ruleset.windows:
            parameters = self.parameters(window.takes)
            self.symbols.windows[window.id] = t.Window(
                window.id,
                parameters,
                window.window,
                window.span,
                window.title or window.text or window.id,
                window.cites,
                window.open,
            )

    def _endings(self) -> None:
        for ending in self.ruleset.endings:
            typed = t.Ending(ending.id, ending.text or "", ending.span, ending.cites)
            self.symbols.endings[ending.id] = typed

    def _signatures(self) -> None:
        for formula in self.ruleset.formulas:
            self._fresh(formula.id, formula.span)
            parameters = self.parameters(formula.takes)
            typed = t.Formula(formula.id, parameters, formula.span, ERROR, clauses=formula.cites)
            typed.open, typed.text = formula.open, formula.text or ""
            typed.each, typed.sum, typed.clamp = (
                self._bounds(b) for b in (formula.each, formula.sum, formula.clamp)
            )
            self.symbols.formulas[formula.id] = typed
        for event in self.ruleset.events:
            self._fresh(event.id, event.span)
            parameters = self.parameters(event.takes)
            typed_event = t.Event(event.id, parameters, event.span, NOTHING, clauses=event.cites)
            typed_event.together, typed_event.open = event.together, event.open
            self.symbols.events[event.id] = typed_event

    def _bounds(self, text: SourceText | None) -> tuple[int, int] | None:
        """A limit of modifiers, written as a range."""
        node = parse_type(text, self.symbols.report) if text else None
        type = self.symbols.type_of(node) if node else None
        if isinstance(type, NumberT):
            return type.low, type.high
        if node is not None and type != ERROR:
            self.symbols.error("RF502", "a range is wanted here", node.span, "write `0..20`")
        return None

    def parameters(self, takes: tuple[tuple[str, SourceText], ...]) -> tuple[t.Variable, ...]:
        found = []
        for name, text in takes:
            node = parse_type(text, self.symbols.report)
            type = self.symbols.type_of(node) if node else ERROR
            found.append(self._parameter(name, type, text.span))
        return tuple(found)

    # --- small ---

    def _expr(self, text: SourceText | None) -> n.Expr | None:
        return parse_expr(text, self.symbols.report) if text else None

    def _fresh(self, name: str, span: Span) -> None:
        symbols = self.symbols
        taken = (
            name in symbols.names()
            or name in symbols.formulas
            or name in symbols.events
            or name in symbols.kinds
        )
        if taken:
            symbols.error("RF505", f"`{name}` already means something else", span, "choose another name")


def _zero(type: Type) -> int | tuple[int, ...]:
    match type:
        case SetT():
            return ()
        case NumberT(low=low, high=high):
            return min(max(0, low), high)
    return 0


def _is_sure_thing(type: Type) -> bool:
    return isinstance(type, ThingT) and not type.optional
