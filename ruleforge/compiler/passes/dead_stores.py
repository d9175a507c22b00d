"""Remove assignments to locals that are never read.

for t in north(c):                  for t in north(c):
    o = t                               if row[t] != 0: break
    if row[t] != 0: break           for o in leaps(c): ...
for o in leaps(c): ...
"""

from __future__ import annotations

from dataclasses import replace

from ruleforge.compiler import ir
from ruleforge.compiler.passes.expressions import is_harmless
from ruleforge.compiler.visit import (
    LOOPS,
    Node,
    assigned,
    expressions,
    same,
    subexpressions,
)

Names = frozenset[str]
NONE: Names = frozenset()


def without_unread(body: ir.Body) -> ir.Body:
    """Remove unread assignments from the body of a function that never waits for a player."""
    return _backwards(body, NONE, NONE)[0]


def _backwards(body: ir.Body, wanted: Names, outside: Names) -> tuple[ir.Body, Names]:
    """The remaining body, and the locals that are live before it.

    `wanted` are the locals that are live after its end, `outside` those after the loop around it.
    """
    out: list[Node] = []
    for statement in reversed(body):
        done, wanted = _statement(statement, wanted, outside)
        out += done
    return same(body, out[::-1]), wanted


def _statement(s: Node, wanted: Names, outside: Names) -> tuple[ir.Body, Names]:
    match s:
        case ir.Set(name=name, value=value) if name not in wanted and is_harmless(value):
            return (), wanted
        case ir.Return():
            return (s,), _read(s)
        case ir.Break():
            return (s,), outside
        case ir.If(then=then, other=other):
            then, one = _backwards(then, wanted, outside)
            other, two = _backwards(other, wanted, outside)
            statement = s if then is s.then and other is s.other else replace(s, then=then, other=other)
            return (statement,), one | two | _read(s)
    if isinstance(s, LOOPS):
        return _loop(s, wanted)
    return (s,), (wanted - frozenset(assigned(s))) | _read(s)


def _loop(s: Node, wanted: Names) -> tuple[ir.Body, Names]:
    """A local that an iteration sets may be read by the next iteration, or after the loop."""
    mine, header = frozenset(assigned(s)), _read(s)
    behind = wanted | header | _backwards(s.body, NONE, NONE)[1]
    body, before = _backwards(s.body, behind, wanted)
    if (
        not body
        and not isinstance(s, ir.While)
        and not mine & wanted
        and all(map(is_harmless, expressions(s)))
    ):
        return (), wanted
    statement = s if body is s.body else replace(s, body=body)
    return (statement,), (before - mine) | wanted | header


def _read(s: Node) -> Names:
    return frozenset(
        e.name for part in expressions(s) for e in subexpressions(part) if isinstance(e, ir.Local)
    )
