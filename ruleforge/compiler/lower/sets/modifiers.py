"""Open formulas: the last `set`, plus the sum of all `add` cut to its limit, then the clamp."""

from __future__ import annotations

from collections.abc import Callable

from ruleforge.check import typed as t
from ruleforge.check.types import SetT
from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Held, Inner, Lowering, Words, clamped
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import carriers, filters, masks

ZERO, ONE = ir.Const(0), ir.Const(1)
Known = Callable[[Env], Env]


def nothing_more(env: Env) -> Env:
    return env


# --- numbers, flags and things ---


def number_formula(low: Lowering, formula: t.Formula, arguments: tuple[ir.Expr, ...]) -> ir.Expr:
    name = f"formula {formula.name}"
    if name not in low.functions:
        parameters, env = parameters_of(low, formula.parameters)
        low.reserve(name, parameters)
        low.define(name, parameters, _number_body(low, formula, parameters, env), formula.span)
    return ir.CallExpr(name, arguments)


def parameters_of(low: Lowering, variables: tuple[t.Variable, ...]) -> tuple[tuple[str, ...], Env]:
    """Names for parameters, a set as several words, and what the variables stand for."""
    names: list[str] = []
    held: dict[t.Variable, Held] = {}
    for i, variable in enumerate(variables):
        base = f"{variable.name}_p{i}"
        if isinstance(variable.type, SetT):
            own = [f"{base}w{j}" for j in range(masks.word_count(low, low.kind(variable.type.kind)))]
            names += own
            held[variable] = Words(tuple(ir.Local(n) for n in own))
        else:
            names.append(base)
            held[variable] = ir.Local(base)
    return tuple(names), Env(held)


def _number_body(low: Lowering, formula: t.Formula, parameters: tuple[str, ...], env: Env) -> ir.Body:
    assert formula.body is not None
    given = tuple(ir.Local(p) for p in parameters)
    total, added = "total", "added"
    body: list[ir.Statement] = [ir.Set(total, values.value(low, formula.body, env)), ir.Set(added, ZERO)]
    rules = low.hooks.modify.get(formula, [])
    for rule in rules:
        if rule.op == "set":
            applies = ir.CallExpr(_applies(low, rule), given)
            body.append(
                ir.If(applies, (ir.Set(total, ir.CallExpr(_contribution(low, rule, formula), given)),))
            )
    for rule in rules:
        if rule.op == "add":
            more = ir.CallExpr(_contribution(low, rule, formula), given)
            body.append(ir.Set(added, ir.Binary("+", ir.Local(added), more, True)))
    result = ir.Binary("+", ir.Local(total), clamped(ir.Local(added), formula.sum), True)
    return (*body, ir.Return(clamped(result, formula.clamp)))


def _contribution(low: Lowering, rule: t.Rule, formula: t.Formula) -> str:
    """What one rule adds, over all its carriers, or the value that it sets."""
    name = f"modifier {rule.name}"
    if name not in low.functions:
        parameters, env = _pattern_parameters(low, rule)
        low.reserve(name, parameters)
        low.define(name, parameters, _contribution_body(low, rule, formula, env), rule.span)
    return name


def _contribution_body(low: Lowering, rule: t.Rule, formula: t.Formula, env: Env) -> ir.Body:
    total = low.fresh("total")

    def count(e: Env) -> ir.Body:
        assert rule.amount is not None
        amount = clamped(values.value(low, rule.amount, e), formula.each if rule.op == "add" else None)
        new = ir.Binary("+", ir.Local(total), amount, True) if rule.op == "add" else amount
        return (ir.Set(total, new),)

    found = matching(low, rule, env, count, ordered=rule.op == "set")  # the last one counts
    return (ir.Set(total, ZERO), *found, ir.Return(ir.Local(total)))


def _applies(low: Lowering, rule: t.Rule) -> str:
    name = f"applies {rule.name}"
    if name not in low.functions:
        parameters, env = _pattern_parameters(low, rule)
        low.reserve(name, parameters)
        body = (*matching(low, rule, env, lambda _: (ir.Return(ONE),)), ir.Return(ZERO))
        low.define(name, parameters, body, rule.span)
    return name


def _pattern_parameters(low: Lowering, rule: t.Rule) -> tuple[tuple[str, ...], Env]:
    assert rule.pattern is not None
    return parameters_of(low, rule.pattern.parameters)


def matching(
    low: Lowering, rule: t.Rule, env: Env, inner: Inner, ordered: bool = False, known: Known = nothing_more
) -> ir.Body:
    """For every carrier for which the pattern fits and the condition holds; in their order, where that counts.

    `known` adds what is known of a carrier beside its pattern.
    """
    tests = (*(rule.pattern.tests if rule.pattern else ()), *([rule.when] if rule.when else []))
    own = about_itself(rule)
    if own is not None and rule.carrier is not None:
        test, variable = own
        return carriers.alone(
            low, rule.carrier, variable, tuple(x for x in tests if x is not test), env, inner
        )

    def filtered(e: Env) -> ir.Body:
        body = inner
        for test in reversed(tests):
            body = _under(low, test, body)
        return body(known(e))

    return carriers.walk(low, rule.carrier, env, filtered, ordered)


