"""Loops over all answers of binders with conditions, and tests for at least one."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Inner, Lowering, Words, both
from ruleforge.compiler.lower.decisions import several
from ruleforge.compiler.lower.decisions.answers import Answer, Closing, early_needs, late_needs
from ruleforge.compiler.lower.decisions.parts import Joint, Together, bound_by, walk
from ruleforge.compiler.lower.decisions.question import Allowed, Binders
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import filters
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import free_variables


def nested(
    low: Lowering, binders: tuple[Joint, ...], needs: tuple[t.Expr, ...], env: Env, inner: Inner
) -> ir.Body:
    """Loops over dependent binders. Each requirement is tested as soon as its variables are bound."""
    bound_later = {bound_by(b) for b in binders}
    now = tuple(n for n in needs if not bound_later & set(free_variables(n)))
    rest = tuple(n for n in needs if n not in now)

    def step(e: Env) -> ir.Body:
        if not binders:
            return inner(e)
        return walk(low, binders[0], e, lambda x: nested(low, binders[1:], rest, x, inner))

    return _require(low, now, env, step)


def _require(low: Lowering, needs: tuple[t.Expr, ...], env: Env, inner: Inner) -> ir.Body:
    if not needs:
        return inner(env)
    if len(needs) > filters.MOST:
        test = both(*(values.value(low, n, env) for n in needs))
        return inner(env) if test == ir.Const(1) else (ir.If(test, inner(env)),)
    return filters.guard(low, needs[0], env, lambda e: _require(low, needs[1:], e, inner))


def possible(
    low: Lowering,
    binders: Binders,
    needs: tuple[t.Expr, ...],
    env: Env,
    allowed: Allowed | None = None,
    uses: tuple[object, ...] = (),
) -> ir.Expr:
    """Whether the remaining binders have an allowed answer: the same loops, with an exit at the first
    success.
    """
    if not binders:
        met = both(*(values.value(low, n, env) for n in needs))
        return met if allowed is None else both(met, allowed((), env))
    captured = values.captured(env, *binders, *needs, *uses)
    span = binders[0].span

    def body(e: Env) -> ir.Body:
        return (*_successes(low, binders, needs, e, allowed, uses), ir.Return(ir.Const(0)))

    return low.helper("possible", captured, env, span, body)


def _successes(
    low: Lowering,
    binders: Binders,
    needs: tuple[t.Expr, ...],
    env: Env,
    allowed: Allowed | None,
    uses: tuple[object, ...],
) -> ir.Body:
    """Return 1 at the first way to answer everything."""
    # Sets of open size cannot be looped over like things; a search of their own follows what comes before them.
    at = next((i for i, b in enumerate(binders) if isinstance(b, t.Several)), len(binders))
    single = tuple(b for b in binders[:at] if isinstance(b, t.Binder))
    if at == len(binders):
        return nested(low, single, needs, env, lambda e: _hit(e, allowed))
    later = {bound_by(b) for b in binders[at:]}
    early = tuple(n for n in needs if not later & set(free_variables(n)))
    late = tuple(n for n in needs if n not in early)

    def some_set(e: Env) -> ir.Body:
        first = binders[at]
        assert isinstance(first, t.Several)
        return _some_set(low, several.Whole(first, binders[at + 1 :], late, allowed, uses), e)

    return nested(low, single, early, env, some_set)


def _hit(env: Env, allowed: Allowed | None) -> ir.Body:
    found = (ir.Return(ir.Const(1)),)
    return found if allowed is None else (ir.If(allowed((), env), found),)


def _some_set(low: Lowering, whole: several.Whole, env: Env) -> ir.Body:
    first = whole.node
    empty = Words((ir.Const(0),) * several.word_count(low, first))
    found = several.search(low, whole, env.bind(first.chosen, empty), ir.Const(0))
    return (ir.If(found, (ir.Return(ir.Const(1)),)),)


def anything(low: Lowering, answer: Answer, env: Env) -> ir.Expr:
    """Whether there is any way to give this answer."""
    if answer.test is None:
        each = tuple(b.node if isinstance(b, Together) else b for b in answer.binders)
        return possible(low, (*each, *answer.later), answer.needs, env)
    captured = values.captured(env, *answer.binders, *answer.later, *answer.needs, *answer.uses)

    def body(e: Env) -> ir.Body:
        def hit(x: Env) -> ir.Body:
            assert answer.test is not None
            test = both(possible(low, answer.later, late_needs(answer), x), answer.test(x))
            return (ir.If(test, (ir.Return(ir.Const(1)),)),)

        return (*nested(low, answer.binders, early_needs(answer), e, hit), ir.Return(ir.Const(0)))

    return low.helper("anything", captured, env, answer.span, body)


def conceivable(low: Lowering, closing: Closing, env: Env) -> ir.Expr:
    """Whether there could be an answer, as far as every player can know."""
    tests = tuple(anything(low, answer, env) for answer in closing.open)
    return tests[0] if len(tests) == 1 else ir.Logic("or", tests) if tests else ir.Const(0)
