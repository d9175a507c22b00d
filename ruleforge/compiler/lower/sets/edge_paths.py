"""A path over cells that crosses edges -> one over edges that share a cell, of which a backend may keep the groups."""

from __future__ import annotations

from collections.abc import Mapping

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Lowering
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import filters, membership
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import FLAG

ZERO, ONE = ir.Const(0), ir.Const(1)
Rows = tuple[tuple[int, ...], ...]


def crossed(
    low: Lowering, node: t.Linked, start: t.Expr, goals: Rows, key: t.Read, env: Env
) -> ir.Expr | None:
    """Over all cells of a board that can be walked both ways, across edges that are told apart by one attribute."""
    if node.across is None or not _is_whole(node.binder):
        return None
    found, beside = _told_apart(low, node.across), _edges_of_cells(low, node)
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


def _told_apart(low: Lowering, across: t.Binder) -> tuple[t.Column, t.Expr] | None:
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
    """For each cell the edges to its neighbours; None where one of them can be crossed one way alone."""
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
    """For each edge the others that it shares a cell with."""
    rows: list[set[int]] = [set() for _ in range(size + 1)]
    for edges in beside:
        for edge in edges:
            rows[edge].update(other for other in edges if other != edge)
    return tuple(tuple(sorted(row)) for row in rows)
