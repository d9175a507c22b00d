"""Lower the statements by which players or chance decide, in real and speculative execution."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower import branches
from ruleforge.compiler.lower.context import Env, Lowering, Mode, both
from ruleforge.compiler.lower.decisions import chance, choose_statements, costs, ways, windows
from ruleforge.compiler.lower.decisions.possibility import possible
from ruleforge.compiler.lower.effects import statements
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import walks
from ruleforge.lang.checker import typed as t
from ruleforge.support.diagnostics import Span

ZERO, ONE = ir.Const(0), ir.Const(1)


def decision(low: Lowering, node: t.Statement, env: Env) -> tuple[ir.Body, Env]:
    """Lower a statement that needs a decision."""
    real = env.mode is Mode.REAL
    match node:
        case t.Choose():
            return (choose_statements.choose if real else choose)(low, node, env), env
        case t.Pick():
            return (choose_statements.pick if real else pick)(low, node, env), env
        case t.Sealed():
            return (choose_statements.sealed if real else sealed)(low, node, env), env
        case t.Offer():  # in a trial no player acts
            return windows.offer(low, node, env) if real else (), env
        case t.Pay():
            return costs.pay(low, node, env), env
        case t.Roll(variable=variable):
            name, env = statements.local(low, variable, env)
            return (chance.roll if real else roll)(low, node, name, env), env
        case t.RandomPick(variable=variable, binder=binder):
            name, env = statements.local(low, variable, env)
            if not real:
                return random_pick(low, binder, name, env), env
            return chance.random_pick(low, node, binder, name, env), env
    raise AssertionError(node)


# Decisions in a trial, without questions: it takes the first way that works, and cannot foresee chance.


def choose(low: Lowering, node: t.Choose, env: Env) -> ir.Body:
    """In a trial, take the first way that works. Without one, a cost cannot be paid."""
    otherwise = statements.block(low, node.otherwise, env)
    missing = otherwise if node.otherwise is not None or node.optional else _unpaid(low, node.span, env.mode)
    binder = node.binders[0]
    if isinstance(binder, t.Binder) and ways.looks_ahead(node, env):
        return ways.choose(low, node, env, missing)
    if node.optional:
        return otherwise
    if isinstance(binder, t.Several):
        return (ir.If(values.negated(possible(low, node.binders, (), env)), missing),)
    name = low.fresh(binder.variable.name)
    rest = t.Choose(node.span, node.who, False, node.binders[1:], node.body, node.otherwise)
    inner = env.bind(binder.variable, ir.Local(name))
    then = choose(low, rest, inner) if rest.binders else statements.block(low, node.body, inner)
    found = low.fresh("found")
    some = ir.If(ir.Local(found), then, missing)
    return (*_first_way(low, binder, node.binders[1:], env, name, found), some)


def _unpaid(low: Lowering, span: Span, mode: Mode) -> ir.Body:
    return (ir.Trap(low.fault("RF817", "there is nothing to choose", span)),) if mode is Mode.OWED else ()


def _first_way(
    low: Lowering, binder: t.Binder, later: tuple[t.Binder | t.Several, ...], env: Env, name: str, found: str
) -> ir.Body:
    """The first value of a binder behind which the later ones can be answered too, and whether there is one."""

    def take(e: Env) -> ir.Body:
        free = both(ir.Binary("==", ir.Local(found), ZERO), possible(low, later, (), e))
        return (ir.If(free, (ir.Set(name, e.expr(binder.variable)), ir.Set(found, ONE))),)

    return (ir.Set(name, ZERO), ir.Set(found, ZERO), *walks.walk(low, binder, env, take))


def pick(low: Lowering, node: t.Pick, env: Env) -> ir.Body:
    if ways.looks_ahead(node, env):
        return ways.pick(low, node, env, _unpaid(low, node.span, env.mode))
    tests: list[tuple[ir.Expr, ir.Body]] = []
    for _, test, effect in node.options:
        own = statements.block(low, effect, env)
        if test is None:
            return branches.first_true(low, tests, own)
        tests.append((values.value(low, test, env), own))
    return branches.first_true(low, tests, _unpaid(low, node.span, env.mode))


def sealed(low: Lowering, node: t.Sealed, env: Env) -> ir.Body:
    """Ask one player after the other, as if it were no secret."""
    who = t.Use(node.span, node.each.variable.type, node.each.variable)
    one = t.Choose(node.span, who, False, node.binders, node.body, None)
    return walks.walk(low, node.each, env, lambda e: choose(low, one, e))


def roll(low: Lowering, node: t.Roll, name: str, env: Env) -> ir.Body:
    """Every die shows its lowest face."""
    lowest = values.value(low, node.low, env)
    return (ir.Set(name, ir.Binary("*", lowest, ir.Const(node.number), True)),)


def random_pick(low: Lowering, binder: t.Binder, name: str, env: Env) -> ir.Body:
    """The first that fits."""
    return _first_way(low, binder, (), env, name, low.fresh("found"))
