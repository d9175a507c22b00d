"""Things made and removed in play: taken from a pool, and put back as they were."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower import notes
from ruleforge.compiler.lower.context import Lowering, load, store
from ruleforge.compiler.lower.effects import places
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.typed.own_columns import EXISTS

ZERO, ONE = ir.Const(0), ir.Const(1)


def maker(low: Lowering, kind: t.Kind, among: tuple[int, int]) -> str:
    """The function () -> the first of these things of a kind that is not there yet; now it is."""
    first, last = among
    what = next(name for name, numbers in kind.made.items() if numbers == among)
    name = f"new {kind.name}" if what == kind.name else f"new {kind.name}.{what}"
    if name not in low.functions:
        exists = low.layout.columns[low.rules.columns[kind.name, EXISTS]].base
        message = f"all {last - first + 1} things of the pool `{what}` are in use"
        fault = low.fault("RF818", message, kind.span)
        slot = load(exists, ir.Local("thing"))
        note = low.note(notes.made(low, kind), ir.Local("thing"))
        take = (ir.Store(slot.base, slot.index, ONE), note, ir.Return(ir.Local("thing")))
        if what == kind.name:
            search: ir.Statement = ir.Scan("thing", exists, low.size(kind), ZERO, take, frozen=True)
        else:
            free = ir.If(ir.Binary("==", slot, ZERO), take)
            search = ir.ForRange("thing", ir.Const(first), ir.Const(last), (free,))
        low.define(name, (), (search, ir.Trap(fault)), kind.span)
    return name


def remover(low: Lowering, kind: t.Kind) -> str:
    """The function (thing): it leaves its place, and its attributes are as in the beginning."""
    name = f"remove {kind.name}"
    if name not in low.functions:
        low.reserve(name, ("thing",))
        thing = ir.Local("thing")
        body: list[ir.Statement] = [low.note(notes.removed(low, kind), thing)]
        if any(p.holds is kind for p in low.layout.places):
            body.append(ir.Perform(places.mover(low, kind), (thing, ZERO, ZERO)))
        for column, column_info in low.layout.columns.items():
            if column.kind is kind:
                body += _reset(low, column, column_info, thing)
        low.define(name, ("thing",), tuple(body), kind.span)
    return name


def _reset(low: Lowering, column: t.Column, info: ir.ColumnInfo, thing: ir.Expr) -> ir.Body:
    """All words of one thing's attribute, indices included, back to their start."""
    width = info.size // low.size(column.kind)
    first = info.base + 1 - width
    start = 0 if column.name == EXISTS else low.layout.start[info.base + 1]
    if width == 1:
        return (store(info.base, thing, ir.Const(start)),)
    at = ir.Binary("+", ir.Binary("*", thing, ir.Const(width)), ir.Local("i"))
    return (ir.ForRange("i", ZERO, ir.Const(width - 1), (store(first, at, ir.Const(start)),)),)


def reset_column(low: Lowering, column: t.Column) -> ir.Body:
    """A whole attribute back to its start, as at the beginning of a phase that resets it."""
    info = low.layout.columns[column]
    start = ir.Const(low.layout.start[info.base + 1])
    followed = low.note(notes.restarted(low, column))
    if info.size == 1:
        return (ir.Store(info.base + 1, None, start), followed)
    name = low.fresh("slot")
    every = store(info.base, ir.Local(name), start)
    return (ir.ForRange(name, ONE, ir.Const(info.size), (every,)), followed)


def gone(low: Lowering, kind: t.Kind) -> ir.Body:
    """All things of a pool are removed: their time is over."""
    exists = low.layout.columns[low.rules.columns[kind.name, EXISTS]].base
    name = low.fresh("thing")
    remove = ir.Perform(remover(low, kind), (ir.Local(name),))
    return (ir.Scan(name, exists, low.size(kind), ONE, (remove,), frozen=True),)
