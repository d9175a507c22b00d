"""Count the breaches of observed packs in the state and log them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ruleforge.analysis.dataflow import reach
from ruleforge.compiler import ir
from ruleforge.compiler.lower import notes
from ruleforge.compiler.lower.context import Lowering, add
from ruleforge.compiler.visit import all_expressions, expressions, performed, with_bodies
from ruleforge.support.diagnostics import Span

ZERO = ir.Const(0)
Guards = tuple[ir.Expr, ...]  # the conditions under which an expression is evaluated


def found(
    low: Lowering,
    what: str,
    clauses: tuple[str, ...],
    span: Span,
    value: ir.Expr = ZERO,
    limit: ir.Expr = ZERO,
    proved: bool = False,
) -> ir.Body:
    """Count and log one breach."""
    assert low.contract_state is not None
    known = next(
        (b for b in low.contract_state.breaches if (b.what, b.span, b.clauses) == (what, span, clauses)), None
    )
    if known is None:
        known = ir.BreachInfo(what, clauses, span, low.layout.reserve(1) + 1, proved)
        low.contract_state.breaches.append(known)
    count = ir.Store(known.slot, None, add(ir.Load(known.slot), 1))
    return (count, low.note(notes.breached(known), value, limit))


# Add an observer call before each call of a watched formula in effects.
#
# A formula changes no state, so it cannot count a breach itself. Before an effect evaluates it, in real execution
# and outside of choice lists, an observer function runs with the same arguments. Formulas on the way to a watched
# one get a twin that only observes.


def observed(
    functions: Mapping[str, ir.Function], main: str, watched: Mapping[str, str]
) -> dict[str, ir.Function]:
    """The functions of a program with observed formulas. `watched` maps each function to its observer."""
    return _Observing(functions, watched).run(main) if watched else dict(functions)


class _Observing:
    def __init__(self, functions: Mapping[str, ir.Function], watched: Mapping[str, str]) -> None:
        self.functions = dict(functions)
        self.lookers = dict(watched)
        self.asking = self._asking()

    def run(self, main: str) -> dict[str, ir.Function]:
        looking = set(self.lookers.values())
        for name in self._performed(main):
            if name not in looking:
                self._rewrite(name, name)
        return self.functions

    def _performed(self, main: str) -> list[str]:
        """Functions whose effects are meant for real."""
        return list(reach([main], lambda name: performed(self.functions[name].body)))

    def _asking(self) -> set[str]:
        """Functions that ask a watched formula in the end."""
        callers: dict[str, set[str]] = {}
        for name, function in self.functions.items():
            for expression in all_expressions(function.body):
                if isinstance(expression, ir.CallExpr):
                    callers.setdefault(expression.function, set()).add(name)
        return {*reach(self.lookers, lambda name: callers.get(name, ()))}

    def _rewrite(self, name: str, into: str) -> None:
        function = self.functions[name]
        body = self._body(function.body)
        self.functions[into] = ir.Function(into, function.parameters, body, function.place)

    def _body(self, body: ir.Body) -> ir.Body:
        found: list[ir.Statement] = []
        for statement in body:
            looks = [
                look for expr in expressions(statement) for look in self._looks(expr, (), statement.place)
            ]
            inner = with_bodies(statement, self._body)
            if looks and isinstance(inner, ir.While):
                inner = replace(inner, body=(*inner.body, *looks))
            found += [*looks, inner]
        return tuple(found)

    def _looks(self, node: ir.Expr, guards: Guards, place: int) -> Iterator[ir.Statement]:
        match node:
            case ir.Logic(op=op, parts=parts):
                for number, part in enumerate(parts):
                    before = parts[:number] if op == "and" else tuple(map(ir.LogicNot, parts[:number]))
                    yield from self._looks(part, (*guards, *before), place)
                return
            case ir.Select(test=test, then=then, other=other):
                yield from self._looks(test, guards, place)
                yield from self._looks(then, (*guards, test), place)
                yield from self._looks(other, (*guards, ir.LogicNot(test)), place)
                return
        for part in expressions(node):
            yield from self._looks(part, guards, place)
        if isinstance(node, ir.CallExpr) and node.function in self.asking:
            look: ir.Statement = ir.Perform(self._looker(node.function), node.arguments, place=place)
            for guard in reversed(guards):
                look = ir.If(guard, (look,), place=place)
            yield look

    def _looker(self, name: str) -> str:
        """The function that looks where this one asks."""
        if name not in self.lookers:
            self.lookers[name] = f"watch {name}"
            self._rewrite(name, self.lookers[name])
        return self.lookers[name]
