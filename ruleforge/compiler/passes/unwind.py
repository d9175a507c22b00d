"""Calls after which the game may be over -> calls that leave if it is."""

from __future__ import annotations

from collections.abc import Mapping

from ruleforge.compiler import ir
from ruleforge.compiler.visit import Node, same, with_bodies


def with_unwinds(body: ir.Body, functions: Mapping[str, ir.Function], at_end: bool = False) -> ir.Body:
    """After each call of a plain function that may finish the game, leave if it did.

    `at_end`: nothing follows the body, so a call at its end needs no check.
    """
    out: list[Node] = []
    for position, statement in enumerate(body):
        last = at_end and position == len(body) - 1
        inside = last and isinstance(statement, ir.If)
        statement = with_bodies(statement, lambda b, inside=inside: with_unwinds(b, functions, inside))  # type: ignore[misc]
        out.append(statement)
        if isinstance(statement, ir.Perform) and not last and ends(functions[statement.function]):
            out.append(ir.Unwind(place=statement.place))
    return same(body, out)


def ends(callee: ir.Function) -> bool:
    """Whether the game may be over after a plain call of this function."""
    return callee.finishes and not callee.pauses
