"""Walk sets that are written as literals, such as `[a, b]`."""

from __future__ import annotations

from itertools import product
from math import prod

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Lazy, Lowering, Words, add, times
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets.lists import append, from_array, insert
from ruleforge.compiler.passes.folding import fold_expression
from ruleforge.compiler.visit import LEAVES, Expression, rewrite, subexpressions
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ThingT
from ruleforge.lang.checker.walk import all_nodes, free_variables

MOST = 1 << 14  # members that are computed in total
_PLAIN = (t.Use, t.Constant, t.Builtin, t.Arithmetic, t.Conditional, t.Compare, t.Logic)
Rows = tuple[tuple[int, ...], ...]
_FIXED = (ir.Table, ir.Binary, ir.Negate, ir.LogicNot, ir.Select, ir.Logic)


def listed(low: Lowering, given: tuple[t.Expr, ...], env: Env, name: str, body: ir.Body) -> ir.Body:
    """Walk a set literal. Constants become a relation, other sets are collected without none and repeats.

    Things come in the order of their kind, as from any other set. Numbers come in source order.
    """
    items = [values.value(low, g, env) for g in given]
    things = isinstance(given[0].type, ThingT) if given else True
    if all(isinstance(i, ir.Const) for i in items):
        numbers = dict.fromkeys(i.value for i in items if isinstance(i, ir.Const))
        row = tuple(sorted(n for n in numbers if n) if things else numbers)
        return (ir.Each((name,), low.relation((row,)), ir.Const(0), body),) if row else ()
    if len(items) == 1:
        only = ir.Set(name, items[0])
        if not things:
            return (only, *body)
        return (only, ir.If(ir.Binary("!=", ir.Local(name), ir.Const(0)), body))
    fixed = relation(low, given, env) if things else None
    if fixed is not None:
        return (ir.Each((name,), *fixed, body),)
    return _collected(low, items, things, name, body)


def _collected(low: Lowering, items: list[ir.Expr], things: bool, name: str, body: ir.Body) -> ir.Body:
    """Each is put into a list unless it is none or there already; then the list is walked."""
    array, count, item = low.fresh("listed"), low.fresh("count"), low.fresh("item")
    seen, k, local = low.fresh("seen"), low.fresh("k"), ir.Local(item)
    keys = (low.fresh("key"),) if things else ()
    out: list[ir.Statement] = [ir.NewArray(a, len(items)) for a in (array, *keys)]
    out.append(ir.Set(count, ir.Const(0)))
    for expr in items:
        is_repeat = ir.If(
            ir.Binary("==", ir.Element(array, ir.Local(k)), local), (ir.Set(seen, ir.Const(1)),)
        )
        put = insert(low, array, count, keys, local, (local,)) if things else append(array, count, local)
        out += [
            ir.Set(item, expr),
            ir.Set(seen, ir.Binary("==", local, ir.Const(0)) if things else ir.Const(0)),
            ir.ForRange(k, ir.Const(0), add(ir.Local(count), -1), (is_repeat,), len(items)),
            ir.If(values.negated(ir.Local(seen)), put),
        ]
    return (*out, *from_array(low, array, count, name, body, len(items)))


# Set literals whose members depend only on things and facts become a precomputed relation.
#
# `[step(c, north), step(c, east)]` is a constant set for each `c`: play needs no sorting and no search for repeats.


def relation(low: Lowering, given: tuple[t.Expr, ...], env: Env) -> tuple[int, ir.Expr] | None:
    """The relation that has these things in its rows, in their order, and the key of the row; None if there is none."""
    variables = free_variables(*given)
    sizes = [_size(low, variable) for variable in variables]
    values_here = [env.values.get(variable) for variable in variables]
    if not all(map(_is_plain, given)) or not variables or prod(sizes) * len(given) > MOST:
        return None
    if any(isinstance(value, Lazy | Words | None) for value in values_here):
        return None
    names = [f"of {number}" for number in range(len(variables))]
    inside = Env({v: ir.Local(n) for v, n in zip(variables, names, strict=True)})
    items = [values.value(low, item, inside) for item in given]
    if not all(isinstance(e, _FIXED) or type(e) in LEAVES for item in items for e in subexpressions(item)):
        return None
    rows = _rows(low, tuple(items), tuple(sizes), names)
    if rows is None:
        return None
    key: ir.Expr = ir.Const(0)
    for variable, size in zip(variables, sizes, strict=True):
        key = add(times(key, size), env.expr(variable))
    return low.relation(rows), key


def _size(low: Lowering, variable: t.Variable) -> int:
    """The number of things that a variable can hold, with none. More than MOST for other types."""
    return low.size(low.kind(variable.type.kind)) + 1 if isinstance(variable.type, ThingT) else MOST + 1


def _is_plain(item: t.Expr) -> bool:
    return all(
        isinstance(node, _PLAIN) or (isinstance(node, t.Read) and node.column.constant)
        for node in all_nodes(item)
    )


def _rows(low: Lowering, items: tuple[ir.Expr, ...], sizes: tuple[int, ...], names: list[str]) -> Rows | None:
    """A row for each case; the same sets are said again and again, for every list that walks them."""
    if (items, sizes) not in low.tabulated:
        cases = [dict(zip(names, case, strict=True)) for case in product(*map(range, sizes))]
        rows = tuple(row for case in cases if (row := _row(low, items, case)) is not None)
        low.tabulated[items, sizes] = rows if len(rows) == len(cases) else None
    return low.tabulated[items, sizes]


def _row(low: Lowering, items: tuple[ir.Expr, ...], case: dict[str, int]) -> tuple[int, ...] | None:
    """The things there are if locals have these values; None if that cannot be said."""

    def known(e: Expression) -> Expression:
        return ir.Const(case[e.name]) if isinstance(e, ir.Local) else e

    tables = tuple(low.tables)
    found = [fold_expression(rewrite(item, known), tables) for item in items]
    if not all(isinstance(value, ir.Const) for value in found):
        return None
    return tuple(sorted({value.value for value in found if isinstance(value, ir.Const) and value.value}))
