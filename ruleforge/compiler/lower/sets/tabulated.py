"""Written-out sets whose members follow from things and facts alone -> a relation, worked out beforehand.

`[step(c, north), step(c, east)]` is another set for each `c`, but always the same one: nothing has to be sorted, nor
looked at for repeats, while a game is played.
"""

from __future__ import annotations

from itertools import product
from math import prod

from ruleforge.check import typed as t
from ruleforge.check.types import ThingT
from ruleforge.check.walk import all_nodes, free_variables
from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Lazy, Lowering, Words, add, times
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.passes import LOWEST, Tables, fold_expression
from ruleforge.compiler.visit import LEAVES, Expression, expressions, subexpressions

MOST = 1 << 14  # members in all that are worked out
_PLAIN = (t.Use, t.Constant, t.Builtin, t.Arithmetic, t.Conditional, t.Compare, t.Logic)
_FIXED = (ir.Table, ir.Binary, ir.Negate, ir.LogicNot, ir.Select, ir.Logic)


def relation(low: Lowering, given: tuple[t.Expr, ...], env: Env) -> tuple[int, ir.Expr] | None:
    """The relation that has these things in its rows, in their order, and the key of the row; None if there is none."""
    variables = free_variables(*given)
    sizes = [_size(low, variable) for variable in variables]
    held = [env.values.get(variable) for variable in variables]
    if not all(map(_is_plain, given)) or not variables or prod(sizes) * len(given) > MOST:
        return None
    if any(isinstance(value, Lazy | Words | None) for value in held):
        return None
    names = [f"of {variable.name}" for variable in variables]
    inside = Env({v: ir.Local(n) for v, n in zip(variables, names, strict=True)})
    items = [values.value(low, item, inside) for item in given]
    if not all(isinstance(e, _FIXED) or type(e) in LEAVES for item in items for e in subexpressions(item)):
        return None
    tables = tuple(low.tables)
    rows = [_row(items, dict(zip(names, case, strict=True)), tables) for case in product(*map(range, sizes))]
    if any(row is None for row in rows):
        return None
    key: ir.Expr = ir.Const(0)
    for variable, size in zip(variables, sizes, strict=True):
        key = add(times(key, size), env.expr(variable))
    return low.relation(tuple(row for row in rows if row is not None)), key


def _size(low: Lowering, variable: t.Variable) -> int:
    """How many things a variable may stand for, none among them; too many if it stands for something else."""
    return low.size(low.kind(variable.type.kind)) + 1 if isinstance(variable.type, ThingT) else MOST + 1


def _is_plain(item: t.Expr) -> bool:
    return all(
        isinstance(node, _PLAIN) or (isinstance(node, t.Read) and node.column.constant)
        for node in all_nodes(item)
    )


def _row(items: list[ir.Expr], case: dict[str, int], tables: Tables) -> tuple[int, ...] | None:
    """The things there are if locals have these values; None if that cannot be said."""
    found = {_number(item, case, tables) for item in items}
    return None if None in found else tuple(sorted(number for number in found if number))


def _number(e: Expression, case: dict[str, int], tables: Tables) -> int | None:
    """What an expression comes to; None where nothing can be said: there is no such entry, or no such number."""
    match e:
        case ir.Const(value=number):
            return int(number)
        case ir.Local(name=name):
            return case[name]
        case ir.Select(test=test, then=then, other=other):
            way = _number(test, case, tables)
            return None if way is None else _number(then if way else other, case, tables)
        case ir.Logic(op=op, parts=parts):
            return _decided(op == "or", parts, case, tables)
    inside = [_number(part, case, tables) for part in expressions(e)]
    if None in inside:
        return None
    match e, inside:
        case ir.Table(table=table), [int(index)]:
            return tables[table][index] if 0 <= index < len(tables[table]) else None
        case ir.LogicNot(), [int(value)]:
            return int(not value)
        case ir.Negate(), [int(value)]:
            return -value if value > LOWEST else None
        case ir.Binary(op=op), [int(left), int(right)]:
            folded = fold_expression(ir.Binary(op, ir.Const(left), ir.Const(right)), tables)
            return folded.value if isinstance(folded, ir.Const) else None
    return None


def _decided(by: bool, parts: tuple[ir.Expr, ...], case: dict[str, int], tables: Tables) -> int | None:
    """Whether a part decides: one that is true in `or`, one that is not in `and`."""
    for part in parts:
        value = _number(part, case, tables)
        if value is None:
            return None
        if bool(value) is by:
            return int(by)
    return int(not by)
