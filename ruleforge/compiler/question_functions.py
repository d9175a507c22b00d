"""Compile conditions, costs and values of the rules to functions that can be called one by one.

A condition is split as far as possible: a chain of `and`, the formula it calls, the event it names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ruleforge.analysis.effects.calls import evaluated_nodes
from ruleforge.compiler import ir
from ruleforge.compiler.layout import value_type
from ruleforge.compiler.lower.context import Env, Lowering, both
from ruleforge.compiler.lower.decisions import costs
from ruleforge.compiler.lower.decisions.parts import Joint
from ruleforge.compiler.lower.effects import event_gates
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.place_lookups import looks_of, read_by
from ruleforge.compiler.questions import FormulaQuery, PlaceLookup, Price, Requirement, Shown
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import SetT, ThingT
from ruleforge.lang.checker.walk import all_nodes, free_variables
from ruleforge.support.diagnostics import Span


def parts_of_test(test: t.Expr | None) -> tuple[t.Expr, ...]:
    """The conditions that are joined by `and`."""
    if test is None:
        return ()
    return test.parts if isinstance(test, t.Logic) and test.op == "and" else (test,)


def words_of(test: t.Expr) -> tuple[str, tuple[str, ...]]:
    """The words and clauses of a condition that is one formula, or is about what one gives, or a range up to one."""
    if isinstance(test, t.In):
        test = test.source.high if isinstance(test.source, t.Interval) else test.source
    if isinstance(test, t.CallFormula):
        return test.formula.text, test.formula.clauses
    return "", ()


def _called(event: t.Event, given: tuple[t.Expr, ...]) -> tuple[tuple[str, str], ...]:
    pairs = zip(event.parameters, given, strict=True)
    return tuple((p.name, a.variable.name) for p, a in pairs if isinstance(a, t.Use))


def _with_sets(given: tuple[t.Expr, ...]) -> bool:
    return any(isinstance(argument.type, SetT) for argument in given)


class Asker:
    """Makes functions of the requirements of an answer. `of` is their name prefix, `me` the acting player."""

    def __init__(
        self, low: Lowering, of: str, me: t.Variable | None, parameters: tuple[str, ...], env: Env
    ) -> None:
        self.low, self.of, self.me = low, of, me
        self.parameters, self.env = parameters, env

    def within(self, env: Env) -> Asker:
        """The same asker, where locals stand for something else."""
        return Asker(self.low, self.of, self.me, self.parameters, env)

    def offered(self, binder: Joint, digit: t.Variable, binds: int) -> Iterator[Requirement]:
        """The requirements that make a thing or a number a candidate, as far as their variables are known."""
        plain = binder if isinstance(binder, t.Binder) else binder.node.binder
        asker = self.within(self.env.bind(plain.variable, self.env.expr(digit)))
        use = t.Use(plain.span, plain.variable.type, plain.variable)
        test = t.In(plain.source.span, t.TRUE.type, use, plain.source)
        if not asker.unbound(plain.source):
            member = asker.among(asker.requirement("choice", test, binds), plain.source)
            if isinstance(plain.source, t.Content | t.Family):  # where a thing lies is known to who sees it
                member = replace(member, looks=asker.looks(*getattr(plain.source, "index", ())))
            yield member
            if plain.until is not None and not asker.unbound(plain.until):
                yield from asker.until(plain, binds)
        for part in parts_of_test(plain.where):
            if not asker.unbound(part):
                yield from asker.conditions("where", part, binds)

    def among(self, requirement: Requirement, source: t.Expr) -> Requirement:
        """Add the upper bound or the members of the source to a requirement, if they are known."""
        match source:
            case t.Interval(high=high) if not isinstance(high, t.Constant) and not self.unbound(high):
                most = self.value(high)
                return replace(requirement, most=most, shown=(most,))
            case t.SetOf(members=members) if not self.unbound(source):
                return replace(requirement, only=tuple(map(self.value, members)))
        return requirement

    def usual(self, binder: Joint) -> str | None:
        """The function that gives the usual answer."""
        if not isinstance(binder, t.Binder) or binder.usual is None or self.unbound(binder.usual):
            return None
        return self.function(values.value(self.low, binder.usual, self.env), binder.usual.span)

    def requirement(self, what: str, test: t.Expr, binds: int) -> Requirement:
        function = self.function(values.value(self.low, test, self.env), test.span)
        text, clauses = words_of(test)
        modified = tuple(self.modified(test))
        shown, looks = self._shown(test), self.looks(test)
        return Requirement(
            what, test.span, function, binds, shown, text, clauses, modified=modified, looks=looks
        )

    def conditions(self, what: str, test: t.Expr, binds: int) -> Iterator[Requirement]:
        """A condition, or the parts of the formula or of the event it speaks of."""
        match test:
            case t.CallFormula(formula=formula, arguments=given) if self._is_chain(formula, given):
                inner = self._inside(formula.parameters, given)
                for part in parts_of_test(formula.body):
                    for found in inner.conditions(what, part, binds):
                        text, clauses = found.text or formula.text, (*found.clauses, *formula.clauses)
                        yield replace(found, text=text, clauses=tuple(dict.fromkeys(clauses)))
            case t.Can(event=event, arguments=given) if not _with_sets(given):
                inner = self._inside(event.parameters, given)
                for part in (part for need in event.needs for part in parts_of_test(need)):
                    for found in inner.conditions(what, part, binds):
                        yield replace(found, called=found.called or _called(event, given))
                yield from inner.forbidden(event, binds)
            case _:
                yield self.requirement(what, test, binds)

    def _inside(self, parameters: tuple[t.Variable, ...], given: tuple[t.Expr, ...]) -> Asker:
        """The same asker, where parameters stand for what was given for them."""
        env = self.env
        for parameter, argument in zip(parameters, given, strict=True):
            env = env.bind(parameter, values.value(self.low, argument, self.env))
        return self.within(env)

    def _is_chain(self, formula: t.Formula, given: tuple[t.Expr, ...]) -> bool:
        """Whether all of it can be taken apart: a plain `and`."""
        several = len(parts_of_test(formula.body)) > 1
        return several and not self.low.is_modified(formula) and not _with_sets(given)

    def forbidden(self, event: t.Event, binds: int) -> Iterator[Requirement]:
        """The requirements that no rule forbids an event, one for each rule."""
        arguments = tuple(self.env.expr(parameter) for parameter in event.parameters)
        for rule, forbids in event_gates.forbidding(self.low, event):
            test = values.negated(ir.CallExpr(forbids, arguments))
            function, looks = self.function(test, rule.span), self.looks(*read_by(rule))
            yield Requirement("forbid", rule.span, function, binds, (), rule.text, rule.clauses, looks=looks)

    def until(self, binder: t.Binder, binds: int) -> Iterator[Requirement]:
        """The requirement that a chosen thing comes before the end of the walk."""
        if binder.until is None:
            return
        chosen = t.Variable("chosen", binder.variable.type, binder.span)
        asker = self.within(self.env.bind(chosen, self.env.expr(binder.variable)))
        walk = replace(binder, where=None, by=())
        source = t.Selection(binder.span, binder.source.type, walk)
        test = t.In(binder.until.span, t.TRUE.type, t.Use(binder.span, chosen.type, chosen), source)
        stopper = None
        if isinstance(binder.variable.type, ThingT):
            thing = ThingT(binder.variable.type.kind, True)
            ends = replace(binder, until=None, where=binder.until, by=())
            stopper = asker.value(t.Aggregate(binder.until.span, thing, "first", ends))
        yield replace(asker.requirement("until", test, binds), stopper=stopper)

    def costs(self, cost: t.Block, binds: int) -> Iterator[Requirement]:
        """The requirements of a cost, one for each independent part."""
        if not costs.independent(self.low, cost):
            first = cost.statements[0]
            if isinstance(first, t.Perform):  # the others are paid after it
                can = t.Can(first.span, t.TRUE.type, first.event, first.arguments)
                yield from self.conditions("cost", can, binds)
            test = costs.affordable(self.low, cost, self.env)
            yield Requirement("cost", cost.span, self.function(test, cost.span), binds)
            return
        for part in cost.statements:
            if isinstance(part, t.Perform):
                can = t.Can(part.span, t.TRUE.type, part.event, part.arguments)
                yield from self.conditions("cost", can, binds)
                continue
            test = costs.payable(self.low, part, self.env)
            function = self.function(test, part.span)
            yield Requirement(
                "cost",
                part.span,
                function,
                binds,
                price=self._price(part),
                modified=tuple(self.modified(part)),
                looks=self.looks(part),
            )

    def _price(self, part: t.Statement) -> Price | None:
        match part:
            case t.Pay(amount=amount, pools=pools):
                return self._priced(amount, pools)
            case t.Store(value=t.Arithmetic(op="-", left=t.Read() as pool, right=amount)):
                return self._priced(amount, (pool,))
        return None

    def _priced(self, amount: t.Expr, pools: tuple[t.Read, ...]) -> Price:
        own = all(isinstance(p.of, t.Use) and p.of.variable is self.me for p in pools)
        purses = tuple((p.column.name, self.value(p)) for p in pools)
        return Price(self.value(amount), purses, own)

    def modified(self, value: object) -> Iterator[FormulaQuery]:
        """The modified formulas in a value, also inside formulas, if their arguments are known."""
        for node in all_nodes(value):
            if not isinstance(node, t.CallFormula) or any(map(self.unbound, node.arguments)):
                continue
            if any(isinstance(argument.type, SetT) for argument in node.arguments):
                continue
            if self.low.is_modified(node.formula):
                given = (values.value(self.low, argument, self.env) for argument in node.arguments)
                yield FormulaQuery(node.formula.name, tuple(self.function(g, node.span) for g in given))
            else:
                yield from self._inside(node.formula.parameters, node.arguments).modified(node.formula.body)

    def unbound(self, *nodes: object) -> bool:
        """Whether they speak of something that is not known here."""
        return any(v not in self.env.values for node in nodes for v in free_variables(node))

    def looks(self, *nodes: object) -> tuple[PlaceLookup, ...]:
        """The hidden places that nodes read."""
        return looks_of(self.low, self.env, self.function, *nodes)

    def function(self, result: ir.Expr, span: Span) -> str:
        name = self.low.fresh(f"asked of {self.of}")
        return self.low.define(name, self.parameters, (ir.Return(result),), span)

    def _shown(self, test: t.Expr) -> tuple[Shown, ...]:
        """The two sides of a comparison, where they are not plain constants."""
        if isinstance(test, t.Not):
            return self._shown(test.value)
        if not isinstance(test, t.Compare):
            return ()
        sides = [s for s in (test.left, test.right) if not isinstance(s, t.Constant | t.Use)]
        return tuple(self.value(side) for side in sides if not isinstance(side.type, SetT))

    def value(self, side: t.Expr) -> Shown:
        function = self.function(values.value(self.low, side, self.env), side.span)
        may_see = self._may_see(side)
        seen = None if may_see is None else self.function(may_see, side.span)
        return Shown(side.span, function, value_type(self.low.layout, side.type), seen)

    def _may_see(self, side: t.Expr) -> ir.Expr | None:
        """Whether the deciding player sees all parts of a value. None if it is open to all.

        For a directly read attribute its visibility is tested. Any other hidden part counts as invisible.
        """
        requirement: list[ir.Expr] = []
        for node in evaluated_nodes(side):
            match node:
                case t.Read(column=column, of=of, index=index) if column.hidden:
                    sees = self.low.layout.columns[column].sees if column in self.low.layout.columns else None
                    if sees is None or self.unbound(node) or node not in set(all_nodes(side)):
                        return ir.Const(0)
                    given = (values.value(self.low, e, self.env) for e in (of, *index))
                    requirement.append(ir.CallExpr(sees, (ir.Load(ir.WHO), *given)))
                case t.Content(place=place) | t.Family(place=place) if place.hidden:
                    return ir.Const(0)
                case t.Whereabouts(places=places) if any(p.hidden for p in places):
                    return ir.Const(0)
                case t.Can() | t.Would() | t.CanAct() | t.Reached():
                    return ir.Const(0)
        return both(*requirement) if requirement else None
