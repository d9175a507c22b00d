"""Open formulas: the last `set`, plus the sum of all `add` clamped to its limit, then the final clamp."""

from __future__ import annotations

from collections.abc import Callable

from ruleforge.compiler import ir
from ruleforge.compiler.lower import branches, pack_observation
from ruleforge.compiler.lower.context import BoundValue, Env, Inner, Lowering, Words, clamped
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import carriers, filters, masks
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import SetT
from ruleforge.support.diagnostics import Span

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
    """The names of parameters, with several words for a set, and the values of their variables."""
    names: list[str] = []
    values_by_variable: dict[t.Variable, BoundValue] = {}
    for i, variable in enumerate(variables):
        base = f"{variable.name}_p{i}"
        if isinstance(variable.type, SetT):
            own = [f"{base}w{j}" for j in range(masks.word_count(low, low.kind(variable.type.kind)))]
            names += own
            values_by_variable[variable] = Words(tuple(ir.Local(n) for n in own))
        else:
            names.append(base)
            values_by_variable[variable] = ir.Local(base)
    return tuple(names), Env(values_by_variable)


def _number_body(low: Lowering, formula: t.Formula, parameters: tuple[str, ...], env: Env) -> ir.Body:
    assert formula.body is not None
    given = tuple(ir.Local(p) for p in parameters)
    cap = low.cap(formula)
    if cap is not None:
        return _capped_body(low, cap, given, values.value(low, formula.body, env))
    _watch(low, formula, parameters, env)
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


def _capped_body(low: Lowering, cap: t.Cap, given: tuple[ir.Expr, ...], base: ir.Expr) -> ir.Body:
    """Sum the additions of packs separately and clamp them.

    The result also stays within the limits of the contract.
    """
    body, own, brought = _parted(low, cap, given, base)
    formula, total, added = cap.formula, ir.Local("total"), ir.Local("added")
    whole = clamped(ir.Binary("+", added, clamped(brought, cap.sum), True), formula.sum)
    plain = ir.Binary("+", own, clamped(added, formula.sum), True)
    result = ir.Binary("+", total, whole, True)
    if cap.result is None and cap.final is None:
        return (*body, ir.Return(clamped(result, formula.clamp)))
    ends = [ir.Set("plain", clamped(plain, formula.clamp)), ir.Set("result", result)]
    if cap.result is not None:
        ends.append(ir.Set("result", _towards(cap.result)))
    ends.append(ir.Set("result", clamped(ir.Local("result"), formula.clamp)))
    if cap.final is not None:
        ends.append(ir.Set("result", _towards(cap.final)))
    return (*body, *ends, ir.Return(ir.Local("result")))


def _watch(low: Lowering, formula: t.Formula, parameters: tuple[str, ...], env: Env) -> None:
    """Define a function that records how far observed packs drive a formula, for the same arguments."""
    cap = low.rules.gate.caps.get(formula) if low.rules.gate is not None and low.observes else None
    if cap is None or formula.body is None:
        return
    name = low.reserve(f"watch {formula.name}", parameters)
    low.watched[f"formula {formula.name}"] = name
    given = tuple(ir.Local(p) for p in parameters)
    adding = [rule for rule in low.hooks.modify.get(formula, []) if rule in cap.rules and rule.op == "add"]
    body: list[ir.Statement] = [ir.Perform(_size_watch(low, rule, cap), given) for rule in adding if cap.each]
    if cap.cuts:
        body += _sum_watch(low, cap, given, values.value(low, formula.body, env))
    low.define(name, parameters, tuple(body), formula.span)


def _size_watch(low: Lowering, rule: t.Rule, cap: t.Cap) -> str:
    """A function that looks whether one source adds more than it may."""
    parameters, env = _pattern_parameters(low, rule)
    amount = ir.Local("amount")

    def look(e: Env) -> ir.Body:
        assert rule.amount is not None
        assert cap.each is not None
        far = _beyond(low, amount, _fixed(cap.each), f"each {cap.formula.name}", rule.span, cap, True)
        return (ir.Set("amount", values.value(low, rule.amount, e)), *far)

    name = low.reserve(f"watch {rule.name}", parameters)
    return low.define(name, parameters, matching(low, rule, env, look), rule.span)


