"""Test whether a thing is in a set, without building the set."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower import branches
from ruleforge.compiler.lower.context import Env, Lazy, Lowering, both, load
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import aggregates, masks, set_literals
from ruleforge.compiler.lower.sets.sources import board_relation, formula_env, read_in_place
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import SetT, ThingT

FEW = 2  # members that are compared one by one


def contains(low: Lowering, source: t.Expr, element: ir.Expr, may_be_none: bool, env: Env) -> ir.Expr:
    """Whether an element is in a set. `none` is in no set."""
    test = _contains(low, source, element, env)
    if may_be_none and not isinstance(source, t.SetOf | t.Content | t.Family):
        return both(ir.Binary("!=", element, ir.Const(0)), test)
    return test


def _contains(low: Lowering, source: t.Expr, element: ir.Expr, env: Env) -> ir.Expr:
    if source in env.marks:
        return ir.Element(env.marks[source], element)
    match source:
        case t.All(kind=kind) if kind.pool:
            return load(low.layout.columns[low.rules.columns[kind.name, "exists"]].base, element)
        case t.All():
            return ir.Const(1)
        case t.Interval(low=bottom, high=top):
            lower = ir.Binary("<=", values.value(low, bottom, env), element)
            return both(lower, ir.Binary("<=", element, values.value(low, top, env)))
        case t.Content(place=place, index=index):
            where = load(low.layout.places[place].where, element)
            return ir.Binary("==", where, values.instance(low, place, index, env))
        case t.Family(place=place):
            return in_family(low, place, element)
        case t.SetOf(members=given):
            return _is_one_of(low, given, element, env)
        case t.Selection(binder=binder) if binder.until is None:
            return _is_selected(low, binder, element, env)
        case t.Arithmetic(op=op, left=left, right=right):
            a, b = _contains(low, left, element, env), _contains(low, right, element, env)
            return ir.Logic("or", (a, b)) if op == "|" else both(a, b if op == "&" else values.negated(b))
        case t.Conditional(test=test, then=then, other=other):
            a, b = _contains(low, then, element, env), _contains(low, other, element, env)
            return branches.choose(values.value(low, test, env), a, b)
        case t.Builtin(name="ray" | "neighbours"):
            relation, key = board_relation(low, source, env)
            return ir.Member(relation, key, element)
        case t.Read(column=column) if column.constant and column_kind_size(low, source) > 31:
            rows = ((), *(v for v in column.values if isinstance(v, tuple)))
            return ir.Member(low.relation(rows), values.fact_key(low, source, env), element)
        case t.CallFormula(formula=formula) if read_in_place(low, source):
            assert formula.body is not None
            return _contains(low, formula.body, element, formula_env(low, source, env))
        case t.Use(variable=variable) if isinstance(env.values[variable], Lazy):
            lazy = env.values[variable]
            assert isinstance(lazy, Lazy)
            return _contains(low, lazy.source, element, lazy.env)
    return _worked_out(low, source, element, env)


def _is_one_of(low: Lowering, given: tuple[t.Expr, ...], element: ir.Expr, env: Env) -> ir.Expr:
    """Whether a value is in a set literal. Members that are none are in no set."""
    fixed = set_literals.relation(low, given, env) if len(given) > FEW else None
    if fixed is not None:
        return both(ir.Binary("!=", element, ir.Const(0)), ir.Member(*fixed, element))
    tests = [ir.Binary("==", element, values.value(low, g, env)) for g in given]
    things = bool(given) and isinstance(given[0].type, ThingT) and given[0].type.optional
    result = tests[0] if len(tests) == 1 else ir.Logic("or", tuple(tests)) if tests else ir.Const(0)
    return both(ir.Binary("!=", element, ir.Const(0)), result) if things else result


def _is_selected(low: Lowering, binder: t.Binder, element: ir.Expr, env: Env) -> ir.Expr:
    inside = _contains(low, binder.source, element, env)
    if binder.where is None:
        return inside
    return both(inside, values.value(low, binder.where, env.bind(binder.variable, element)))


def _worked_out(low: Lowering, source: t.Expr, element: ir.Expr, env: Env) -> ir.Expr:
    """A set of which no member can be asked about alone: it is walked, or made whole."""
    if isinstance(source.type, ThingT):
        return ir.Binary("==", element, values.value(low, source, env))
    if isinstance(source, t.Selection) and _is_table(source.binder.source):
        # Most cells do not lie on a ray at all, which is told at once; the others by walking along it.
        near = _contains(low, source.binder.source, element, env)
        return both(near, aggregates.found(low, source, element, env))
    if isinstance(source, t.Selection | t.Reached):
        return aggregates.found(low, source, element, env)
    return masks.has_bit(masks.words(low, source, env), element)


def _is_table(source: t.Expr) -> bool:
    return isinstance(source, t.Builtin) and source.name in ("ray", "neighbours")


def column_kind_size(low: Lowering, source: t.Expr) -> int:
    return low.size(low.kind(source.type.kind)) if isinstance(source.type, SetT) else 0


def in_family(low: Lowering, place: t.Place, element: ir.Expr) -> ir.Expr:
    info = low.layout.places[place]
    where = load(info.where, element)
    if info.count == 1:
        return ir.Binary("==", where, ir.Const(info.first + 1))
    above = ir.Binary(">", where, ir.Const(info.first))
    return both(above, ir.Binary("<=", where, ir.Const(info.first + info.count)))
