"""A loop whose body pauses -> a `while` with its position in locals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ruleforge.compiler import ir
from ruleforge.compiler.visit import Node

Name = Callable[[str], str]  # a stem -> the name of a new local


def as_while(loop: Node, name: Name) -> ir.Body:
    match loop:
        case ir.ForRange():
            return _range(loop, name)
        case ir.Each():
            return _each(loop, name)
        case ir.Scan():
            return _scan(loop, name)
    raise TypeError(f"not a loop: {loop!r}")


def _range(loop: ir.ForRange, name: Name) -> ir.Body:
    limit, at, high = ir.Local(name("limit")), ir.Local(loop.name), loop.high
    start, step = ir.Set(loop.name, loop.low), ir.Set(loop.name, ir.Binary("+", at, ir.Const(1)))
    if not isinstance(high, ir.Const):
        test = ir.Binary("<=", at, limit)
        return (ir.Set(limit.name, high), start, ir.While(test, (*loop.body, step)))
    if isinstance(loop.low, ir.Const) and loop.low.value <= high.value:
        # at least one round: the test can stand at the end
        last = ir.If(ir.Binary(">=", at, high), (ir.Break(),))
        return (start, ir.While(ir.Const(1), (*loop.body, last, step)))
    return (start, ir.While(ir.Binary("<=", at, high), (*loop.body, step)))


def _each(loop: ir.Each, name: Name) -> ir.Body:
    here, now = ir.Local(name("key")), ir.Local(name("position"))
    single = len(loop.names) == 1
    take = tuple(
        ir.Set(n, ir.RelationItem(loop.relation, here, now, None if single else i))  # type: ignore[arg-type]
        for i, n in enumerate(loop.names)
    )
    test = ir.Binary("<", now, ir.RelationSize(loop.relation, here))  # type: ignore[arg-type]
    step = ir.Set(now.name, ir.Binary("+", now, ir.Const(1)))
    start = (ir.Set(here.name, loop.key), ir.Set(now.name, ir.Const(0)))
    return (*start, ir.While(test, (*take, step, *loop.body)))


def _scan(loop: ir.Scan, name: Name) -> ir.Body:
    """The members are gathered first: what happens in a round may change them."""
    found, many, at = name("members"), ir.Local(name("count")), ir.Local(name("position"))
    member = ir.Local(name("member"))
    put = (ir.SetElement(found, many, member), ir.Set(many.name, ir.Binary("+", many, ir.Const(1))))
    gather = replace(loop, name=member.name, body=put, frozen=False)
    take = ir.Set(loop.name, ir.Element(found, at))
    step = ir.Set(at.name, ir.Binary("+", at, ir.Const(1)))
    return (
        ir.NewArray(found, loop.size),
        ir.Set(many.name, ir.Const(0)),
        gather,
        ir.Set(at.name, ir.Const(0)),
        ir.While(ir.Binary("<", at, many), (take, step, *loop.body)),
    )
