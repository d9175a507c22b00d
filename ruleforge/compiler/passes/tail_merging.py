"""Branches that end alike -> what they share once, behind them."""

from __future__ import annotations

from dataclasses import replace

from ruleforge.compiler import ir
from ruleforge.compiler.passes.expressions import negation
from ruleforge.compiler.visit import Node, same, with_bodies


def merge_tails(body: ir.Body) -> ir.Body:
    """Where both sides of an If end alike, let what they share follow it."""
    out: list[Node] = []
    for statement in body:
        statement = with_bodies(statement, merge_tails)
        tail: ir.Body = ()
        if isinstance(statement, ir.If):
            then, other = statement.then, statement.other
            while then and other and then[-1] == other[-1]:
                then, other, tail = then[:-1], other[:-1], (then[-1], *tail)
            if tail:
                statement = replace(statement, then=then, other=other)
                if not then and other:
                    statement = replace(statement, test=negation(statement.test), then=other, other=())
        out.append(statement)
        out.extend(tail)
    return same(body, out)
