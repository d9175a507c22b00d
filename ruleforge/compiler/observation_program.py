"""Add a function to a program that lists the observation of one player, cell by cell.

The words have a fixed order and number, as reinforcement learning needs them. First come the attributes,
column by column. Then, for each kind with places, the container of every thing and its place in the order
there. Then, for each place, the number of things in each container. Cells that the player does not see are
HIDDEN.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ruleforge.compiler import ir
from ruleforge.compiler.passes.expressions import LOWEST
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import phases_of

OBSERVATION = "the observation"  # no function of rules has a blank in its name
HIDDEN = LOWEST
_VIEWER = ir.Local("viewer")
_X = ir.Local("x")
SEALED = "sees sealed"  # an answer that only its player sees


def observing(program: ir.Program) -> ir.Program:
    body = tuple(_Observation(program).body())
    function = ir.Function(OBSERVATION, (_VIEWER.name,), body, offers=True)
    added = {OBSERVATION: function}
    return replace(
        program,
        functions={**program.functions, **added},
        plain={**program.plain, **added},
        identity=program.identity and f"{program.identity} observed",
    )


def observed_columns(program: ir.Program) -> tuple[ir.ColumnInfo, ...]:
    """The attributes of the author. The record of shown things is not part of an observation."""
    knowledge = {place.known for place in program.places}
    knowledge |= {column.base for column in program.columns if isinstance(column.type, ir.Left)}
    return tuple(c for c in program.columns if " " not in c.name and c.base not in knowledge)


def dealt_kinds(program: ir.Program) -> tuple[tuple[int, bool], ...]:
    """The kinds whose things lie in places, and whether any of these keeps an order."""
    forms: dict[int, set[str]] = {}
    for place in program.places:
        forms.setdefault(place.holds, set()).add(place.form)
    return tuple((kind, "list" in found) for kind, found in sorted(forms.items()))


def lies_in(program: ir.Program) -> dict[int, int]:
    """The kinds of things in places, mapped to the word with the container of the first of them."""
    found, at = dict[int, int](), sum(column.size for column in observed_columns(program))
    for kind, ordered in dealt_kinds(program):
        found[kind] = at
        at += (1 + ordered) * (len(program.kinds[kind].things) - 1)
    return found


def observation_size(program: ir.Program) -> int:
    """The number of words of an observation."""
    columns = sum(column.size for column in observed_columns(program))
    things = sum(
        (1 + ordered) * (len(program.kinds[kind].things) - 1) for kind, ordered in dealt_kinds(program)
    )
    return columns + things + sum(place.count for place in program.places)


def _and(parts: Sequence[ir.Expr]) -> ir.Expr:
    if not parts:
        return ir.Const(1)
    return parts[0] if len(parts) == 1 else ir.Logic("and", tuple(parts))


def _plus(left: ir.Expr, number: int) -> ir.Expr:
    return ir.Binary("+", left, ir.Const(number)) if number else left


class _Observation:
    def __init__(self, program: ir.Program) -> None:
        self.program = program

    def body(self) -> Iterator[ir.Statement]:
        for kind, _ in enumerate(self.program.kinds):
            if self.passes(kind):
                yield from self.sight(kind)
        for column in observed_columns(self.program):
            yield self.column(column)
        for kind, ordered in dealt_kinds(self.program):
            yield from self.lying(kind, ordered)
        for number, place in enumerate(self.program.places):
            yield from self.sizes(number, place)

    # --- which things are seen ---

    def count(self, kind: int) -> int:
        return len(self.program.kinds[kind].things) - 1

    def passes(self, kind: int) -> bool:
        """Whether things of a kind may be hidden by where they lie, or come and go."""
        return self.program.kinds[kind].exists is not None or any(
            place.holds == kind for place in self.program.places
        )

    def sight(self, kind: int) -> Iterator[ir.Statement]:
        """An array with 1 for each thing that is in the game and may be known."""
        yield ir.NewArray(_seen(kind), self.count(kind) + 1)
        statements: list[ir.Statement] = [ir.Set("seen", self.in_game(kind, _X))]
        for place in self.program.places:
            if place.holds == kind and place.sees is not None:
                lies = ir.Set("seen", self.may_see(place, place.sees))
                statements.append(ir.If(_and((ir.Local("seen"), self.inside(place))), (lies,)))
        yield self.each(kind, (*statements, ir.SetElement(_seen(kind), _X, ir.Local("seen"))))

    def in_game(self, kind: int, thing: ir.Expr) -> ir.Expr:
        slot = self.program.kinds[kind].exists
        return ir.Const(1) if slot is None else ir.Binary("!=", ir.Load(slot, thing), ir.Const(0))

    def inside(self, place: ir.PlaceInfo) -> ir.Expr:
        """Whether `x` lies in one of the containers of a place."""
        at = ir.Load(place.where, _X)
        above = ir.Binary(">", at, ir.Const(place.first))
        return _and((above, ir.Binary("<=", at, ir.Const(place.first + place.count))))

    def may_see(self, place: ir.PlaceInfo, sees: str) -> ir.Expr:
        ordinal = ir.Binary("-", ir.Load(place.where, _X), ir.Const(place.first + 1))
        statements = ir.CallExpr(sees, (_VIEWER, _X, *self.indices(place, ordinal)))
        if place.known is None:
            return statements
        bit = ir.Binary("-", _VIEWER, ir.Const(1))
        shown = ir.Binary("&", ir.Binary(">>", ir.Load(place.known, _X), bit), ir.Const(1))
        return ir.Logic("or", (shown, statements))

    def indices(self, place: ir.PlaceInfo, ordinal: ir.Expr) -> list[ir.Expr]:
        """The things that a container belongs to, by its number in the place, from 0."""
        found: list[ir.Expr] = []
        for kind in reversed(place.of):
            size = ir.Const(self.count(kind))
            found.insert(0, _plus(ir.Binary("%", ordinal, size), 1))
            ordinal = ir.Binary("//", ordinal, size)
        return found

    # --- words ---

    def offered(self, parts: Sequence[ir.Expr], value: ir.Expr) -> ir.Offer:
        return ir.Offer(ir.Select(_and(parts), value, ir.Const(HIDDEN)) if parts else value)

    def each(self, kind: int, body: ir.Body, name: str = _X.name) -> ir.Statement:
        return ir.ForRange(name, ir.Const(1), ir.Const(self.count(kind)), body)

    def nested(self, kinds: Sequence[int], make: Callable[[list[ir.Expr], ir.Expr], ir.Body]) -> ir.Statement:
        """A loop over the things of each kind, the last one fastest; `make` gets them and their number, from 0."""
        names = [f"i{k}" for k in range(len(kinds))]
        ordinal: ir.Expr = ir.Const(0)
        for name, kind in zip(names, kinds, strict=True):
            scaled = ir.Binary("*", ordinal, ir.Const(self.count(kind)))
            ordinal = ir.Binary("+", scaled, ir.Binary("-", ir.Local(name), ir.Const(1)))
        body = make([ir.Local(name) for name in names], ordinal)
        for name, kind in zip(reversed(names), reversed(kinds), strict=True):
            body = (self.each(kind, body, name),)
        return body[0] if kinds else ir.If(ir.Const(1), body)

    def column(self, column: ir.ColumnInfo) -> ir.Statement:
        kinds = (column.kind, *column.per)

        def words(things: list[ir.Expr], ordinal: ir.Expr) -> ir.Body:
            pairs = zip(kinds, things, strict=True)
            parts: list[ir.Expr] = [ir.Element(_seen(k), thing) for k, thing in pairs if self.passes(k)]
            if column.sees is not None:
                parts.append(ir.CallExpr(column.sees, (_VIEWER, *things)))
            first = ir.Set("first", ir.Binary("*", ordinal, ir.Const(column.words)))
            at = ir.Local("first")
            offers = (
                self.offered(parts, ir.Load(column.base + 1 + word, at)) for word in range(column.words)
            )
            return (first, *offers)

        return self.nested(kinds, words)

    def lying(self, kind: int, ordered: bool) -> Iterator[ir.Statement]:
        seen = (ir.Element(_seen(kind), _X),)
        places = [place for place in self.program.places if place.holds == kind]
        where: ir.Expr = ir.Const(0)
        for place in reversed(places):
            where = ir.Select(self.inside(place), ir.Load(place.where, _X), where)
        yield self.each(kind, (self.offered(seen, where),))
        if ordered:
            yield ir.NewArray("positions", self.count(kind) + 1)
            for place in places:
                if place.form == "list":
                    yield self.order(place)
            yield self.each(kind, (self.offered(seen, ir.Element("positions", _X)),))

    def order(self, place: ir.PlaceInfo) -> ir.Statement:
        """Number the things of each list from 1."""
        position = ir.Local("position")
        iteration: ir.Body = (
            ir.SetElement("positions", _X, position),
            ir.Set(position.name, _plus(position, 1)),
            ir.Set(_X.name, ir.Load(place.next, _X)),
        )
        container = ir.Local("container")
        body: ir.Body = (
            ir.Set(position.name, ir.Const(1)),
            ir.Set(_X.name, ir.Load(place.head, container)),
            ir.While(ir.Binary("!=", _X, ir.Const(0)), iteration, self.count(place.holds)),
        )
        last = ir.Const(place.first + place.count)
        return ir.ForRange(container.name, ir.Const(place.first + 1), last, body)

    def sizes(self, number: int, place: ir.PlaceInfo) -> Iterator[ir.Statement]:
        array = f"sizes {number}"
        container = ir.Binary("-", ir.Load(place.where, _X), ir.Const(place.first))
        one_more = ir.SetElement(array, container, _plus(ir.Element(array, container), 1))
        yield ir.NewArray(array, place.count + 1)
        yield self.each(place.holds, (ir.If(self.inside(place), (one_more,)),))

        def words(things: list[ir.Expr], ordinal: ir.Expr) -> ir.Body:
            pairs = zip(place.of, things, strict=True)
            parts = [self.in_game(k, t) for k, t in pairs if self.program.kinds[k].exists is not None]
            return (self.offered(parts, ir.Element(array, _plus(ordinal, 1))),)

        yield self.nested(place.of, words)


def _seen(kind: int) -> str:
    return f"seen {kind}"


# The names of visibility functions: the one place that defines them.


def column_sees(column: t.Column) -> str | None:
    return f"sees {column.kind.name}.{column.name}" if column.hidden else None


def place_sees(place: t.Place) -> str | None:
    return f"sees {place.name}" if place.hidden else None


def formula_sees(formula: t.Formula) -> str | None:
    return f"sees {formula.name}()" if formula.sees else None


def action_sees(action: t.Action) -> str | None:
    return f"sees action {action.name}" if action.sees else None


def phase_sees(phase: t.Phase) -> str | None:
    return f"sees phase {phase.name}" if phase.sees else None


def visibilities(rules: t.Checked) -> Iterator[tuple[str, t.Visibility]]:
    """Every visibility function by name, with its condition. Formulas have their own."""
    found = [
        *((column_sees(c), rules.sight.get(c)) for c in rules.columns.values() if not c.constant),
        *((place_sees(p), rules.sight.get(p)) for p in rules.places.values()),
        *((action_sees(a), a.sees) for a in rules.actions.values()),
        *((phase_sees(p), p.sees) for p in phases_of(rules.flow)),
    ]
    for name, condition in found:
        if name is not None and condition is not None:
            yield name, condition
