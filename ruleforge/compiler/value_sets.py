"""Rewrite a search for one value to a function that returns all values at once, as bits.

    any_1(p, t):                          values any_1(p):
        for o in hand(p):                     bits = 0
            if type(o) == t: return 1         for o in hand(p): bits = bits | 1 << type(o)
        return 0                              return bits

A loop over all values then searches only once.
"""

from __future__ import annotations

from dataclasses import replace

from ruleforge.compiler import ir
from ruleforge.compiler.visit import (
    LOOPS,
    Expression,
    Node,
    all_expressions,
    statements,
    subexpressions,
    with_bodies,
)
from ruleforge.support.records import dataclass

HIGHEST = 30  # the last bit of a word, its sign aside
_BITS, _VALUE = "bits#", "value#"
_WALKED = (ir.Set, ir.If, ir.Break, *LOOPS)


@dataclass(frozen=True, slots=True)
class ByValue:
    """`function` gives the bits of all values of the parameter at `position` for which the search succeeds."""

    position: int
    function: ir.Function


def by_value(function: ir.Function) -> ByValue | None:
    """The rewritten function. None if the function is no such search."""
    match function.body:
        case (*body, ir.Return(value=ir.Const(value=0))) if any(isinstance(s, LOOPS) for s in body):
            for position, name in enumerate(function.parameters):
                found = _Gathering(name).body(tuple(body))
                if found is not None:
                    return ByValue(position, _gathering(function, position, found))
    return None


def _gathering(function: ir.Function, position: int, body: ir.Body) -> ir.Function:
    others = (*function.parameters[:position], *function.parameters[position + 1 :])
    begin, end = (
        ir.Set(_BITS, ir.Const(0), place=function.place),
        ir.Return(ir.Local(_BITS), place=function.place),
    )
    return ir.Function(f"values {function.name}", others, (begin, *body, end), function.place)


class _Gathering:
    """Rewrites a body that searches for one value to a body that collects all."""

    def __init__(self, name: str) -> None:
        self.wanted = ir.Local(name)
        self.hits = 0

    def body(self, body: ir.Body) -> ir.Body | None:
        made = self.gathered(body)
        if (
            not self.hits
            or self.speaks_of_it(made)
            or any(isinstance(s, ir.Return) for s in statements(made))
        ):
            return None
        return made if all(isinstance(s, _WALKED) for s in statements(made)) else None

    def gathered(self, body: ir.Body) -> ir.Body:
        return tuple(made for s in body for made in self.statement(s))

    def statement(self, s: Node) -> ir.Body:
        match s:
            case ir.If(then=(ir.Return(value=ir.Const(value=1)),), other=()):
                return self.hit(s)
        return (with_bodies(s, self.gathered),)

    def hit(self, s: ir.If) -> ir.Body:
        parts = s.test.parts if isinstance(s.test, ir.Logic) and s.test.op == "and" else (s.test,)
        values = [self.value(part) for part in parts]
        found = [value for value in values if value is not None]
        # Compared with two values at once, a hit says nothing about either alone.
        if len(found) != 1:
            return (s,)
        self.hits += 1
        value = ir.Local(_VALUE)
        # A value without a bit is left out: the caller counts only up to HIGHEST and never asks for it.
        fits = ir.Logic(
            "and", (ir.Binary(">=", value, ir.Const(0)), ir.Binary("<=", value, ir.Const(HIGHEST)))
        )
        bit = ir.Binary("|", ir.Local(_BITS), ir.Binary("<<", ir.Const(1), value))
        remaining = (
            ir.Set(_VALUE, found[0], place=s.place),
            ir.If(fits, (ir.Set(_BITS, bit, place=s.place),), place=s.place),
        )
        others = tuple(part for part, value in zip(parts, values, strict=True) if value is None)
        if not others:
            return remaining
        test = others[0] if len(others) == 1 else ir.Logic("and", others)
        return (replace(s, test=test, then=remaining),)

    def value(self, part: Expression) -> Expression | None:
        """The expression that is compared with the searched value."""
        match part:
            case ir.Binary(op="==", left=left, right=right) if self.wanted in (left, right):
                return left if right == self.wanted else right
        return None

    def speaks_of_it(self, body: ir.Body) -> bool:
        return any(self.wanted in subexpressions(e) for e in all_expressions(body))
