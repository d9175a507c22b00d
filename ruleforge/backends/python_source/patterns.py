"""Tables for enumerators: the choices of a thing, looked up by the few slots that decide them.

`for start in members: for way ..: if <some slots>: offer` becomes one lookup for each member. The body of the
loop itself fills a table, so both always agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from math import prod
from typing import Any

from ruleforge.analysis.intervals import Interval
from ruleforge.analysis.ranges import Ranges
from ruleforge.compiler import ir
from ruleforge.compiler.visit import Expression, all_expressions, statements

MOST_SLOTS = 4
MOST_ENTRIES = 256
MOST_KEYS = 16

One = Callable[..., object]  # one(row, list, *key, number): append what a member offers
Sizes = Callable[[int], int | None]  # slot -> number of values from 0 it can hold; None: too many

_STATEMENTS = (ir.If, ir.Set, ir.Each, ir.ForRange, ir.Offer, ir.Break)
_EXPRESSIONS = (
    ir.Const,
    ir.Local,
    ir.Load,
    ir.Table,
    ir.Binary,
    ir.Negate,
    ir.LogicNot,
    ir.Logic,
    ir.Select,
    ir.Member,
)


class Unsuited(Exception):
    """The choices of a member depend on too many slots."""


class _Unknown(Exception):
    def __init__(self, slot: int) -> None:
        self.slot = slot


class _Probe(dict[int, int]):
    """A row with only some known slots."""

    def __missing__(self, slot: int) -> int:
        raise _Unknown(slot)


def slot_sizes(program: ir.Program) -> Sizes:
    """The number of values that the slots of things and flags can hold."""
    ends: list[tuple[range, int]] = []
    for column in program.columns:
        slots = range(column.base + 1, column.base + column.size + 1)
        match column.type:
            case ir.Thing(kind=kind):
                ends.append((slots, len(program.kinds[kind].things)))
            case ir.Flag():
                ends.append((slots, 2))
    return lambda slot: next((size for slots, size in ends if slot in slots), None)


def suitable(scan: ir.Scan) -> bool:
    """Whether the body of a scan offers several things and does nothing but look at slots."""
    inside = list(statements(scan.body))
    loops = any(isinstance(s, ir.Each | ir.ForRange) for s in inside)
    if scan.frozen or not (loops or sum(isinstance(s, ir.Offer) for s in inside) > 1):
        return False
    return all(isinstance(s, _STATEMENTS) for s in inside) and all(map(_harmless, all_expressions(scan.body)))


def _harmless(e: Expression) -> bool:
    return isinstance(e, _EXPRESSIONS) and not (isinstance(e, ir.Binary) and e.checked)


def keys_of(ranges: Ranges, function: str, names: Sequence[str]) -> Iterable[tuple[int, ...]] | None:
    """The values of the parameters a body speaks of, if they are few."""
    found = [ranges.within(function, ir.Local(name)) for name in names]
    if not 0 < prod(interval.count for interval in found) <= MOST_KEYS:
        return None
    return product(*map(Interval.numbers, found))


def slots_of(one: One, key: tuple[int, ...], number: int, sizes: Sizes) -> list[int]:
    """The slots that can decide what a member offers."""
    slots: list[int] = []

    def explore(known: dict[int, int]) -> None:
        # The body itself says which slot it wants next: it runs on a row that knows only some, and fails at the others.
        try:
            one(_Probe(known), [], *key, number)
        except _Unknown as unknown:
            slot, size = unknown.slot, sizes(unknown.slot)
            if slot not in slots:
                slots.append(slot)
            if size is None or len(slots) > MOST_SLOTS or prod(sizes(s) or 0 for s in slots) > MOST_ENTRIES:
                raise Unsuited from None
            for value in range(size):
                explore({**known, slot: value})

    explore({})
    return slots


def width(one: One, keys: Iterable[tuple[int, ...]], scan: ir.Scan, sizes: Sizes) -> int:
    """The number of slots that a lookup needs. Raises Unsuited if a lookup does not pay."""
    if sizes(scan.base + 1) is None:
        raise Unsuited
    most = 1
    for key in keys:
        for number in range(1, scan.size + 1):
            try:
                most = max(most, len(slots_of(one, key, number, sizes)))
            except (LookupError, ArithmeticError, TypeError):
                raise Unsuited from None
    return most


class Patterns(dict[Any, Callable[[int], tuple[Any, ...]]]):
    """Maps a key to a function from the number of a member to (slots .., nested table).

    Entries are made on demand.
    """

    def __init__(self, one: One, base: int, size: int, width: int, choices: Any, sizes: Sizes) -> None:
        self.one, self.base, self.size, self.width = one, base, size, width
        self.choices, self.sizes = choices, sizes

    def __missing__(self, key: int | tuple[int, ...]) -> Callable[[int], tuple[Any, ...]]:
        entries: list[Any] = [None]
        for number in range(1, self.size + 1):
            entries.append(self.entry(key if isinstance(key, tuple) else (key,), number))
        return self.setdefault(key, entries.__getitem__)

    def entry(self, key: tuple[int, ...], number: int) -> tuple[Any, ...]:
        slots = slots_of(self.one, key, number, self.sizes)
        while len(slots) < self.width:
            slots.append(slots[0] if slots else self.base + number)

        def table(known: dict[int, int], rest: list[int]) -> tuple[Any, ...]:
            if not rest:
                return self.offered(known, key, number)
            values = range(self.sizes(rest[0]) or 0)
            return tuple(table({**known, rest[0]: value}, rest[1:]) for value in values)

        return (*slots, table({}, slots))

    def offered(self, known: dict[int, int], key: tuple[int, ...], number: int) -> tuple[Any, ...]:
        codes: list[int] = []
        self.one(known, codes, *key, number)
        return tuple(codes) if self.choices is None else tuple(self.choices[code] for code in codes)
