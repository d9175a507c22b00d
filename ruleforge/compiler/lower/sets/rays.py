"""`ray`, `neighbours` -> a relation, and the key of a row in it."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Lowering, digits
from ruleforge.compiler.lower.expressions import values
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.geometry import ray_of


def board_relation(low: Lowering, source: t.Builtin, env: Env) -> tuple[int, ir.Expr]:
    assert source.kind is not None
    geometry = low.rules.geometry[source.kind.name]
    cells = range(1, source.kind.size + 1)
    arguments = tuple(values.value(low, a, env) for a in source.arguments)
    if source.name == "neighbours":
        return low.relation(((), *geometry.near)), arguments[0]
    directions = low.kind("direction").things
    rows = ((), *(ray_of(geometry, c, d) for c in cells for d in directions))
    return low.relation(rows), digits(arguments, (source.kind.size, len(directions)))
