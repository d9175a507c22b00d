"""Sets that are written out, `[a, b]` -> a walk over what is in them."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Lowering, add
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import set_tables
from ruleforge.compiler.lower.sets.lists import append, from_array, insert
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ThingT


def listed(low: Lowering, given: tuple[t.Expr, ...], env: Env, name: str, body: ir.Body) -> ir.Body:
    """A written-out set: constants are a relation; else collect without none and without repeats, then walk.

    Things come in the order of their kind, as from any other set; numbers as they are written.
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
    fixed = set_tables.relation(low, given, env) if things else None
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
