"""Walks and rewrites read off its class what a node consists of: one that they never saw is treated like the others."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from ruleforge.compiler import ir, visit
from ruleforge.compiler.ir import Const, If, Local, Set
from ruleforge.compiler.ir.statements import Placed
from ruleforge.compiler.node_shapes import SHAPES
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class _Between:
    """An expression that no module of RuleForge knows."""

    value: ir.Expr
    low: ir.Expr | None
    others: tuple[ir.Expr, ...]
    sign: str = ""


@dataclass(frozen=True, slots=True)
class _Twice(Placed):
    """A statement that no module of RuleForge knows."""

    test: ir.Expr
    first: ir.Body
    second: ir.Body = ()


Between: Any = _Between  # no type checker takes them for nodes
Twice: Any = _Twice
INNER = Between(Local("x"), None, (Const(1), Local("y")))
STATEMENT = Twice(INNER, (Set("a", Local("x")),), (If(Local("z"), (Set("b", Const(2)),)),))


def test_the_parts_of_an_unknown_node_are_met() -> None:
    assert visit.expressions(INNER) == (Local("x"), Const(1), Local("y"))
    assert visit.expressions(Between(Const(1), Const(2), ())) == (Const(1), Const(2))
    assert [type(s) for s in visit.statements((STATEMENT,))] == [_Twice, Set, If, Set]
    found = [e.name for e in visit.all_expressions((STATEMENT,)) if isinstance(e, Local)]
    assert found == ["x", "y", "x", "z"]
    assert visit.count((STATEMENT,)) == 11


def test_the_parts_of_an_unknown_node_are_rewritten() -> None:
    def other(e: visit.Expression) -> visit.Expression:
        return Local("q") if e == Local("x") else e

    (made,) = visit.rewrite_body((STATEMENT,), other)
    assert made == Twice(Between(Local("q"), None, INNER.others), (Set("a", Local("q")),), STATEMENT.second)
    assert visit.rewrite_body((STATEMENT,), lambda e: e)[0] is STATEMENT
    placed: Any = visit.placed((STATEMENT,), 7)[0]
    assert (placed.place, placed.first[0].place, placed.second[0].then[0].place) == (7, 7, 7)


@pytest.mark.parametrize("kind", [*ir.AnyExpr.__args__, *ir.AnyStatement.__args__])
def test_every_field_of_a_node_is_a_part_or_a_plain_value(kind: type) -> None:
    """A field that is declared in another way would be passed over in silence."""
    shape = SHAPES[kind]
    plain = {"int", "str", "bool", "str | None", "int | None", "tuple[str, ...]"}
    others = {f.name for f in fields(kind) if str(f.type) not in plain}
    assert others == {*shape.one, *shape.many, *shape.bodies}
