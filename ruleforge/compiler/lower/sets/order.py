"""A source of a walk -> whether it has an order of its own, or that of its kind."""

from __future__ import annotations

from ruleforge.compiler.lower.context import Env, Lazy, Lowering
from ruleforge.compiler.lower.sets.inlined_sets import formula_env, read_in_place
from ruleforge.lang.checker import typed as t


def has_own_order(low: Lowering, source: t.Expr, env: Env) -> bool:
    """Is a source walked in an order of its own? All others are walked in the order of their kind."""
    match source:
        case t.Interval() | t.Builtin(name="ray"):
            return True
        case t.Content(place=place):
            return place.ordered
        case t.Selection(binder=binder):
            return bool(binder.by) or has_own_order(low, binder.source, env)
        case t.Conditional(then=one, other=other) | t.Arithmetic(op="|", left=one, right=other):
            return has_own_order(low, one, env) or has_own_order(low, other, env)
        case t.Arithmetic(left=left):
            return has_own_order(low, left, env)
        case t.CallFormula(formula=formula) if read_in_place(low, source) and formula.body is not None:
            return has_own_order(low, formula.body, formula_env(low, source, env))
        case t.Use(variable=variable):
            held = env.values[variable]
            return isinstance(held, Lazy) and has_own_order(low, held.source, held.env)
    return False