def about_itself(rule: t.Rule) -> tuple[t.Expr, t.Variable] | None:
    """The test of a pattern such as `devolve(self)`, and the parameter that is the carrier then."""
    if rule.carrier is None or rule.pattern is None:
        return None
    for test in rule.pattern.tests:
        match test:
            case t.Compare(op="==", left=t.Use(variable=given), right=t.Use(variable=this)):
                if this is rule.carrier.this and given.type == this.type:
                    return test, given
    return None


def _under(low: Lowering, test: t.Expr, inner: Inner) -> Inner:
    return lambda e: filters.guard(low, test, e, inner)


# --- sets ---


def set_formula(low: Lowering, node: t.CallFormula, env: Env, count: int) -> tuple[ir.Expr, ...]:
    formula = node.formula
    arguments = values.flat(low, node.arguments, env)
    return tuple(ir.CallExpr(_set_function(low, formula, j), arguments) for j in range(count))


def _set_function(low: Lowering, formula: t.Formula, word: int) -> str:
    name = f"formula {formula.name} word {word}"
    if name not in low.functions:
        assert formula.body is not None
        parameters, env = parameters_of(low, formula.parameters)
        low.reserve(name, parameters)
        base = masks.words(low, formula.body, env)[word]
        rules = low.hooks.modify.get(formula, [])
        low.define(name, parameters, _set_body(low, rules, base, parameters, word), formula.span)
    return name


def _set_body(
    low: Lowering, rules: list[t.Rule], base: ir.Expr, parameters: tuple[str, ...], word: int
) -> ir.Body:
    """What was written, or set, plus what is added, less what is removed."""
    given = tuple(ir.Local(p) for p in parameters)
    body: list[ir.Statement] = [ir.Set("total", base)]
    for op in ("set", "add", "remove"):
        for rule in rules:
            if rule.op == op:
                body += _set_step(low, rule, given, word)
    return (*body, ir.Return(ir.Local("total")))


def _set_step(low: Lowering, rule: t.Rule, given: tuple[ir.Expr, ...], word: int) -> ir.Body:
    more = ir.CallExpr(_set_contribution(low, rule, word), given)
    total = ir.Local("total")
    if rule.op == "add":
        return (ir.Set("total", ir.Binary("|", total, more)),)
    if rule.op == "remove":
        return (ir.Set("total", ir.Binary("&", total, ir.Binary("^", more, ir.Const(-1)))),)
    return (ir.If(ir.CallExpr(_applies(low, rule), given), (ir.Set("total", more),)),)


def _set_contribution(low: Lowering, rule: t.Rule, word: int) -> str:
    name = f"modifier {rule.name} word {word}"
    if name not in low.functions:
        parameters, env = _pattern_parameters(low, rule)
        low.reserve(name, parameters)

        def join(e: Env) -> ir.Body:
            assert rule.amount is not None
            own = masks.words(low, rule.amount, e)[word]
            return (ir.Set("total", ir.Binary("|", ir.Local("total"), own)),)

        body = (ir.Set("total", ZERO), *matching(low, rule, env, join), ir.Return(ir.Local("total")))
        low.define(name, parameters, body, rule.span)
    return name


def keywords(low: Lowering, node: t.KeywordsOf, of: t.Expr, env: Env) -> tuple[ir.Expr, ...]:
    """The keywords printed on a thing, with those that rules give or take."""
    kind = low.kind(of.type.kind)  # type: ignore[union-attr]
    count = masks.word_count(low, low.kind("keyword"))
    printed = low.rules.columns.get((kind.name, "keywords"))
    thing = values.value(low, of, env)
    vectors = [masks.packed_words(v, count) for v in (printed.values if printed else [])]
    found = []
    for j in range(count):
        table = (0, *(v[j] for v in vectors)) if vectors else (0,) * (low.size(kind) + 1)
        if kind not in low.hooks.modify:
            found.append(values.lookup(low, table, thing))
            continue
        name = f"keywords {kind.name} word {j}"
        if name not in low.functions:
            low.reserve(name, ("thing",))
            base = values.lookup(low, table, ir.Local("thing"))
            body = _set_body(low, low.hooks.modify[kind], base, ("thing",), j)
            low.define(name, ("thing",), body, kind.span)
        found.append(ir.CallExpr(name, (thing,)))
    return tuple(found)


def explained(low: Lowering) -> tuple[ir.ModifierInfo, ...]:
    """For `why is this 5`: every rule that was lowered as a contribution to a number."""
    found = []
    for subject, rules in low.hooks.modify.items():
        for rule in rules:
            function = f"modifier {rule.name}"
            if isinstance(subject, t.Formula) and function in low.functions:
                applies = f"applies {rule.name}" if rule.op == "set" else None
                found.append(
                    ir.ModifierInfo(
                        subject.name,
                        rule.name,
                        rule.op,
                        function,
                        applies,
                        rule.text,
                        rule.span,
                        rule.clauses,
                    )
                )
    return tuple(found)
