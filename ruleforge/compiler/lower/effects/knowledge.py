"""The knowledge of players about hidden things, whole or in part, and its loss."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.layout import left_of
from ruleforge.compiler.lower import notes
from ruleforge.compiler.lower.context import Env, Lowering, add, load, store
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import masks, walks
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.typed.own_columns import KNOWN, disclosure_name
from ruleforge.lang.checker.types import SetT

ZERO, ONE = ir.Const(0), ir.Const(1)


def show(low: Lowering, node: t.Show, env: Env) -> ir.Body:
    """Mark things as known to players, until they move or are shuffled."""
    kind = low.kind(node.what.type.kind)  # type: ignore[union-attr]
    column = low.rules.columns[kind.name, KNOWN]
    name, seen = low.fresh("shown"), low.fresh("viewers")
    slot = load(low.layout.columns[column].base, ir.Local(name))
    known = ir.Store(slot.base, slot.index, ir.Binary("|", slot, ir.Local(seen)))
    note = low.note(notes.shown(low, kind, node.span), ir.Local(name), ir.Local(seen))
    viewers = _viewers(low, node, env)
    return (ir.Set(seen, viewers), *walks.members(low, node.what, env, name, (note, known)))


def tell(low: Lowering, node: t.Tell, env: Env) -> ir.Body:
    """Reduce the remaining values of a fact for a player to those that agree with the disclosed part."""
    fact = node.fact.column
    column = low.rules.columns[fact.kind.name, disclosure_name(fact.name)]
    thing, seen, left, viewer, new = (
        low.fresh(name) for name in ("told", "viewers", "left", "viewer", "new")
    )
    slot = load(*values.slot(low, column, ir.Local(thing), (ir.Local(viewer),)))
    among = ir.Binary("&", ir.Binary(">>", ir.Local(seen), add(ir.Local(viewer), -1)), ONE)
    info = notes.changed(low, column, node.span)
    less: ir.Body = (
        ir.Set(new, ir.Binary("&", slot, ir.Local(left))),
        low.note(info, ir.Local(thing), ir.Local(viewer), slot, ir.Local(new)),
        ir.Store(slot.base, slot.index, ir.Local(new)),
    )
    return (
        ir.Set(thing, values.value(low, node.what, env)),
        ir.Set(seen, _viewers(low, node, env)),
        *_left(low, node, env, left),
        ir.ForRange(viewer, ONE, ir.Const(low.layout.players), (ir.If(among, less),)),
    )


def _viewers(low: Lowering, node: t.Show, env: Env) -> ir.Expr:
    to = values.value(low, node.to, env)
    return to if isinstance(node.to.type, SetT) else masks.bit(to)


def _left(low: Lowering, node: t.Tell, env: Env, name: str) -> ir.Body:
    """The values that agree with the disclosure: the true one, or all that pass the same test."""
    info = left_of(low.layout, node.fact.column)
    fact = values.value(low, node.fact, env)
    if node.test is None:
        return (ir.Set(name, masks.bit(add(fact, 1 - info.low))),)
    value, passes = low.fresh(node.value.name), low.fresh("passes")
    inner = env.bind(node.value, ir.Local(value))
    alike = ir.Binary("==", values.value(low, node.test, inner), ir.Local(passes))
    bit = masks.bit(add(ir.Local(value), 1 - info.low))
    return (
        ir.Set(value, fact),
        ir.Set(passes, values.value(low, node.test, inner)),
        ir.Set(name, ZERO),
        ir.ForRange(
            value,
            ir.Const(info.low),
            ir.Const(info.high),
            (ir.If(alike, (ir.Set(name, ir.Binary("|", ir.Local(name), bit)),)),),
        ),
    )


# --- forgetting ---


def _columns(low: Lowering, kind: t.Kind) -> tuple[tuple[t.Column, t.Column], ...]:
    """The columns with remaining values of the things of a kind, with their facts."""
    return tuple((c, c.tells) for c in low.layout.columns if c.kind is kind and c.tells is not None)


def forgotten(low: Lowering, kind: t.Kind, thing: ir.Expr) -> ir.Body:
    """Delete everything that players know about a thing."""
    return tuple(
        store(*values.slot(low, column, thing, (ir.Const(viewer),)), ir.Const(left_of(low.layout, fact).all))
        for column, fact in _columns(low, kind)
        for viewer in range(1, low.layout.players + 1)
    )


def left_behind(low: Lowering, kind: t.Kind, info: ir.PlaceInfo, origin: ir.Expr) -> ir.Body:
    """When a thing leaves an unordered hidden place, players no longer know the identity of the things that
    stay.
    """
    if info.form != "bag" or info.sees is None or not _columns(low, kind):
        return ()
    other = ir.Local("other")
    forget = forgotten(low, kind, other)
    return (ir.Scan(other.name, info.where, low.size(kind), origin, forget),)
