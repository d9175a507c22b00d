"""Why not? Every requirement of every action as a function of its own, compiled when somebody asks.

The questioning program has the same row as the one that is played; it only has more functions.
"""

from __future__ import annotations

from dataclasses import dataclass

from ruleforge.check import typed as t
from ruleforge.check.types import NumberT, SetT, ThingT
from ruleforge.check.walk import free_variables
from ruleforge.compiler import ir
from ruleforge.compiler.lower import choices, costs, modifiers, values, windows
from ruleforge.compiler.lower.context import Lowering
from ruleforge.diagnostics import Span


@dataclass(frozen=True)
class Shown:
    """A value worth showing beside a failed requirement: where it is written, and how to get and print it."""

    span: Span
    function: str
    kind: int | None  # a thing of this kind; None for a number, -1 for a flag


@dataclass(frozen=True)
class Requirement:
    """One thing an action asks for. `binds` is how many of its choices must be known to ask it."""

    what: str  # "choice", "where", "needs", "limit", "cost", "holds"
    span: Span
    function: str
    binds: int
    shown: tuple[Shown, ...] = ()


@dataclass(frozen=True)
class ActionQuestions:
    """The requirements of one action; its functions take me, the window's values, then all choices in order."""

    name: str
    during: tuple[str, ...]
    choices: tuple[ir.Part, ...]
    requirements: tuple[Requirement, ...]
    span: Span
    clauses: tuple[str, ...]


def action_questions(low: Lowering) -> dict[str, ActionQuestions]:
    return {name: _of_action(low, action) for name, action in low.rules.actions.items()}


def _of_action(low: Lowering, action: t.Action) -> ActionQuestions:
    binders = [b for b in windows.binders_of(action) if isinstance(b, t.Binder)]
    asker = _Asker(low, action, binders)
    found: list[Requirement] = []
    for number, binder in enumerate(binders, start=1):
        use = t.Use(binder.span, binder.variable.type, binder.variable)
        member = t.In(binder.source.span, t.TRUE.type, use, binder.source)
        found.append(asker.requirement("choice", member, number))
        found += [asker.requirement("where", part, number) for part in _parts(binder.where)]
    everything = len(binders)
    for need in action.needs:
        found += [asker.requirement("needs", part, everything) for part in _parts(need)]
    found += asker.beyond(everything)
    parts = tuple(choices.part_of(low, b.variable) for b in binders)
    return ActionQuestions(action.name, action.during, parts, tuple(found), action.span, action.clauses)


def _parts(test: t.Expr | None) -> tuple[t.Expr, ...]:
    """The conditions that are joined by `and`."""
    if test is None:
        return ()
    return test.parts if isinstance(test, t.Logic) and test.op == "and" else (test,)


class _Asker:
    """Makes functions of one action's requirements."""

    def __init__(self, low: Lowering, action: t.Action, binders: list[t.Binder]) -> None:
        self.low, self.action = low, action
        variables = (action.me, *action.given, *(b.variable for b in binders))
        self.parameters, env = modifiers.parameters_of(low, variables)
        self.env = windows.with_given(low, action, env)

    def requirement(self, what: str, test: t.Expr, binds: int) -> Requirement:
        function = self._function(values.value(self.low, test, self.env), test.span)
        return Requirement(what, test.span, function, binds, self._shown(test))

    def beyond(self, binds: int) -> list[Requirement]:
        """What is asked beside the author's conditions: the limit and the cost."""
        low, action, me = self.low, self.action, self.env.expr(self.action.me)
        found = []
        if action.limit is not None:
            test = costs.within(low, action.limit, action.carrier, me, self.env)
            span = action.limit.counter.span
            found.append(Requirement("limit", span, self._function(test, span), binds))
        if action.cost is not None and not self._unbound(action.cost):
            test = costs.affordable(low, action.cost, self.env)
            found.append(Requirement("cost", action.cost.span, self._function(test, action.cost.span), binds))
        return found

    def _unbound(self, node: object) -> bool:
        return any(v not in self.env.values for v in free_variables(node))

    def _function(self, result: ir.Expr, span: Span) -> str:
        name = self.low.fresh(f"asked of {self.action.name}")
        return self.low.define(name, self.parameters, (ir.Return(result),), span)

    def _shown(self, test: t.Expr) -> tuple[Shown, ...]:
        """The two sides of a comparison, where they are not plain constants."""
        if isinstance(test, t.Not):
            return self._shown(test.value)
        if not isinstance(test, t.Compare):
            return ()
        sides = [s for s in (test.left, test.right) if not isinstance(s, t.Constant | t.Use)]
        return tuple(self._value(side) for side in sides if not isinstance(side.type, SetT))

    def _value(self, side: t.Expr) -> Shown:
        function = self._function(values.value(self.low, side, self.env), side.span)
        if isinstance(side.type, ThingT):
            return Shown(side.span, function, self.low.layout.number(self.low.kind(side.type.kind)))
        return Shown(side.span, function, None if isinstance(side.type, NumberT) else -1)
