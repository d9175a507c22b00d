"""Replace locals in a body by expressions, or rename them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ruleforge.compiler import ir
from ruleforge.compiler.visit import (
    Expression,
    Node,
    arrays_written,
    assigned,
    rewrite,
    same,
    statements,
    with_bodies,
    with_expressions,
)


def substitute(body: ir.Body, values: Mapping[str, Expression]) -> ir.Body:
    """Replace locals that the body does not assign by expressions."""

    def change(expression: Expression) -> Expression:
        if isinstance(expression, ir.Local):
            return values.get(expression.name, expression)
        return expression

    def one(statement: Node) -> Node:
        statement = with_expressions(statement, lambda e: rewrite(e, change))
        return with_bodies(statement, lambda b: same(b, [*map(one, b)]))

    return same(body, [*map(one, body)])


def renamed(body: ir.Body, prefix: str, also: Iterable[str] = ()) -> ir.Body:
    """Add a prefix to the locals that the body assigns, and to some others."""
    own = set(also) | {name for s in statements(body) for name in assigned(s)}
    own |= {name for s in statements(body) if (name := arrays_written(s)) is not None}

    def new(name: str) -> str:
        return prefix + name if name in own else name

    def expression(e: Expression) -> Expression:
        match e:
            case ir.Local(name=name) if name in own:
                return ir.Local(new(name))
            case ir.Element(array=array, index=index) if array in own:
                return ir.Element(new(array), index)
        return e

    def statement(s: Node) -> Node:
        s = with_bodies(
            with_expressions(s, lambda e: rewrite(e, expression)), lambda b: same(b, [*map(statement, b)])
        )
        match s:
            case ir.Set() | ir.ForRange() | ir.Scan() | ir.NewArray():
                return replace(s, name=new(s.name))
            case ir.SetElement():
                return replace(s, array=new(s.array))
            case ir.Each():
                return replace(s, names=tuple(map(new, s.names)))
            case ir.Random() | ir.Perform() if s.into is not None:
                return replace(s, into=new(s.into))
        return s

    return same(body, [*map(statement, body)])
