"""Loops over the carriers of a rule or action."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Inner, Lowering
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import filters, walks
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import FLAG, SetT, ThingT
from ruleforge.lang.checker.walk import substitute


def binder_of(carrier: t.Carrier, *more: t.Expr) -> t.Binder:
    """The carriers that work now."""
    span, this = carrier.this.span, carrier.this
    use = t.Use(span, this.type, this)
    kind = carrier.kind
    source: t.Expr = t.All(span, SetT(kind.name), kind)
    tests: list[t.Expr] = []
    if carrier.things is not None:
        ids = tuple(t.Constant(span, ThingT(kind.name), i) for i in carrier.things)
        source = t.SetOf(span, SetT(kind.name), ids)
    if carrier.works is not None:
        tests.append(carrier.works)
    tests += more
    if carrier.keyword is not None:  # last: other rules may have a say in it, so it is dear to ask
        keyword = t.Constant(span, ThingT("keyword"), carrier.keyword.number)
        tests.append(t.In(span, FLAG, keyword, t.KeywordsOf(span, SetT("keyword"), use)))
    where = None if not tests else tests[0] if len(tests) == 1 else t.Logic(span, FLAG, "and", tuple(tests))
    return t.Binder(span, this, source, None, where)


def in_order(binder: t.Binder, conduct: t.Conduct) -> t.Binder:
    """The same carriers in the order in which their rules act."""
    by = (substitute(conduct.trigger_order, binder.variable),) if conduct.trigger_order else ()
    return t.Binder(binder.span, binder.variable, binder.source, None, binder.where, by)


def controlled_by(carrier: t.Carrier, me: t.Variable) -> t.Expr:
    """Whether `me` is the controller of the carrier."""
    assert carrier.conduct.controller is not None
    owner = substitute(carrier.conduct.controller, carrier.this)
    return t.Compare(carrier.this.span, FLAG, "==", owner, t.Use(carrier.this.span, me.type, me))


def bound(low: Lowering, carrier: t.Carrier, env: Env) -> tuple[ir.Body, Env]:
    """Bind `me` to the controller of the carrier, and the parameters of its keyword."""
    prelude: list[ir.Statement] = []
    if carrier.me is not None and carrier.conduct.controller is not None:
        owner = values.value(low, substitute(carrier.conduct.controller, carrier.this), env)
        if not values.is_simple(owner):
            name = low.fresh("me")
            prelude.append(ir.Set(name, owner))
            owner = ir.Local(name)
        env = env.bind(carrier.me, owner)
    for variable, fact in carrier.given:
        env = env.bind(variable, values.value(low, fact, env))
    return tuple(prelude), env


def walk(low: Lowering, carrier: t.Carrier | None, env: Env, inner: Inner, ordered: bool = False) -> ir.Body:
    """Run `inner` for every working carrier; once, for a rule that nothing carries."""
    if carrier is None:
        return inner(env)

    def each(e: Env) -> ir.Body:
        prelude, e = bound(low, carrier, e)
        return (*prelude, *inner(e))

    binder = binder_of(carrier)
    if carrier.things is not None and len(carrier.things) == 1:  # as most are: no loop is needed
        return filters.guard(low, binder.where, env.bind(carrier.this, ir.Const(carrier.things[0])), each)
    return walks.walk(low, in_order(binder, carrier.conduct) if ordered else binder, env, each)


def alone(
    low: Lowering, carrier: t.Carrier, of: t.Variable, rest: tuple[t.Expr, ...], env: Env, inner: Inner
) -> ir.Body:
    """Run a body for a rule about `self`: only one thing can be the carrier, so there is no search."""
    binder = binder_of(carrier)
    env = env.bind(carrier.this, env.values[of])
    tests = [] if binder.where is None else [binder.where]
    if carrier.things is not None:
        use = t.Use(carrier.this.span, carrier.this.type, carrier.this)
        tests.insert(0, t.In(carrier.this.span, FLAG, use, binder.source))

    def act_as(e: Env) -> ir.Body:
        prelude, e = bound(low, carrier, e)
        return (*prelude, *_under(low, rest, e, inner))

    return _under(low, tuple(tests), env, act_as)


def _under(low: Lowering, tests: tuple[t.Expr, ...], env: Env, inner: Inner) -> ir.Body:
    if not tests:
        return inner(env)
    return filters.guard(low, tests[0], env, lambda e: _under(low, tests[1:], e, inner))


def number(rule: t.Rule, env: Env) -> ir.Expr:
    """The carrier in an environment, 0 for a rule that nothing carries."""
    return env.expr(rule.carrier.this) if rule.carrier else ir.Const(0)


def works(low: Lowering, carrier: t.Carrier | None, env: Env) -> ir.Expr:
    """Whether the carrier still carries the rule, and the rule still works."""
    if carrier is None:
        return ir.Const(1)
    where = binder_of(carrier).where
    return values.value(low, where, env) if where is not None else ir.Const(1)
