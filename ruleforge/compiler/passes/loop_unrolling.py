"""Unroll short loops."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.compiler import ir
from ruleforge.compiler.passes.expressions import simple
from ruleforge.compiler.passes.folding import Tables, fold
from ruleforge.compiler.passes.substitution import substitute
from ruleforge.compiler.visit import (
    LOOPS,
    Expression,
    Node,
    assigned,
    bodies,
    count,
    same,
    statements,
    with_bodies,
)

Relations = Sequence[Sequence[Sequence[object]]]


def unroll(
    body: ir.Body,
    tables: Tables,
    relations: Relations,
    indexed: frozenset[int] = frozenset(),
    most: int = 16,
    budget: int = 600,
) -> ir.Body:
    """Write out loops over a constant range, a constant relation row or a small column that holds no index.

    `indexed` are the bases of columns with an index.
    """
    return _unroll(fold(body, tables), tables, relations, indexed, most, budget)


def _unroll(
    body: ir.Body,
    tables: Tables,
    relations: Relations,
    indexed: frozenset[int],
    most: int,
    budget: int,
) -> ir.Body:
    """Unroll the loops of a folded body."""
    out: list[Node] = []
    for statement in body:
        statement = with_bodies(
            statement, lambda b: _unroll(b, tables, relations, indexed, most, max(budget // 4, 60))
        )
        rounds = _rounds(statement, relations, indexed)
        if rounds is None or len(rounds) > most or _breaks(statement.body) or _assigns(statement):
            out.append(statement)
            continue
        written = [_test_and_body(statement, values) for values in rounds]
        flat = fold(tuple(s for part in written for s in part), tables)
        if size(flat) > budget:
            out.append(statement)
        else:
            out.extend(flat)
    return same(body, out)


def _test_and_body(loop: Node, values: dict[str, Expression]) -> ir.Body:
    body = substitute(loop.body, values)
    if isinstance(loop, ir.Scan):
        number = values[loop.name]
        return (ir.If(ir.Binary("==", ir.Load(loop.base, number), loop.value), body, place=loop.place),)
    return body


def _rounds(loop: Node, relations: Relations, indexed: frozenset[int]) -> list[dict[str, Expression]] | None:
    match loop:
        case ir.ForRange(name=name, low=ir.Const(value=low), high=ir.Const(value=high)):
            return [{name: ir.Const(i)} for i in range(low, min(high, low + 99) + 1)]
        case ir.Scan(name=name, base=base, size=n, frozen=False) if base not in indexed and simple(
            loop.value
        ):
            return [{name: ir.Const(i)} for i in range(1, min(n, 99) + 1)]
        case ir.Each(names=names, relation=relation, key=ir.Const(value=key)):
            rows = [row if isinstance(row, tuple) else (row,) for row in relations[relation][key]]
            return [{n: ir.Const(int(v)) for n, v in zip(names, row, strict=True)} for row in rows]
    return None


def _breaks(body: ir.Body) -> bool:
    """Whether a Break in the body leaves the loop around it."""
    for statement in body:
        if isinstance(statement, ir.Break):
            return True
        if not isinstance(statement, LOOPS) and any(_breaks(inner) for inner in bodies(statement)):
            return True
    return False


def _assigns(loop: Node) -> bool:
    names = set(assigned(loop))
    value = getattr(loop, "value", None)
    if isinstance(value, ir.Local):
        names.add(value.name)
    return any(names & set(assigned(statement)) for statement in statements(loop.body))


def size(body: ir.Body) -> int:
    """A rough measure of how much code a body becomes."""
    return count(body)
