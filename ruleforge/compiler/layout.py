"""The layout: the meaning of each integer of the state row, for one number of players and one set of
options.
"""

from __future__ import annotations

from dataclasses import field
from typing import cast

from ruleforge.compiler import ir
from ruleforge.compiler.observation_program import column_sees, place_sees
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.typed.own_columns import EXISTS, KNOWN, path_name
from ruleforge.lang.checker.types import WORD, FlagT, NumberT, SetT, ThingT, Type
from ruleforge.support.records import dataclass


@dataclass
class RowLayout:
    """Sizes of kinds and the slots of columns and places; `start` are the values before set-up."""

    players: int
    kinds: list[t.Kind]
    columns: dict[t.Column, ir.ColumnInfo] = field(default_factory=dict)
    places: dict[t.Place, ir.PlaceInfo] = field(default_factory=dict)
    positions: dict[t.Position, int] = field(default_factory=dict)  # the slot before their number and words
    start: list[int] = field(default_factory=lambda: [0] * ir.HEADER)
    instances: list[tuple[t.Place, tuple[int, ...]]] = field(default_factory=list)

    def size(self, kind: t.Kind) -> int:
        return self.players if kind.seats else kind.size

    def number(self, kind: t.Kind) -> int:
        return self.kinds.index(kind)

    def words(self, kind: t.Kind) -> int:
        """The number of words of a set of things of this kind."""
        return max(1, -(-self.size(kind) // WORD))

    def reserve(self, count: int, value: int = 0) -> int:
        """Take `count` slots; the result is the slot before the first, so that things count from 1."""
        base = len(self.start) - 1
        self.start.extend([value] * count)
        return base


def layout_of(rules: t.Checked, players: int) -> RowLayout:
    ordered = sorted(rules.kinds.values(), key=lambda k: not k.seats)
    layout = RowLayout(players, ordered)
    for column in rules.columns.values():
        if not column.constant:
            _place_column(layout, column, path_name(column.kind.name, column.name, rules.columns))
    where: dict[t.Kind, int] = {}
    for place in rules.places.values():
        if place.holds not in where:
            where[place.holds] = layout.reserve(layout.size(place.holds))
        _place_place(layout, place, where[place.holds])
    for position in rules.positions.values():
        layout.positions[position] = layout.reserve(1 + 2 * position.keeps)
    return layout


def _place_column(layout: RowLayout, column: t.Column, name: str) -> None:
    size = layout.size(column.kind)
    for kind in column.per:
        size *= layout.size(kind)
    start, words = _start(layout, column)
    base = len(layout.start) - 1
    layout.start.extend(start * size)
    if column.name == EXISTS and column.kind.pool:
        layout.start[base + 1 :] = _there(column.kind)
    size *= words
    per = tuple(layout.number(k) for k in column.per)
    layout.columns[column] = ir.ColumnInfo(
        name,
        layout.number(column.kind),
        base,
        size,
        per,
        left_of(layout, column.tells) if column.tells else value_type(layout, column.type),
        start[0],
        column_sees(column),
        column.resets,
        words,
        _parts(column),
    )


def _there(kind: t.Kind) -> list[int]:
    """For each thing of a kind, 1 if it exists from the beginning, else 0."""
    made = {number for first, last in kind.made.values() for number in range(first, last + 1)}
    return [int(number not in made) for number in range(1, kind.size + 1)]


def _start(layout: RowLayout, column: t.Column) -> tuple[list[int], int]:
    """The words a column starts with, and how many there are."""
    words = 1
    if column.tells is not None:
        return [left_of(layout, column.tells).all], words
    if isinstance(column.type, SetT):
        kind = next(k for k in layout.kinds if k.name == column.type.kind)
        words = layout.words(kind)
    if isinstance(column.start, t.SetOf):
        members = [m.value for m in column.start.members if isinstance(m, t.Constant)]
        start = [
            sum(1 << (m - 1 - WORD * j) for m in members if WORD * j < m <= WORD * j + WORD)
            for j in range(words)
        ]
        return start, words
    return [column.start.value if isinstance(column.start, t.Constant) else 0] * words, words


def left_of(layout: RowLayout, fact: t.Column) -> ir.Left:
    """The type of the remaining values of a fact, for the engine."""
    of = value_type(layout, fact.type)
    match of, fact.type:
        case ir.Number(low=low, high=high), _:
            return ir.Left(of, low, high)
        case ir.Flag(), _:
            return ir.Left(of, 0, 1)
        case ir.Thing(kind=kind), ThingT(optional=optional):
            return ir.Left(of, 0 if optional else 1, layout.size(layout.kinds[kind]))
    raise AssertionError(fact.type)


def _parts(column: t.Column) -> tuple[int, ...]:
    """The values of the fact whose remaining values a column holds."""
    return tuple(cast(int, value) for value in column.tells.values) if column.tells is not None else ()


def value_type(layout: RowLayout, type: Type) -> ir.ValueType:
    """A type as the engine reads it."""
    match type:
        case NumberT(low=low, high=high):
            return ir.Number(low, high)
        case FlagT():
            return ir.Flag()
        case ThingT(kind=kind):
            return ir.Thing(next(i for i, k in enumerate(layout.kinds) if k.name == kind))
        case SetT(kind=kind):
            return ir.SetOf(next(i for i, k in enumerate(layout.kinds) if k.name == kind))
    raise AssertionError(type)


def _place_place(layout: RowLayout, place: t.Place, where: int) -> None:
    sizes = [layout.size(k) for _, k in place.of]
    count = 1
    for size in sizes:
        count *= size
    first = len(layout.instances)
    for number in range(count):
        index = []
        for size in reversed(sizes):
            number, digit = divmod(number, size)
            index.append(digit + 1)
        layout.instances.append((place, tuple(reversed(index))))
    things = layout.size(place.holds)
    form = "single" if place.single else "list" if place.ordered else "bag"
    slots: dict[str, int] = {}
    if form == "single":
        slots["occupant"] = layout.reserve(count) - first
    if form == "list":
        slots = {"next": layout.reserve(things), "previous": layout.reserve(things)}
        slots |= {name: layout.reserve(count) - first for name in ("head", "tail", "size")}
    layout.places[place] = ir.PlaceInfo(
        place.name,
        tuple(layout.number(k) for _, k in place.of),
        layout.number(place.holds),
        first,
        count,
        form,
        where,
        sees=place_sees(place),
        known=layout.columns[known].base if (known := _known(layout, place.holds)) else None,
        **slots,
    )


def _known(layout: RowLayout, kind: t.Kind) -> t.Column | None:
    """The column that says to whom things of a kind were shown."""
    return next((c for c in layout.columns if c.kind is kind and c.name == KNOWN), None)
