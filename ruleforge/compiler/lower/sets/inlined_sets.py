"""Formulas that give a set -> their bodies, read where they are called."""

from __future__ import annotations

from ruleforge.compiler.lower.context import Env, Held, Lazy, Lowering
from ruleforge.compiler.lower.expressions import values
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import NumbersT, SetT


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
