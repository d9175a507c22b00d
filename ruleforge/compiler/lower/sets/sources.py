"""Sources of a walk: whether they have an order, formulas read in place, and relations of boards."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Held, Lazy, Lowering, digits
from ruleforge.compiler.lower.expressions import values
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.geometry import ray_of
from ruleforge.lang.checker.types import NumbersT, SetT


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


# Formulas that give a set -> their bodies, read where they are called.


def read_in_place(low: Lowering, source: t.CallFormula) -> bool:
    if isinstance(source.type, NumbersT):
        return not low.is_modified(source.formula)
    return isinstance(source.type, SetT) and not low.stands_alone(source.formula)


def formula_env(low: Lowering, node: t.CallFormula, env: Env) -> Env:
    """The parameters of a formula that gives a set, which is always read in place."""
    given: dict[t.Variable, Held] = {}
    for parameter, argument in zip(node.formula.parameters, node.arguments, strict=True):
        given[parameter] = (
            Lazy(argument, env) if isinstance(argument.type, SetT) else values.value(low, argument, env)
        )
    return Env(given)


# `ray`, `neighbours` -> a relation, and the key of a row in it.


def board_relation(low: Lowering, source: t.Builtin, env: Env) -> tuple[int, ir.Expr]:
    assert source.kind is not None
    geometry = low.rules.geometry[source.kind.name]
    cells = range(1, source.kind.size + 1)
    arguments = tuple(values.value(low, a, env) for a in source.arguments)
    if source.name == "neighbours":
        return low.relation(((), *geometry.near)), arguments[0]
    directions = low.kind("direction").things
    rows = ((), *(ray_of(geometry, c, d) for c in cells for d in directions))
    return low.relation(rows), digits(arguments, (source.kind.size, len(directions)))
