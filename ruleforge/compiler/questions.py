"""Why not? Every requirement of every action as a function of its own, compiled when somebody asks.

The questioning program has the same row as the one that is played; it only has more functions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ruleforge.check import typed as t
from ruleforge.check.types import SetT
from ruleforge.check.walk import all_nodes, free_variables
from ruleforge.compiler import ir
from ruleforge.compiler.layout import value_type
from ruleforge.compiler.lower.context import Lowering, both
from ruleforge.compiler.lower.decisions import choices, costs, windows
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import modifiers
from ruleforge.compiler.shown import phases
from ruleforge.diagnostics import Span


@dataclass(frozen=True)
class Shown:
    """A value worth showing beside a failed requirement: where it is written, and how to get and print it."""

    span: Span
    function: str
    type: ir.ValueType
    open: str | None = None  # function that says whether the deciding player may see it; None: everybody may


@dataclass(frozen=True)
class Requirement:
    """One thing an action asks for. `binds` is how many of its choices must be known to ask it."""

    what: str  # "choice", "where", "needs", "limit", "cost", "holds"
    span: Span
    function: str
    binds: int
    shown: tuple[Shown, ...] = ()
    text: str = ""  # the words of the formula that failed, and its clauses
    clauses: tuple[str, ...] = ()
    during: str | None = None  # asked only in this phase; None: always


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


def _words(test: t.Expr) -> tuple[str, tuple[str, ...]]:
    """The words and clauses of a condition that is one formula, or a range up to one."""
    if isinstance(test, t.In) and isinstance(test.source, t.Interval):
        test = test.source.high
    if isinstance(test, t.CallFormula):
        return test.formula.text, test.formula.clauses
    return "", ()


def reads(node: object) -> Iterator[object]:
    """All nodes of an expression, those of the formulas it calls included."""
    todo, met = [node], set[t.Formula]()
    while todo:
        for part in all_nodes(todo.pop()):
            yield part
            if isinstance(part, t.CallFormula) and part.formula not in met and part.formula.body is not None:
                met.add(part.formula)
                todo.append(part.formula.body)


def reads_hidden(what: t.Expr | t.Rule) -> bool:
    """Whether a value, or what a rule does to one, depends on something that not everybody sees."""
    if isinstance(what, t.Rule):
        works = what.carrier.works if what.carrier else None
        tests = what.pattern.tests if what.pattern else ()
        return any(reads_hidden(e) for e in (what.amount, what.when, works, *tests) if e is not None)
    for node in reads(what):
        match node:
            case t.Read(column=column) if column.hidden:
                return True
            case t.Content(place=place) | t.Family(place=place) if place.hidden:
                return True
            case t.Whereabouts(places=places) if any(p.hidden for p in places):
                return True
            case t.Can() | t.Would():
                return True
    return False


class _Asker:
    """Makes functions of one action's requirements."""

    def __init__(self, low: Lowering, action: t.Action, binders: list[t.Binder]) -> None:
        self.low, self.action = low, action
        variables = (action.me, *action.given, *(b.variable for b in binders))
        self.parameters, env = modifiers.parameters_of(low, variables)
        self.env = windows.with_given(low, action, env)

    def requirement(self, what: str, test: t.Expr, binds: int) -> Requirement:
        function = self._function(values.value(self.low, test, self.env), test.span)
        text, clauses = _words(test)
        return Requirement(what, test.span, function, binds, self._shown(test), text, clauses)

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
        found += self._holds(None, action.holds, None, binds)
        for phase in phases(low.rules.flow):
            if phase.name in action.during:
                found += self._holds(phase.name, phase.holds, phase.me, binds)
        return found

    def _holds(
        self, during: str | None, holds: tuple[t.Expr, ...], acting: t.Variable | None, binds: int
    ) -> list[Requirement]:
        """What must hold afterwards, each tried on a copy; not where a chosen set would be needed."""
        env = self.env if acting is None else self.env.bind(acting, self.env.expr(self.action.me))
        nodes = [n for n in (self.action.cost, self.action.body) if n is not None]
        if any(v not in env.values for n in (*nodes, *holds) for v in free_variables(n)):
            return []
        found = []
        for hold in holds:
            kept = windows.keeps(self.low, self.action, (hold,), acting, env)
            text, clauses = _words(hold)
            function = self._function(kept, hold.span)
            found.append(Requirement("holds", hold.span, function, binds, (), text, clauses, during))
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
        may_see = self._may_see(side)
        seen = None if may_see is None else self._function(may_see, side.span)
        return Shown(side.span, function, value_type(self.low.layout, side.type), seen)

    def _may_see(self, side: t.Expr) -> ir.Expr | None:
        """Whether the player who decides sees all that a value is made of; None if it is open to all.

        An attribute read directly is asked about; whatever else is hidden counts as not seen.
        """
        asked: list[ir.Expr] = []
        for node in reads(side):
            match node:
                case t.Read(column=column, of=of, index=index) if column.hidden:
                    sees = self.low.layout.columns[column].sees if column in self.low.layout.columns else None
                    if sees is None or self._unbound(node) or node not in set(all_nodes(side)):
                        return ir.Const(0)
                    given = (values.value(self.low, e, self.env) for e in (of, *index))
                    asked.append(ir.CallExpr(sees, (self.env.expr(self.action.me), *given)))
                case t.Content(place=place) | t.Family(place=place) if place.hidden:
                    return ir.Const(0)
                case t.Whereabouts(places=places) if any(p.hidden for p in places):
                    return ir.Const(0)
                case t.Can() | t.Would() | t.Linked():
                    return ir.Const(0)
        return both(*asked) if asked else None
