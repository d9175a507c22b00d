"""Paths over a board: whether a path leads to a goal, and all reachable cells."""

from __future__ import annotations

from collections.abc import Mapping

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Lowering, add, both
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import filters, membership, walks
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import FLAG, ThingT

ZERO, ONE = ir.Const(0), ir.Const(1)
Rows = tuple[tuple[int, ...], ...]


def linked(low: Lowering, node: t.Linked, env: Env) -> ir.Expr:
    known = _connected(low, node, env)
    if known is not None:
        return known
    return low.helper("linked", values.captured(env, node), env, node.span, lambda e: _flood(low, node, e))


def _connected(low: Lowering, node: t.Linked, env: Env) -> ir.Expr | None:
    """A test that a backend can index: one start, cells or edges of one attribute, a constant goal."""
    if not isinstance(node.start, t.SetOf) or len(node.start.members) != 1:
        return None
    start = node.start.members[0]
    if not isinstance(start.type, ThingT) or start.type.optional:
        return None
    if not isinstance(node.goal, t.Read) or not node.goal.column.constant:
        return None
    rows = ((), *(v for v in node.goal.column.values if isinstance(v, tuple)))
    if node.across is not None:
        return crossed(low, node, start, rows, node.goal, env)
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


# A path over cells that crosses edges becomes a path over edges that share a cell. A backend may index its groups.


def crossed(
    low: Lowering, node: t.Linked, start: t.Expr, goals: Rows, key: t.Read, env: Env
) -> ir.Expr | None:
    """Lower a path over a whole board to a path over its two-way edges, which one attribute distinguishes.

    None if the path has another form.
    """
    if node.across is None or not _is_whole(node.binder):
        return None
    found, beside = _edge_attribute(low, node.across), _edges_of_cells(low, node)
    if found is None or beside is None:
        return None

    def search(inner: Env) -> ir.Body:
        column, wanted = found
        edge, base = low.fresh("edge"), low.layout.columns[column].base
        value = values.value(low, wanted, inner)
        way = ir.Connected(
            base,
            low.size(column.kind),
            low.relation(_sharing(beside, low.size(column.kind))),
            ir.Local(edge),
            value,
            low.relation(tuple(tuple(sorted({e for c in row for e in beside[c]})) for row in goals)),
            values.fact_key(low, key, inner),
        )
        here = values.value(low, start, inner)
        is_free = ir.Binary("==", ir.Load(base, ir.Local(edge)), value)
        # all free edges of a cell are of one group, so the first of them answers for the others
        first = ir.Each((edge,), low.relation(beside), here, (ir.If(is_free, (ir.Return(way),)),))
        there = ir.If(membership.contains(low, key, here, False, inner), (ir.Return(ONE),))
        return (there, first, ir.Return(ZERO))

    return low.helper("linked", values.captured(env, node), env, node.span, search)


def _is_whole(binder: t.Binder) -> bool:
    whole = isinstance(binder.source, t.All) and not binder.source.kind.pool
    return whole and binder.where is None and binder.until is None and not binder.by


def _edge_attribute(low: Lowering, across: t.Binder) -> tuple[t.Column, t.Expr] | None:
    """The one attribute by which edges count, and the value they must have."""
    where = across.where
    if across.until is not None or across.by or not isinstance(across.source, t.All) or where is None:
        return None
    own = where.value if isinstance(where, t.Not) else where
    if own.type == FLAG and filters.reads_member(own, across.variable) and not across.source.kind.pool:
        assert isinstance(own, t.Read)
        return own.column, t.Constant(where.span, FLAG, int(own is where))
    found = filters.scan_of(low, across)
    return None if found is None or found[2] is not None else found[:2]


def _edges_of_cells(low: Lowering, node: t.Linked) -> Rows | None:
    """For each cell the edges to its neighbours. None if an edge is one-way."""
    assert node.across is not None and isinstance(node.binder.source, t.All)
    assert isinstance(node.across.source, t.All)
    near = low.rules.geometry[node.binder.source.kind.name].near
    border = low.rules.geometry[node.across.source.kind.name].border
    assert border is not None
    steps = {(a, b) for a, row in enumerate(near, start=1) for b in row if (a, b) in border.between}
    if any((b, a) not in steps or border.between[b, a] != border.between[a, b] for a, b in steps):
        return None
    return ((), *(_of(a, row, border.between) for a, row in enumerate(near, start=1)))


def _of(cell: int, near: tuple[int, ...], between: Mapping[tuple[int, int], int]) -> tuple[int, ...]:
    return tuple(between[cell, other] for other in near if (cell, other) in between)


def _sharing(beside: Rows, size: int) -> Rows:
    """For each edge the other edges with a common cell."""
    rows: list[set[int]] = [set() for _ in range(size + 1)]
    for edges in beside:
        for edge in edges:
            rows[edge].update(other for other in edges if other != edge)
    return tuple(tuple(sorted(row)) for row in rows)
