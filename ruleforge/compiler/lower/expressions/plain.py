"""Tables and choices between values, known at once where what decides is known."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Lowering


def lookup(low: Lowering, values: tuple[int, ...], index: ir.Expr) -> ir.Expr:
    """A constant vector read at an index; known at once if the index is."""
    if isinstance(index, ir.Const):
        return ir.Const(values[index.value])
    if values == tuple(range(len(values))):
        return index
    return ir.Table(low.table(values), index)


def choose(test: ir.Expr, then: ir.Expr, other: ir.Expr) -> ir.Expr:
    if isinstance(test, ir.Const):
        return then if test.value else other
    return ir.Select(test, then, other)
