"""Remembered positions: each is two words, computed from the values that define it.

A word is the exclusive or of random numbers, one for every value at every place. Equal positions have equal
words. Different positions have equal words with a probability of one in 2 ** 62.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from ruleforge.compiler import ir
from ruleforge.compiler.lower import branches
from ruleforge.compiler.lower.context import Lowering, add, both, load, times
from ruleforge.compiler.lower.sets import membership
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import INT_MAX, NumberT, SetT, ThingT
from ruleforge.support.records import dataclass

ZERO, ONE = ir.Const(0), ir.Const(1)
BYTE = 256
SHIFTS = (0, 8, 16, 24)  # of the bytes of a word


def repeats(low: Lowering, node: t.Repeats) -> ir.Expr:
    """The number of remembered positions that equal the current one."""
    position, name = node.position, f"repeats {node.position.name}"
    if name not in low.functions:
        low.reserve(name, ())
        low.define(name, (), _repeated(low, position), position.span)
    return ir.CallExpr(name, ())


def _repeated(low: Lowering, position: t.Position) -> ir.Body:
    """Count equal positions. The second word is computed only if the first word is known, which is rare."""
    count, at, some = low.fresh("count"), low.fresh("at"), low.fresh("some")
    known, first, second = _slots(low, position)
    now = (low.fresh("now"), low.fresh("now"))
    counts = ir.Binary("<=", ir.Local(at), load(known, ONE))  # behind it are words that were forgotten

    def met(test: ir.Expr, then: ir.Body) -> ir.Scan:
        return ir.Scan(at, first, position.keeps, ir.Local(now[0]), (ir.If(test, then),))

    same = both(counts, ir.Binary("==", load(second, ir.Local(at)), ir.Local(now[1])))
    again: ir.Body = (
        ir.Set(now[1], ir.CallExpr(_word(low, position, 1), ())),
        met(same, (ir.Set(count, add(ir.Local(count), 1)),)),
    )
    return (
        ir.Set(now[0], ir.CallExpr(_word(low, position, 0), ())),
        *(ir.Set(name, ZERO) for name in (count, some)),
        met(counts, (ir.Set(some, ONE), ir.Break())),
        ir.If(ir.Local(some), again),
        ir.Return(ir.Local(count)),
    )


def remember(low: Lowering, node: t.Remember) -> ir.Body:
    position = node.position
    known, first, second = _slots(low, position)
    count = low.fresh("count")
    fault = low.fault("RF837", f"more than {position.keeps} positions of `{position.name}`", node.span)
    full = ir.If(ir.Binary(">", ir.Local(count), ir.Const(position.keeps)), (ir.Trap(fault),))
    return (
        ir.Set(count, add(load(known, ONE), 1)),
        full,
        *(
            ir.Store(base, ir.Local(count), ir.CallExpr(_word(low, position, j), ()))
            for j, base in enumerate((first, second))
        ),
        ir.Store(known, ONE, ir.Local(count)),
    )


def forget(low: Lowering, node: t.Forget) -> ir.Body:
    return (ir.Store(_slots(low, node.position)[0], ONE, ZERO),)


def _slots(low: Lowering, position: t.Position) -> tuple[int, int, int]:
    """The slots of the number of remembered positions, and of their first and second words."""
    base = low.layout.positions[position]
    return base, base + 1, base + 1 + position.keeps


def _word(low: Lowering, position: t.Position, word: int) -> str:
    """The function that works out one of the two words of the position as it is now."""
    name = f"position {position.name} {word}"
    if name in low.functions:
        return name
    low.reserve(name, ())
    total = low.fresh("total")
    body: list[ir.Statement] = [ir.Set(total, ZERO)]
    for number, part in enumerate(_parts(low, position)):
        at = low.fresh("at")
        chance = Random(f"{position.name} {number} {word}")
        steps = tuple(
            ir.Set(total, ir.Binary("^", ir.Local(total), picked))
            for picked in _picked(low, chance, part, ir.Local(at))
        )
        body.append(ir.ForRange(at, ONE, ir.Const(part.slots), steps))
    low.define(name, (), (*body, ir.Return(ir.Local(total))), position.span)
    return name


@dataclass(frozen=True, slots=True)
class _Part:
    """A row of values: their number, how to read one by its number, and their range."""

    slots: int
    read: Callable[[ir.Expr], ir.Expr]
    least: int
    most: int

    @property
    def wide(self) -> bool:
        """Too many values for a table of all; such a value counts byte by byte."""
        return self.most - self.least >= BYTE


def _picked(low: Lowering, chance: Random, part: _Part, at: ir.Expr) -> Iterator[ir.Expr]:
    """Random numbers for the value at a place."""
    value = part.read(at)
    width = BYTE if part.wide else part.most - part.least + 1
    keys = [add(value, -part.least)]
    if part.wide:
        keys = [
            ir.Binary("&", ir.Binary(">>", value, ir.Const(shift)), ir.Const(BYTE - 1)) for shift in SHIFTS
        ]
    for key in keys:
        numbers = tuple(chance.getrandbits(31) for _ in range(part.slots * width))
        yield branches.lookup(low, numbers, add(times(add(at, -1), width), key))


def _parts(low: Lowering, position: t.Position) -> Iterator[_Part]:
    layout = low.layout
    for column in position.columns:
        info = layout.columns[column]
        yield _Part(info.size, partial(load, info.base), *_ends(low, column))
    for place in position.places:
        spot, things = layout.places[place], layout.size(place.holds)
        yield _Part(things, partial(_inside, low, place), 0, spot.count)
        if spot.form == "list":
            yield _Part(things, partial(_behind, low, place), 0, things)
    if position.active:
        yield _Part(1, lambda _: ir.Load(ir.ACTIVE), 0, layout.players)


def _ends(low: Lowering, column: t.Column) -> tuple[int, int]:
    match column.type:
        case NumberT(low=least, high=most):
            return least, most
        case ThingT(kind=kind):
            return 0, low.size(low.kind(kind))
        case SetT():
            return 0, INT_MAX
    return 0, 1


def _inside(low: Lowering, place: t.Place, thing: ir.Expr) -> ir.Expr:
    """The number of the container of a place in which a thing lies, from 1. 0 if it lies in none."""
    spot = low.layout.places[place]
    where = load(spot.where, thing)
    return ir.Select(membership.in_family(low, place, thing), add(where, -spot.first), ZERO)


def _behind(low: Lowering, place: t.Place, thing: ir.Expr) -> ir.Expr:
    """The thing after another one in an ordered place."""
    spot = low.layout.places[place]
    return ir.Select(membership.in_family(low, place, thing), load(spot.next, thing), ZERO)
