"""Paths over a board: whether one leads to a goal, and all cells that one leads to."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Lowering, add, both
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import edge_paths, filters, membership, walks
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ThingT

ZERO, ONE = ir.Const(0), ir.Const(1)


def linked(low: Lowering, node: t.Linked, env: Env) -> ir.Expr:
    known = _connected(low, node, env)
    if known is not None:
        return known
    return low.helper("linked", values.captured(env, node), env, node.span, lambda e: _flood(low, node, e))


def _connected(low: Lowering, node: t.Linked, env: Env) -> ir.Expr | None:
    """One start, cells or edges told apart by one attribute, a goal known beforehand: a backend may keep the groups."""
    if not isinstance(node.start, t.SetOf) or len(node.start.members) != 1:
        return None
    start = node.start.members[0]
    if not isinstance(start.type, ThingT) or start.type.optional:
        return None
    if not isinstance(node.goal, t.Read) or not node.goal.column.constant:
        return None
    rows = ((), *(v for v in node.goal.column.values if isinstance(v, tuple)))
    if node.across is not None:
        return edge_paths.crossed(low, node, start, rows, node.goal, env)
    binder, found = node.binder, filters.scan_of(low, node.binder)
    if found is None or found[2] is not None or binder.by or binder.until:
        return None
    column, wanted, _ = found
    geometry = low.rules.geometry[column.kind.name]
    return ir.Connected(
        low.layout.columns[column].base,
        low.size(column.kind),
        low.relation(((), *geometry.near)),
        values.value(low, start, env),
        values.value(low, wanted, env),
        low.relation(rows),
        values.fact_key(low, node.goal, env),
    )


def _flood(low: Lowering, node: t.Linked, env: Env) -> ir.Body:
    return (*_walked(low, node, env, low.fresh("marks")), ir.Return(ZERO))


def reached(
    low: Lowering, node: t.Reached, env: Env, name: str, body: ir.Body, anyhow: bool = False
) -> ir.Body:
    """Run `body` for each cell that a path leads to: in the order of the board, or `anyhow`, as they are met."""
    assert isinstance(node.binder.variable.type, ThingT)
    if anyhow:
        return _walked(low, node, env, low.fresh("marks"), name, body)
    marks, size = low.fresh("marks"), low.size(low.kind(node.binder.variable.type.kind))
    marked = ir.If(ir.Element(marks, ir.Local(name)), body)
    return (*_walked(low, node, env, marks), ir.ForRange(name, ONE, ir.Const(size), (marked,)))


def _walked(
    low: Lowering, node: t.Reached, env: Env, marks: str, here: str | None = None, body: ir.Body = ()
) -> ir.Body:
    """A breadth-first walk from the start that marks bound cells; if there is a goal it ends there, giving 1.

    `body` is run for each of them, called `here`, before the walk goes on from it.
    """
    binder = node.binder
    assert isinstance(binder.variable.type, ThingT)
    kind = low.kind(binder.variable.type.kind)
    size = low.size(kind)
    geometry = low.rules.geometry[kind.name]
    queue, last, at = low.fresh("queue"), low.fresh("last"), low.fresh("at")

    def visit(cell: str) -> ir.Body:
        """Mark a cell, finish if it is a goal, else put it into the queue; only unmarked bound cells count."""
        local = ir.Local(cell)
        bound = env.bind(binder.variable, local)
        inside = membership.contains(low, binder.source, local, False, env)
        put = (ir.SetElement(queue, ir.Local(last), local), ir.Set(last, add(ir.Local(last), 1)))
        found: ir.Body = (ir.SetElement(marks, local, ONE), *put)
        if isinstance(node, t.Linked):
            goal = ir.If(membership.contains(low, node.goal, local, False, env), (ir.Return(ONE),))
            found = (found[0], goal, *put)
        unmarked = values.negated(ir.Element(marks, local))
        return (ir.If(both(unmarked, inside), filters.guard(low, binder.where, bound, lambda _: found)),)

    first, other, here = low.fresh("first"), low.fresh("near"), here or low.fresh("here")
    step = (
        ir.Set(here, ir.Element(queue, ir.Local(at))),
        ir.Set(at, add(ir.Local(at), 1)),
        *body,
        _steps(low, geometry, node.across, env, here, other, visit(other)),
    )
    return (
        ir.NewArray(marks, size + 1),
        ir.NewArray(queue, size),
        ir.Set(last, ZERO),
        *walks.members(low, node.start, env, first, visit(first)),
        ir.Set(at, ZERO),
        ir.While(ir.Binary("<", ir.Local(at), ir.Local(last)), step, size),
    )


def _steps(
    low: Lowering, board: t.Geometry, across: t.Binder | None, env: Env, here: str, other: str, body: ir.Body
) -> ir.Statement:
    """Run `body` for each neighbour of a cell; with edges to cross, for those behind an edge that is bound."""
    if across is None:
        return ir.Each((other,), low.relation(((), *board.near)), ir.Local(here), body)
    assert isinstance(across.variable.type, ThingT)
    edges = low.rules.geometry[across.variable.type.kind].border
    assert edges is not None
    rows = tuple(
        tuple((near, edges.between[cell, near]) for near in beside if (cell, near) in edges.between)
        for cell, beside in enumerate(board.near, start=1)
    )
    edge = low.fresh(across.variable.name)
    inside = membership.contains(low, across.source, ir.Local(edge), False, env)
    bound = env.bind(across.variable, ir.Local(edge))
    crossed = filters.guard(low, across.where, bound, lambda _: body)
    if inside != ONE:
        crossed = (ir.If(inside, crossed),)
    return ir.Each((other, edge), low.relation(((), *rows)), ir.Local(here), crossed)
