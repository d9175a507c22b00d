"""Why not? Every requirement of every action as a function of its own, compiled when somebody asks.

The questioning program has the same row as the one that is played; it only has more functions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ruleforge.check import typed as t
from ruleforge.check.types import SetT, ThingT
from ruleforge.check.walk import all_nodes, free_variables
from ruleforge.compiler import ir
from ruleforge.compiler.layout import value_type
from ruleforge.compiler.lower.context import Env, Lowering, both
from ruleforge.compiler.lower.decisions import costs, windows
from ruleforge.compiler.lower.decisions.parts import Joint, bind, digits_of, parts_of
from ruleforge.compiler.lower.effects import gates
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import modifiers
from ruleforge.compiler.questions import (
    ActionQuestions,
    Asked,
    Price,
    Requirement,
    Shown,
    reads,
    reads_hidden,
)
from ruleforge.compiler.shown import phases
from ruleforge.diagnostics import Span


def action_questions(low: Lowering) -> dict[str, ActionQuestions]:
    return {name: _of_action(low, action) for name, action in low.rules.actions.items()}


def _of_action(low: Lowering, action: t.Action) -> ActionQuestions:
    binders = windows.known_by_name(action)
    digits = tuple((binder, digit) for binder in binders for digit in digits_of(binder))
    variables = (action.me, *action.given, *(digit for _, digit in digits))
    parameters, env = modifiers.parameters_of(low, variables)
    for binder in binders:
        env = bind(low, binder, tuple(env.expr(digit) for digit in digits_of(binder)), env)
    asker = _Asker(low, action, parameters, windows.with_given(low, action, env))
    found: list[Requirement] = []
    for number, (binder, digit) in enumerate(digits, start=1):
        found += asker.offered(binder, digit, number)
    everything = len(digits)
    for need in action.needs:
        found += [r for part in _parts(need) for r in asker.conditions("needs", part, everything)]
    found += asker.beyond(everything)
    parts = tuple(part for binder in binders for part in parts_of(low, binder))
    given = len(parameters) - 1 - len(digits)
    usual = tuple(asker.usual(binder) for binder, _ in digits)
    return ActionQuestions(
        action.name, action.during, given, parts, tuple(found), action.span, action.clauses, usual
    )


def _parts(test: t.Expr | None) -> tuple[t.Expr, ...]:
    """The conditions that are joined by `and`."""
    if test is None:
        return ()
    return test.parts if isinstance(test, t.Logic) and test.op == "and" else (test,)


def _words(test: t.Expr) -> tuple[str, tuple[str, ...]]:
    """The words and clauses of a condition that is one formula, or is about what one gives, or a range up to one."""
    if isinstance(test, t.In):
        test = test.source.high if isinstance(test.source, t.Interval) else test.source
    if isinstance(test, t.CallFormula):
        return test.formula.text, test.formula.clauses
    return "", ()


class _Asker:
    """Makes functions of one action's requirements."""

    def __init__(self, low: Lowering, action: t.Action, parameters: tuple[str, ...], env: Env) -> None:
        self.low, self.action = low, action
        self.parameters, self.env = parameters, env

    def offered(self, binder: Joint, digit: t.Variable, binds: int) -> Iterator[Requirement]:
        """What makes a thing or a number one of those to choose from."""
        plain = binder if isinstance(binder, t.Binder) else binder.node.binder
        own = self.env.bind(plain.variable, self.env.expr(digit))
        asker = _Asker(self.low, self.action, self.parameters, own)
        use = t.Use(plain.span, plain.variable.type, plain.variable)
        test = t.In(plain.source.span, t.TRUE.type, use, plain.source)
        yield asker.among(asker.requirement("choice", test, binds), plain.source)
        yield from asker.until(plain, binds)
        for part in _parts(plain.where):
            yield from asker.conditions("where", part, binds)

    def among(self, asked: Requirement, source: t.Expr) -> Requirement:
        """With what there is to choose from, where that is a value or two."""
        match source:
            case t.Interval(high=high) if not isinstance(high, t.Constant) and not self._unbound(high):
                most = self._value(high)
                return replace(asked, most=most, shown=(most,))
            case t.SetOf(members=members) if not self._unbound(source):
                return replace(asked, only=tuple(map(self._value, members)))
        return asked

    def usual(self, binder: Joint) -> str | None:
        """The function that gives the usual answer."""
        if not isinstance(binder, t.Binder) or binder.usual is None:
            return None
        return self._function(values.value(self.low, binder.usual, self.env), binder.usual.span)

    def requirement(self, what: str, test: t.Expr, binds: int) -> Requirement:
        function = self._function(values.value(self.low, test, self.env), test.span)
        text, clauses = _words(test)
        modified = tuple(self.modified(test))
        return Requirement(
            what, test.span, function, binds, self._shown(test), text, clauses, modified=modified
        )

    def conditions(self, what: str, test: t.Expr, binds: int) -> Iterator[Requirement]:
        """A condition, or the parts of the formula or of the event it speaks of, if none of them is a secret."""
        match test:
            case t.CallFormula(formula=formula, arguments=given) if self._is_chain(formula, given):
                inner = self._inside(formula.parameters, given)
                for part in _parts(formula.body):
                    for found in inner.conditions(what, part, binds):
                        text, clauses = found.text or formula.text, (*found.clauses, *formula.clauses)
                        yield replace(found, text=text, clauses=tuple(dict.fromkeys(clauses)))
            case t.Can(event=event, arguments=given) if self._is_open(event, given):
                inner = self._inside(event.parameters, given)
                for need in event.needs:
                    for part in _parts(need):
                        yield from inner.conditions(what, part, binds)
                yield from inner.forbidden(event, binds)
            case _:
                yield self.requirement(what, test, binds)

    def _inside(self, parameters: tuple[t.Variable, ...], given: tuple[t.Expr, ...]) -> _Asker:
        """The same asker, where parameters stand for what was given for them."""
        env = self.env
        for parameter, argument in zip(parameters, given, strict=True):
            env = env.bind(parameter, values.value(self.low, argument, self.env))
        return _Asker(self.low, self.action, self.parameters, env)

    def _is_chain(self, formula: t.Formula, given: tuple[t.Expr, ...]) -> bool:
        """Whether all of it can be taken apart: a plain `and`, of what everybody may know."""
        body = formula.body
        return (
            len(_parts(body)) > 1
            and not self.low.is_modified(formula)
            and not any(isinstance(argument.type, SetT) for argument in given)
            and body is not None
            and not reads_hidden(body)
        )

    def _is_open(self, event: t.Event, given: tuple[t.Expr, ...]) -> bool:
        rules = self.low.hooks.forbid.get(event, ())
        return not any(isinstance(argument.type, SetT) for argument in given) and not any(
            reads_hidden(what) for what in (*event.needs, *rules)
        )

    def forbidden(self, event: t.Event, binds: int) -> Iterator[Requirement]:
        """That no rule forbids an event, rule by rule."""
        arguments = tuple(self.env.expr(parameter) for parameter in event.parameters)
        for rule, forbids in gates.forbidding(self.low, event):
            test = values.negated(ir.CallExpr(forbids, arguments))
            yield Requirement(
                "forbid", rule.span, self._function(test, rule.span), binds, (), rule.text, rule.clauses
            )

    def until(self, binder: t.Binder, binds: int) -> Iterator[Requirement]:
        """That nothing stands between: what is chosen comes before the end of the walk."""
        if binder.until is None:
            return
        chosen = t.Variable("chosen", binder.variable.type, binder.span)
        asker = _Asker(
            self.low, self.action, self.parameters, self.env.bind(chosen, self.env.expr(binder.variable))
        )
        walk = replace(binder, where=None, by=())
        source = t.Selection(binder.span, binder.source.type, walk)
        test = t.In(binder.until.span, t.TRUE.type, t.Use(binder.span, chosen.type, chosen), source)
        stopper = None
        if isinstance(binder.variable.type, ThingT):
            thing = ThingT(binder.variable.type.kind, True)
            ends = replace(binder, until=None, where=binder.until, by=())
            stopper = asker._value(t.Aggregate(binder.until.span, thing, "first", ends))
        yield replace(asker.requirement("until", test, binds), stopper=stopper)

    def costs(self, cost: t.Block, binds: int) -> Iterator[Requirement]:
        """What must be paid, part by part where each can be asked for itself."""
        if not costs.independent(self.low, cost):
            first = cost.statements[0]
            if isinstance(first, t.Perform):  # the others are paid after it
                can = t.Can(first.span, t.TRUE.type, first.event, first.arguments)
                yield from self.conditions("cost", can, binds)
            test = costs.affordable(self.low, cost, self.env)
            yield Requirement("cost", cost.span, self._function(test, cost.span), binds)
            return
        for part in cost.statements:
            if isinstance(part, t.Perform):
                can = t.Can(part.span, t.TRUE.type, part.event, part.arguments)
                yield from self.conditions("cost", can, binds)
                continue
            test = costs.payable(self.low, part, self.env)
            function = self._function(test, part.span)
            yield Requirement(
                "cost",
                part.span,
                function,
                binds,
                price=self._price(part),
                modified=tuple(self.modified(part)),
            )

    def _price(self, part: t.Statement) -> Price | None:
        match part:
            case t.Pay(amount=amount, pools=pools):
                return self._priced(amount, pools)
            case t.Store(value=t.Arithmetic(op="-", left=t.Read() as pool, right=amount)):
                return self._priced(amount, (pool,))
        return None

    def _priced(self, amount: t.Expr, pools: tuple[t.Read, ...]) -> Price:
        own = all(isinstance(p.of, t.Use) and p.of.variable is self.action.me for p in pools)
        purses = tuple((p.column.name, self._value(p)) for p in pools)
        return Price(self._value(amount), purses, own)

    def modified(self, value: object) -> Iterator[Asked]:
        """The formulas in a value that rules modify, also inside of formulas, where it is known what they are asked."""
        for node in all_nodes(value):
            if not isinstance(node, t.CallFormula) or any(map(self._unbound, node.arguments)):
                continue
            if any(isinstance(argument.type, SetT) for argument in node.arguments):
                continue
            if self.low.is_modified(node.formula):
                given = (values.value(self.low, argument, self.env) for argument in node.arguments)
                yield Asked(node.formula.name, tuple(self._function(g, node.span) for g in given))
            else:
                yield from self._inside(node.formula.parameters, node.arguments).modified(node.formula.body)

    def beyond(self, binds: int) -> list[Requirement]:
        """What is asked beside the author's conditions: the limit and the cost."""
        low, action, me = self.low, self.action, self.env.expr(self.action.me)
        found = []
        if action.limit is not None:
            test = costs.within(low, action.limit, action.carrier, me, self.env)
            span = action.limit.counter.span
            found.append(Requirement("limit", span, self._function(test, span), binds))
        if action.cost is not None and not self._unbound(action.cost):
            found += self.costs(action.cost, binds)
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
                case t.Can() | t.Would() | t.Reached():
                    return ir.Const(0)
        return both(*asked) if asked else None
