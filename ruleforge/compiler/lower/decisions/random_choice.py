"""Drawing one choice of several answers without listing them all: any code at random, tested, until one fits."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Inner, Lowering, both
from ruleforge.compiler.lower.decisions.answers import Answer, Closing, early_needs, late_needs
from ruleforge.compiler.lower.decisions.choice_codes import taken_apart
from ruleforge.compiler.lower.decisions.parts import Joint
from ruleforge.compiler.lower.decisions.possibility import anything, possible
from ruleforge.compiler.lower.sets import filters
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import FLAG, NumberT, ThingT
from ruleforge.lang.checker.walk import free_variables
from ruleforge.support.diagnostics import NOWHERE, Span

FEWEST, MOST = 32, 1024  # codes of a site for which this pays: fewer are listed sooner, of more too few fit
NO, YES = ir.Const(0), ir.Const(1)


def any_code(
    low: Lowering,
    answers: tuple[Answer, ...],
    options: tuple[ir.Option, ...],
    closing: Closing,
    env: Env,
    span: Span,
) -> ir.Sampler | None:
    """For sites where testing an answer is dear, so that testing all of them is what takes the time."""
    if (
        closing.alone
        or not any(a.dear for a in answers)
        or any(not _is_plain(b) for a in answers for b in a.binders)
    ):
        return None
    last = (*options, *closing.words)[-1]
    total = last.first + last.count
    if not FEWEST <= total <= MOST:
        return None
    drawn = t.Variable("code", NumberT(0, total - 1), NOWHERE)
    name = low.fresh("code")
    nodes = [x for a in answers for x in (*a.binders, *a.later, *a.needs, *a.uses)]
    free = (drawn, *(v for v in free_variables(*nodes) if v in env.values))

    def body(e: Env) -> ir.Body:
        code = e.expr(drawn)
        found: list[ir.Statement] = []
        for answer, option in zip(answers, options, strict=True):
            mine = ir.Binary("<", code, ir.Const(option.first + option.count))
            found.append(ir.If(mine, (*_test(low, answer, option, code, e), ir.Return(NO))))
        if closing.words:  # they are there if anything else is, or could be
            tests = (*answers, *closing.open)
            found += [ir.If(anything(low, a, e), (ir.Return(YES),)) for a in tests]
        return (*found, ir.Return(NO))

    test = low.helper("fits", free, env.bind(drawn, ir.Local(name)), span, body)
    if not all(isinstance(a, ir.Local | ir.Const) for a in test.arguments):
        return None
    tries = total // 2  # listing tests every code: giving up sooner would throw cheap luck away
    return ir.Sampler((name,), (ir.DrawRange(0, total - 1),), test, ir.Local(name), tries)


def _test(low: Lowering, answer: Answer, option: ir.Option, code: ir.Expr, env: Env) -> ir.Body:
    """Return 1 if the code is one that this answer offers."""
    body: list[ir.Statement] = []
    inner = env
    conditions: list[t.Expr] = []
    for binder, digit in zip(answer.binders, taken_apart(option, code), strict=True):
        assert isinstance(binder, t.Binder)
        local = low.fresh(binder.variable.name)
        body.append(ir.Set(local, digit))
        inner = inner.bind(binder.variable, ir.Local(local))
        conditions += [_is_member(binder), *([binder.where] if binder.where is not None else [])]
    needs, late = early_needs(answer), late_needs(answer)

    def last(e: Env) -> ir.Body:
        test = possible(low, answer.later, late, e)
        if answer.test is not None:
            test = both(test, answer.test(e))
        return (ir.Return(YES),) if test == YES else (ir.If(test, (ir.Return(YES),)),)

    return (*body, *_under(low, (*needs, *conditions), inner, last))


def _under(low: Lowering, conditions: tuple[t.Expr, ...], env: Env, inner: Inner) -> ir.Body:
    if not conditions:
        return inner(env)
    return filters.guard(low, conditions[0], env, lambda e: _under(low, conditions[1:], e, inner))


def _is_plain(binder: Joint) -> bool:
    """Whether its members can be told by a test alone."""
    return isinstance(binder, t.Binder) and binder.until is None


def _is_member(binder: t.Binder) -> t.Expr:
    source, variable = binder.source, binder.variable
    use = t.Use(binder.span, variable.type, variable)
    if isinstance(source.type, ThingT):  # a thing or none as a source of one or no member
        return t.Compare(binder.span, FLAG, "==", source, use)
    return t.In(binder.span, FLAG, use, source)
