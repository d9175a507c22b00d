"""Costs with several ways to pay: each way is tried, and only ways that leave the rest payable are offered.

In a trial, a choice ends the function: for every answer, the remaining debt is tried on a copy. In a payment,
an answer is offered if that trial succeeds. `Env.owes` holds the debt. Without it the first way is taken.
"""

from __future__ import annotations

from collections.abc import Callable

from ruleforge.analysis.effects.payments import has_ways, matters
from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Lowering, Mode, both
from ruleforge.compiler.lower.effects import event_gates, statements
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import walks
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import used_variables

ZERO, ONE = ir.Const(0), ir.Const(1)
Parts = tuple[t.Statement, ...]
FOUND = (ir.Return(ONE),)


def owing(cost: t.Block | None, env: Env) -> Env:
    """The same place, from which one looks ahead if it matters how the cost is paid."""
    return env.owing(()) if cost is not None and has_ways(cost) else env


def looks_ahead(node: t.Statement, env: Env) -> bool:
    """Whether the way in which a part of a cost is paid has to be one that leaves the rest payable."""
    return env.owes is not None and env.mode is not Mode.TRIED and matters(node, env.owes)


def payable(
    low: Lowering,
    parts: Parts,
    env: Env,
    own: tuple[t.Variable, ...] = (),
    first: Callable[[Env], tuple[ir.Body, Env]] | None = None,
) -> ir.Expr:
    """Whether these parts can be paid one after the other. `first` runs before and can use `own` locals."""
    if not parts:
        return ONE
    span = parts[0].span
    known = (variable for variable in used_variables(*parts) if variable in env.values)
    free = tuple(dict.fromkeys((*own, *known)))

    def body(e: Env) -> ir.Body:
        # Inside, a choice looks ahead itself: the first way that works returns, and the trial has its answer.
        e = e.within(Mode.OWED).owing(())
        before, e = first(e) if first is not None else ((), e)
        done = (*before, *statements.block(low, t.Block(span, parts), e))
        if env.mode is Mode.REAL:
            done = event_gates.trying(low, done, parts)
        return (*done, *FOUND)

    call = low.helper("afford", free, env, span, body)
    return ir.Binary("==", ir.Trial(call.function, call.arguments), ONE)


def behind(node: t.Choose, later: tuple[t.Binder | t.Several, ...], env: Env) -> Parts:
    """The remaining cost once a binder of a choice has its value."""
    assert env.owes is not None
    if later:
        return (t.Choose(node.span, node.who, False, later, node.body, None), *env.owes)
    return (*node.body.statements, *env.owes)


def choose(low: Lowering, node: t.Choose, env: Env, missing: ir.Body) -> ir.Body:
    """In a trial, try every value. If none leaves the rest payable, the choice has no value."""
    binder, later = node.binders[0], node.binders[1:]
    assert isinstance(binder, t.Binder)
    parts = behind(node, later, env)
    way = walks.walk(low, binder, env, lambda e: (ir.If(payable(low, parts, e), FOUND),))
    return (*way, *missing)


def pick(low: Lowering, node: t.Pick, env: Env, missing: ir.Body) -> ir.Body:
    assert env.owes is not None
    found: list[ir.Statement] = []
    for _, test, effect in node.options:
        able = payable(low, (*effect.statements, *env.owes), env)
        found.append(ir.If(both(values.value(low, test, env), able) if test is not None else able, FOUND))
    return (*found, *missing)
