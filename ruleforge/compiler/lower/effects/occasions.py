"""The running phases and windows, stored in the state vector if the rules ask for them."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Lowering, load, store
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.typed.own_columns import under_way
from ruleforge.lang.checker.types import FLAG, ThingT
from ruleforge.support.diagnostics import NOWHERE

ONE = ir.Const(1)
_GAME = t.Constant(NOWHERE, ThingT("game"), 1)


def mark(low: Lowering, name: str) -> t.Column | None:
    """The column that says whether a phase or window is running, if a rule reads it."""
    return low.rules.columns.get(("game", under_way(name)))


def noted(low: Lowering, column: t.Column, value: ir.Expr) -> ir.Body:
    """Store its begin or end, and let rules react."""
    change = t.Store(NOWHERE, column, _GAME, (), t.Constant(NOWHERE, FLAG, 1))
    return (store(low.layout.columns[column].base, ONE, value), *low.above.settled(low, change, Env()))


def within(low: Lowering, name: str, body: ir.Body) -> ir.Body:
    """Run a body inside a window, which may be opened again while it is open."""
    column = mark(low, name)
    if column is None:
        return body
    before = low.fresh("before")
    known = ir.Set(before, load(low.layout.columns[column].base, ONE))
    return (known, *noted(low, column, ONE), *body, *noted(low, column, ir.Local(before)))
