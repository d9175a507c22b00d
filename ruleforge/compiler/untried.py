"""Trials that need none: of what changes nothing and cannot fail, and those whose answer is known beforehand."""

from __future__ import annotations

from dataclasses import replace

from ruleforge.compiler import ir
from ruleforge.compiler.function_traits import Traits
from ruleforge.compiler.passes.folding import fold
from ruleforge.compiler.visit import Expression, found_in, rewrite_body, statements

_TRIALS = frozenset((ir.Trial,))


def untried(lowered: ir.Lowered) -> ir.Lowered:
    """The same program with fewer trials."""
    untrying = _Untrying(lowered)
    return replace(lowered, functions={name: untrying.function(f) for name, f in lowered.functions.items()})


class _Untrying:
    def __init__(self, lowered: ir.Lowered) -> None:
        self.functions, self.tables = lowered.functions, lowered.tables
        self.traits = Traits(lowered.functions)

    def function(self, function: ir.Function) -> ir.Function:
        if not any(found_in(s, _TRIALS) for s in statements(function.body)):
            return function
        body = rewrite_body(function.body, self.expression)
        return function if body is function.body else replace(function, body=fold(body, self.tables))

    def expression(self, e: Expression) -> Expression:
        if not isinstance(e, ir.Trial):
            return e
        trait = self.traits.of(e.function)
        if not trait.sure:
            return e
        match self.functions[e.function].body:
            case (*_, ir.Return(value=ir.Const() as known)) if self._returns_once(e.function):
                return known
        return ir.CallExpr(e.function, e.arguments) if trait.quiet else e

    def _returns_once(self, name: str) -> bool:
        """At its end; what asks nobody and does not end the game comes there."""
        function = self.functions[name]
        returns = sum(isinstance(s, ir.Return) for s in statements(function.body))
        return returns == 1 and not function.finishes
