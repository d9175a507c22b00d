"""Lower `before`: statements that save values before an event, and their use after it."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import BoundValue, Env, Lowering, Words
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import carriers, modifiers, walks
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import SetT
from ruleforge.lang.checker.walk import free_variables

Memory = tuple[ir.Body, Env, modifiers.Known]


def recall_values(low: Lowering, rule: t.Rule, env: Env) -> Memory:
    """The saved values of a rule: locals, or one entry for each carrier if the rule is about any of them."""
    if not rule.before:
        return (), env, modifiers.nothing_more
    own = modifiers.about_itself(rule)
    if rule.carrier is not None and own is None and _speaks_of(rule.carrier, rule):
        body, known = _for_each(low, rule, rule.carrier, env)
        return body, env, known
    prelude: ir.Body = ()
    if rule.carrier is not None and own is not None:
        env = env.bind(rule.carrier.this, env.values[own[1]])
        prelude, env = carriers.bound(low, rule.carrier, env)
    sets, env = _as_locals(low, rule, env)
    return (*prelude, *sets), env, modifiers.nothing_more


def _speaks_of(carrier: t.Carrier, rule: t.Rule) -> bool:
    own = {carrier.this, carrier.me, *(variable for variable, _ in carrier.given)}
    return any(v in own for v in free_variables(*(value for _, value in rule.before)))


def _as_locals(low: Lowering, rule: t.Rule, env: Env) -> tuple[ir.Body, Env]:
    sets: list[ir.Statement] = []
    for variable, value in rule.before:
        words = values.flat(low, (value,), env)
        names = [low.fresh(variable.name) for _ in words]
        sets += [ir.Set(name, word) for name, word in zip(names, words, strict=True)]
        env = env.bind(variable, _value(variable, tuple(ir.Local(name) for name in names)))
    return tuple(sets), env


def _for_each(low: Lowering, rule: t.Rule, carrier: t.Carrier, env: Env) -> tuple[ir.Body, modifiers.Known]:
    """One array for each word, with an entry for every possible carrier, because the carrier is known only
    later.
    """
    arrays: dict[t.Variable, list[str]] = {}

    def keep(e: Env) -> ir.Body:
        prelude, e = carriers.bound(low, carrier, e)
        body = [*prelude]
        for variable, value in rule.before:
            words = values.flat(low, (value,), e)
            arrays[variable] = [low.fresh(variable.name) for _ in words]
            pairs = zip(arrays[variable], words, strict=True)
            body += [ir.SetElement(array, e.expr(carrier.this), word) for array, word in pairs]
        return tuple(body)

    all_of = carriers.binder_of(carrier)
    everyone = t.Binder(all_of.span, all_of.variable, all_of.source)
    walk = walks.walk(low, everyone, env, keep)
    size = low.size(carrier.kind) + 1
    made = tuple(ir.NewArray(array, size) for names in arrays.values() for array in names)

    def known(e: Env) -> Env:
        for variable, names in arrays.items():
            this = e.expr(carrier.this)
            e = e.bind(variable, _value(variable, tuple(ir.Element(array, this) for array in names)))
        return e

    return (*made, *walk), known


def _value(variable: t.Variable, words: tuple[ir.Expr, ...]) -> BoundValue:
    return Words(words) if isinstance(variable.type, SetT) else words[0]
