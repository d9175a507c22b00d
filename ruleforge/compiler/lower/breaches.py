"""Breaches of a contract by packs that are only observed: counted in words of the row, and told by records."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower import notes
from ruleforge.compiler.lower.context import Lowering, add
from ruleforge.support.diagnostics import Span

ZERO = ir.Const(0)


def found(
    low: Lowering,
    what: str,
    clauses: tuple[str, ...],
    span: Span,
    value: ir.Expr = ZERO,
    limit: ir.Expr = ZERO,
    proved: bool = False,
) -> ir.Body:
    """One breach is counted and told."""
    assert low.kept is not None
    known = next((b for b in low.kept.breaches if (b.what, b.span, b.clauses) == (what, span, clauses)), None)
    if known is None:
        known = ir.BreachInfo(what, clauses, span, low.layout.reserve(1) + 1, proved)
        low.kept.breaches.append(known)
    count = ir.Store(known.slot, None, add(ir.Load(known.slot), 1))
    return (count, low.note(notes.breached(known), value, limit))
