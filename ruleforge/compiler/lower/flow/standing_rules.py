"""Standing rules: their current cases, their effects, and the memory of rules that ask first."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower import notes
from ruleforge.compiler.lower.context import Env, Inner, Lowering, Mode, add, digits, load, store
from ruleforge.compiler.lower.decisions import costs
from ruleforge.compiler.lower.effects import statements, taint
from ruleforge.compiler.lower.sets import carriers, filters, walks
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ThingT

ZERO, ONE = ir.Const(0), ir.Const(1)
FIRED = "fired"


def reserve(low: Lowering) -> None:
    """Reserve words in the row for the answers to optional standing rules: they ask once for each case."""
    for rule in low.hooks.always:
        if rule.may:
            low.hooks.answers_of[rule] = low.layout.reserve(_cases(low, rule))


def found(low: Lowering, rule: t.Rule, env: Env, inner: Inner, frozen: bool = False) -> ir.Body:
    """Run a body for each current case of a standing rule."""
    assert rule.binder is not None
    binder = rule.binder

    def each(e: Env) -> ir.Body:
        return walks.walk(low, binder, e, lambda x: filters.guard(low, rule.when, x, inner), frozen)

    return carriers.walk(low, rule.carrier, env, each, ordered=frozen)


def due(low: Lowering, rule: t.Rule) -> ir.Body:
    """Return 1 if the rule has a case. For a rule that asks, only a case without an answer counts."""
    if not rule.may:
        return found(low, rule, Env(), lambda _: (ir.Return(ONE),))
    now, other = low.fresh("now"), low.fresh("case")
    answer = load(low.hooks.answers_of[rule], ir.Local(other))
    differs = ir.If(ir.Binary("!=", answer, ir.Element(now, ir.Local(other))), (ir.Return(ONE),))
    cases = ir.Const(_cases(low, rule))
    return (*_cases_now(low, rule, now), ir.ForRange(other, ONE, cases, (differs,)))


def always(low: Lowering, rule: t.Rule, mode: Mode) -> str:
    """One round of a standing rule: find all cases, then act for each that still holds.

    It gives 1 if the rule acted. A rule without uses left, or with a cost that cannot be paid, does not act.
    """
    name = mode.own(f"always {rule.name}")
    if name in low.functions:
        return name
    low.reserve(name, ())
    assert rule.binder is not None
    where = rule.binder.where

    def act(e: Env) -> ir.Body:
        note = low.note(notes.applied(low, rule), carriers.number(rule, e))
        body = (ir.Set(FIRED, ONE), note, *statements.block(low, rule.body, e))
        return filters.guard(low, where, e, lambda x: _once(low, rule, x, body))

    acted = found(low, rule, Env(mode=mode), act, frozen=True)
    body = (*_forgotten(low, rule), *taint.rule(low, rule, acted, Env(mode=mode)))
    return low.define(name, (), (ir.Set(FIRED, ZERO), *body, ir.Return(ir.Local(FIRED))), rule.span)


# --- rules that ask: once for each case, until it is none any more ---


def _cases(low: Lowering, rule: t.Rule) -> int:
    carried = low.size(rule.carrier.kind) if rule.carrier else 1
    return carried * _size(low, rule)


def _size(low: Lowering, rule: t.Rule) -> int:
    assert rule.binder is not None and isinstance(rule.binder.variable.type, ThingT)
    return low.size(low.kind(rule.binder.variable.type.kind))


def _case(low: Lowering, rule: t.Rule, env: Env) -> ir.Expr:
    """The number of a case, from 1: who carries the rule, and what it found."""
    assert rule.binder is not None
    this = carriers.number(rule, env) if rule.carrier else ONE
    size = low.size(rule.carrier.kind) if rule.carrier else 1
    return digits((this, env.expr(rule.binder.variable)), (size, _size(low, rule)))


def _cases_now(low: Lowering, rule: t.Rule, array: str) -> ir.Body:
    def mark(e: Env) -> ir.Body:
        return (ir.SetElement(array, _case(low, rule, e), ONE),)

    return (ir.NewArray(array, _cases(low, rule) + 1), *found(low, rule, Env(), mark))


def _forgotten(low: Lowering, rule: t.Rule) -> ir.Body:
    """Forget answers about cases that no longer hold, so that they are asked again."""
    if not rule.may:
        return ()
    now, other, base = low.fresh("now"), low.fresh("case"), low.hooks.answers_of[rule]
    gone = ir.If(
        ir.Binary("==", ir.Element(now, ir.Local(other)), ZERO), (store(base, ir.Local(other), ZERO),)
    )
    cases = ir.Const(_cases(low, rule))
    return (*_cases_now(low, rule, now), ir.ForRange(other, ONE, cases, (gone,)))


def _once(low: Lowering, rule: t.Rule, env: Env, body: ir.Body) -> ir.Body:
    if not rule.may:
        return costs.optional(low, rule, env, body)
    case, base = low.fresh("case"), low.hooks.answers_of[rule]
    answer = (ir.Set(FIRED, ONE), store(base, ir.Local(case), ONE))
    fresh = ir.Binary("==", load(base, ir.Local(case)), ZERO)
    ask = costs.optional(low, rule, env, body, answer)
    return (ir.Set(case, add(_case(low, rule, env), 0)), ir.If(fresh, ask))
