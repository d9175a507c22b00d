"""Store members in arrays with a count, in order, and walk them."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Lowering, add, both
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import SetT, ThingT

MANY = 10_000  # numbers at most that are kept in a list; things are as many as there are


def append(array: str, count: str, item: ir.Expr) -> ir.Body:
    return (ir.SetElement(array, ir.Local(count), item), ir.Set(count, add(ir.Local(count), 1)))


def insert(
    low: Lowering, array: str, count: str, keys: tuple[str, ...], item: ir.Expr, at: tuple[ir.Expr, ...]
) -> ir.Body:
    """Insert into a list, in stable order: move larger entries up by one and fill the gap."""
    place, here = low.fresh("place"), tuple(low.fresh("key_of") for _ in keys)
    before = add(ir.Local(place), -1)
    smaller: ir.Expr = ir.Const(0)
    for array_key, local in reversed(list(zip(keys, here, strict=True))):
        old, new = ir.Element(array_key, before), ir.Local(local)
        tie = both(ir.Binary("==", new, old), smaller)
        less = ir.Binary("<", new, old)
        smaller = less if tie == ir.Const(0) else ir.Logic("or", (less, tie))
    shift = tuple(ir.SetElement(a, ir.Local(place), ir.Element(a, before)) for a in (array, *keys))
    loop = ir.While(
        both(ir.Binary(">", ir.Local(place), ir.Const(0)), smaller), (*shift, ir.Set(place, before))
    )
    put = tuple(ir.SetElement(k, ir.Local(place), ir.Local(h)) for k, h in zip(keys, here, strict=True))
    return (
        *(ir.Set(h, v) for h, v in zip(here, at, strict=True)),
        ir.Set(place, ir.Local(count)),
        loop,
        ir.SetElement(array, ir.Local(place), item),
        *put,
        ir.Set(count, add(ir.Local(count), 1)),
    )


def from_array(low: Lowering, array: str, count: str, name: str, body: ir.Body, most: int) -> ir.Body:
    i = low.fresh("i")
    step = (ir.Set(name, ir.Element(array, ir.Local(i))), *body)
    return (ir.ForRange(i, ir.Const(0), add(ir.Local(count), -1), step, most),)


def refuse_more(low: Lowering, binder: t.Binder, count: str) -> ir.Body:
    """Stop if a list of numbers exceeds its room."""
    if _most(low, binder.source) <= MANY:
        return ()
    fault = low.fault("RF829", f"more than {MANY:,} numbers would be kept in a list", binder.span)
    return (ir.If(ir.Binary(">=", ir.Local(count), ir.Const(MANY)), (ir.Trap(fault),)),)


def capacity(low: Lowering, source: t.Expr) -> int:
    """The capacity of a list for the members of a source."""
    return min(MANY, _most(low, source))


def _most(low: Lowering, source: t.Expr) -> int:
    """The most members a source can have."""
    match source.type:
        case SetT(kind=kind):
            return max(1, low.size(low.kind(kind)))
        case ThingT():
            return 1
    return max(1, source.type.high - source.type.low + 1)  # type: ignore[union-attr]