def _sum_watch(low: Lowering, cap: t.Cap, given: tuple[ir.Expr, ...], base: ir.Expr) -> ir.Body:
    """Test the sum of all additions by packs, and the result, against the limits of the contract."""
    formula, (body, own, brought) = cap.formula, _parted(low, cap, given, base)
    span = min(rule.span for rule in cap.rules)
    added, result = ir.Local("added"), ir.Local("result")
    whole = clamped(ir.Binary("+", added, brought, True), formula.sum)
    free = clamped(added, formula.sum)
    found = [*body]
    if cap.sum is not None:
        found += _beyond(low, brought, _fixed(cap.sum), f"sum {formula.name}", span, cap)
    found.append(ir.Set("result", clamped(ir.Binary("+", ir.Local("total"), whole, True), formula.clamp)))
    found.append(ir.Set("plain", clamped(ir.Binary("+", own, free, True), formula.clamp)))
    what = f"result {formula.name}"
    for ends in (cap.result, cap.final):
        found += _beyond(low, result, _reach(ends), what, span, cap) if ends is not None else ()
    return tuple(found)


def _beyond(
    low: Lowering,
    value: ir.Expr,
    ends: tuple[ir.Expr, ir.Expr],
    what: str,
    span: Span,
    cap: t.Cap,
    proved: bool = False,
) -> ir.Body:
    """A breach where a value lies outside."""
    too_low = pack_observation.found(low, what, cap.clauses, span, value, ends[0], proved)
    too_high = pack_observation.found(low, what, cap.clauses, span, value, ends[1], proved)
    return (
        ir.If(ir.Binary("<", value, ends[0]), too_low),
        ir.If(ir.Binary(">", value, ends[1]), too_high),
    )


def _fixed(ends: tuple[int, int]) -> tuple[ir.Expr, ir.Expr]:
    return ir.Const(ends[0]), ir.Const(ends[1])


def _reach(ends: tuple[int, int]) -> tuple[ir.Expr, ir.Expr]:
    """The ends of the outcome, or where it was without packs if that lies beyond them."""
    least, most = _fixed(ends)
    return ir.Binary("min", least, ir.Local("plain")), ir.Binary("max", most, ir.Local("plain"))


def _towards(ends: tuple[int, int]) -> ir.Expr:
    """The result cut to its ends."""
    least, most = _reach(ends)
    return ir.Binary("max", ir.Binary("min", ir.Local("result"), most), least)


def _parted(
    low: Lowering, cap: t.Cap, given: tuple[ir.Expr, ...], base: ir.Expr
) -> tuple[ir.Body, ir.Expr, ir.Expr]:
    """`total` is what is set, `added` what the core adds; then what the core alone would set, and what packs add."""
    own, brought = ir.Local("own"), ir.Local("brought")
    body: list[ir.Statement] = [ir.Set("total", base), ir.Set("own", ir.Local("total"))]
    body += [ir.Set("added", ZERO), ir.Set("brought", ZERO)]
    rules = low.hooks.modify.get(cap.formula, [])
    for rule in (r for r in rules if r.op == "set"):
        value = ir.CallExpr(_contribution(low, rule, cap.formula), given)
        then: list[ir.Statement] = [ir.Set("total", value)]
        if rule not in cap.rules:
            then.append(ir.Set("own", ir.Local("total")))
        body.append(ir.If(ir.CallExpr(_applies(low, rule), given), tuple(then)))
    for rule in (r for r in rules if r.op == "add"):
        name = "brought" if rule in cap.rules else "added"
        more = ir.CallExpr(_contribution(low, rule, cap.formula), given)
        body.append(ir.Set(name, ir.Binary("+", ir.Local(name), more, True)))
    return tuple(body), own, brought


def _contribution(low: Lowering, rule: t.Rule, formula: t.Formula) -> str:
    """The addition of one rule, over all its carriers, or the value that it sets."""
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
        return (*low.applied(rule), ir.Set(total, new))

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
    """Run a body for every carrier whose pattern and condition match, in order if the order counts.

    `known` adds facts about a carrier to its pattern.
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
    """The base value or the last `set`, plus additions, minus removals."""
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
            return (*low.applied(rule), ir.Set("total", ir.Binary("|", ir.Local("total"), own)))

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
            found.append(branches.lookup(low, table, thing))
            continue
        name = f"keywords {kind.name} word {j}"
        if name not in low.functions:
            low.reserve(name, ("thing",))
            base = branches.lookup(low, table, ir.Local("thing"))
            body = _set_body(low, low.hooks.modify[kind], base, ("thing",), j)
            low.define(name, ("thing",), body, kind.span)
        found.append(ir.CallExpr(name, (thing,)))
    return tuple(found)


def explained(low: Lowering) -> tuple[ir.ModifierInfo, ...]:
    """All rules that contribute to a number, for `why is this 5`."""
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
