"""Conditions: around a body, and as a scan for the things whose attribute has a value."""

from __future__ import annotations

from collections.abc import Callable

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import BoundValue, Env, Inner, Lazy, Lowering
from ruleforge.compiler.lower.expressions import values
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import SetT
from ruleforge.lang.checker.walk import all_nodes

MOST = 16  # tests that are nested in one another; more are asked all at once


def guard(low: Lowering, test: t.Expr | None, env: Env, inner: Inner) -> ir.Body:
    """Run `inner` if the test holds; a formula's dear arguments are computed once, before the test."""
    if test is None:
        return inner(env)
    if isinstance(test, t.Logic) and test.op == "and" and len(test.parts) <= MOST:
        first, *rest = test.parts
        remaining = conjunction(test, tuple(rest))
        return guard(low, first, env, lambda e: guard(low, remaining, e, inner))
    if (
        isinstance(test, t.CallFormula)
        and test.formula.body is not None
        and not low.stands_alone(test.formula)
        and not low.marks
    ):
        inlined = _guarded_formula(low, test, env, inner)
        if inlined is not None:
            return inlined
    condition = values.value(low, test, env)
    if condition == ir.Const(1):
        return inner(env)
    return () if condition == ir.Const(0) else (ir.If(condition, inner(env)),)


def _guarded_formula(low: Lowering, test: t.CallFormula, env: Env, inner: Inner) -> ir.Body | None:
    formula = test.formula
    assert formula.body is not None
    if not values.is_short(low, formula):
        return None
    prelude: list[ir.Statement] = []
    given: dict[t.Variable, BoundValue] = {}
    for parameter, argument in zip(formula.parameters, test.arguments, strict=True):
        if isinstance(argument.type, SetT):
            given[parameter] = Lazy(argument, env)
            continue
        expr = values.value(low, argument, env)
        if not values.is_simple(expr):
            name = low.fresh(parameter.name)
            prelude.append(ir.Set(name, expr))
            expr = ir.Local(name)
        given[parameter] = expr
    return (*prelude, *guard(low, formula.body, Env(given), lambda _: inner(env)))


# --- scans: "things whose attribute is v", which a backend may answer from an index ---


def scannable(low: Lowering, binder: t.Binder, env: Env) -> Callable[[Inner], ir.Body] | None:
    """If the source is a whole kind and `where` fixes one attribute of the member, a Scan; else None."""
    found = scan_of(low, binder)
    if found is None or binder.until is not None or low.marks:
        return None
    column, wanted, rest = found
    base = low.layout.columns[column].base
    size = low.size(column.kind)
    if size > 16:
        low.indexed.setdefault(list(low.layout.columns).index(column))

    def make(inner: Inner) -> ir.Body:
        name = low.fresh(binder.variable.name)
        bound = env.bind(binder.variable, ir.Local(name))
        body = guard(low, rest, bound, inner)
        return (ir.Scan(name, base, size, values.value(low, wanted, env), body),)

    return make


def scan_of(low: Lowering, binder: t.Binder) -> tuple[t.Column, t.Expr, t.Expr | None] | None:
    """The attribute a binder fixes, the value it wants, and what else it asks for."""
    if not isinstance(binder.source, t.All) or binder.source.kind.pool or binder.where is None:
        return None
    where = binder.where
    parts = where.parts if isinstance(where, t.Logic) and where.op == "and" else (where,)
    for i, part in enumerate(parts):
        if not isinstance(part, t.Compare) or part.op != "==":
            continue
        for own, wanted in ((part.left, part.right), (part.right, part.left)):
            if reads_member(own, binder.variable) and not _mentions(wanted, binder.variable):
                assert isinstance(own, t.Read)
                rest = parts[:i] + parts[i + 1 :]
                return own.column, wanted, conjunction(where, rest)
    return None


def reads_member(node: t.Expr, variable: t.Variable) -> bool:
    return (
        isinstance(node, t.Read)
        and not node.column.constant
        and not node.column.per
        and not isinstance(node.type, SetT)
        and isinstance(node.of, t.Use)
        and node.of.variable is variable
    )


def _mentions(node: t.Expr, variable: t.Variable) -> bool:
    return any(isinstance(x, t.Use) and x.variable is variable for x in all_nodes(node))


def conjunction(where: t.Expr, parts: tuple[t.Expr, ...]) -> t.Expr | None:
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else t.Logic(where.span, where.type, "and", parts)
