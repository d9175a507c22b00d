"""Find the things that typed expressions can be, their owners, and their places."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from ruleforge.analysis.effects.ownership import belongs
from ruleforge.analysis.effects.summary import Who
from ruleforge.analysis.effects.values import NOTHING, Environment, Known, conjuncts, same
from ruleforge.analysis.intervals import ANY, FLAG, ZERO, Interval, single
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import FlagT, NumbersT, NumberT, SetT, ThingT, Type
from ruleforge.lang.checker.walk import all_nodes

UNBOUNDED = 1_000_000  # a range as wide as this one is there for the machine, not for the game
MOST_THINGS = 400  # things of a kind that are tested one by one
ONE = single(1)
_LONG = (t.Aggregate, t.Selection, t.CallFormula)  # not asked of each thing
ACTIVE = t.Variable(
    "active", ThingT("player")
)  # the player whose turn it is, where a trigger says who that is


class Things(ABC):
    """The possible things of one set of checked rules. It uses the ranges of expressions."""

    def __init__(
        self,
        rules: t.Checked,
        endless: frozenset[tuple[str, str]] = frozenset(),
        columns: Mapping[t.Column, Known] = MappingProxyType({}),
    ) -> None:
        self.rules, self.endless, self.columns = rules, endless, columns

    @abstractmethod
    def of(self, node: t.Expr, env: Environment) -> Interval:
        """The numbers that an expression can give; of a condition 1 where it holds."""

    def known(self, node: t.Expr, env: Environment) -> Known:
        """All known facts about a value."""
        if isinstance(node, t.Use):
            return env.get(node.variable, NOTHING)
        reads = node.column if isinstance(node, t.Read) else None
        if isinstance(node.type, NumberT):
            return Known(self.of(node, env), reads=reads)
        found = Known(None, self.things(node, env), self.lies_in(node, env), self.who(node, env), reads)
        inner = self._bound_in(node, env)
        things = found.things if found.things is not None else inner.things
        return replace(found, things=things, of=inner.of, holder=self.holder(node, env))

    def things(self, node: t.Expr, env: Environment) -> frozenset[int] | None:
        """The things that a value can be. None: unknown."""
        match node:
            case t.Constant(value=value) if isinstance(node.type, ThingT):
                return frozenset({value}) if value else frozenset()
            case t.Use(variable=variable):
                return env.get(variable, NOTHING).things
            case t.Sure(value=value):
                return self.things(value, env)
            case t.Read(column=column) if column.constant and isinstance(column.type, ThingT):
                return frozenset(v for v in self._printed(node, env) if isinstance(v, int) and v)
            case t.Conditional(then=then, other=other):
                one, two = self.things(then, env), self.things(other, env)
                return one | two if one is not None and two is not None else None
        return None

    def who(self, node: t.Expr, env: Environment) -> Who | None:
        """The player that a value is: `me`, a player of the trigger, or another one. None: unknown."""
        match node:
            case t.Use(variable=variable):
                return env.get(variable, NOTHING).who
            case t.Sure(value=value):
                return self.who(value, env)
            case t.Opponent(of=of) | t.Builtin(name="next" | "previous", arguments=(of,)):
                found = self.who(of, env)
                return found.flipped() if found else None
            case t.Active():
                return env.get(ACTIVE, NOTHING).who
        return None

    def lies_in(self, node: t.Expr, env: Environment) -> frozenset[str] | None:
        """The places in which a thing or the members of a set may lie."""
        match node:
            case t.Use(variable=variable):
                return env.get(variable, NOTHING).places
            case t.Sure(value=value):
                return self.lies_in(value, env)
            case t.Content(place=place) | t.Family(place=place):
                return frozenset({place.name})
            case t.Selection(binder=binder) | t.Aggregate(binder=binder):
                return self.lies_in(binder.source, env) or _chosen_places(binder)
            case t.Conditional(then=then, other=other):
                one, two = self.lies_in(then, env), self.lies_in(other, env)
                return one | two if one is not None and two is not None else None
        return None

    # --- binders ---

    def bound(self, binder: t.Binder, env: Environment) -> dict[t.Variable, Known]:
        """The environment with what a binder binds."""
        inner = dict(env)
        variable = binder.variable
        if isinstance(variable.type, NumberT):
            inner[variable] = Known(self._interval(binder.source, env))
        else:
            things = self._chosen_things(binder, env) or self._fitting(binder, env)
            places = self.lies_in(binder.source, env) or _chosen_places(binder)
            who = self._chosen_player(binder, env) or self.who(binder.source, env)
            inner[variable] = Known(None, things, places, who)
            inner[variable] = replace(
                inner[variable], of=self._owner(binder, env, inner), holder=self.holder(binder.source, env)
            )
        return inner

    def _owner(self, binder: t.Binder, env: Environment, inner: Environment) -> Who | None:
        """The owner of a thing, by the tests of its binder or the owner of its source."""
        tests = (binder.where,) if binder.where is not None else ()
        use = t.Use(binder.span, binder.variable.type, binder.variable)
        found = belongs(self.rules, use, tests, lambda node: self.who(node, inner)) if tests else None
        return found or self._bound_in(binder.source, env).of

    def _bound_in(self, node: t.Expr, env: Environment) -> Known:
        """The known facts about the members of a selection, or about one picked member."""
        match node:
            case t.Use(variable=variable):
                return env.get(variable, NOTHING)
            case t.Sure(value=value):
                return self._bound_in(value, env)
            case t.Selection(binder=binder) | t.Aggregate(op="first" | "nth" | "best", binder=binder):
                return self.bound(binder, env)[binder.variable]
        return NOTHING

    def holder(self, node: t.Expr, env: Environment) -> Who | None:
        """The owner of the place in which a thing, or the members of a set, lie."""
        match node:
            case t.Content(place=place, index=index):
                return self.keeper(place, index, env)
            case _:
                return self._bound_in(node, env).holder

    def keeper(self, place: t.Place, index: tuple[t.Expr, ...], env: Environment) -> Who | None:
        """The owner of a place that belongs to a player."""
        own = [part for part, (_, kind) in zip(index, place.of, strict=False) if kind.name == "player"]
        return self.who(own[0], env) if own else None

    def _fitting(self, binder: t.Binder, env: Environment) -> frozenset[int] | None:
        """The members of the source, without those that `where` leaves out by what is printed on them."""
        things = self._bound_in(binder.source, env).things or self.members(binder.source, env)
        if things is None or len(things) > MOST_THINGS:
            return things
        return self._left(things, binder.variable, conjuncts(binder.where))

    def fitting(self, variable: t.Variable, tests: tuple[t.Expr, ...]) -> frozenset[int] | None:
        """The things that a variable can be by what is printed on them; None if the tests leave none out."""
        kind = self.rules.kinds.get(variable.type.kind) if isinstance(variable.type, ThingT) else None
        if kind is None or kind.size > MOST_THINGS:
            return None
        every = frozenset(range(1, kind.size + 1))
        found = self._left(every, variable, tests)
        return None if found == every else found

    def _left(
        self, things: frozenset[int], variable: t.Variable, tests: tuple[t.Expr, ...]
    ) -> frozenset[int]:
        """The things for which no test is certainly false."""
        short = [test for test in tests if not any(isinstance(node, _LONG) for node in all_nodes(test))]
        env = {thing: {variable: Known(things=frozenset({thing}))} for thing in things}
        return frozenset(x for x in things if not any(self.of(test, env[x]) == ZERO for test in short))

    def size(self, binder: t.Binder, env: Environment) -> float:
        """An upper bound on the number of things that a binder finds."""
        if binder.where is not None and self.of(binder.where, env) == ZERO:
            return 0
        if self._chosen_player(binder, env) is not None or self._asks_one(binder):
            return 1
        if isinstance(binder.source.type, ThingT):
            return 1
        if isinstance(binder.source, t.Aggregate) and binder.source.op in ("first", "nth"):
            return 1
        if isinstance(binder.source.type, NumbersT):
            span = self._interval(binder.source, env)
            return max(0, span.high - span.low + 1)
        members = self.members(binder.source, env)
        return len(members) if members is not None else math.inf

    def members(self, source: t.Expr, env: Environment) -> frozenset[int] | None:
        """The things that a set can hold."""
        match source:
            case t.Content(place=place) | t.Family(place=place):
                return frozenset(range(1, place.holds.size + 1))
            case t.SetOf(members=members):
                found: set[int] = set()
                for member in members:
                    things = self.things(member, env)
                    if things is None:
                        break
                    found |= things
                else:
                    return frozenset(found)
            case t.Selection(binder=binder):
                none = binder.where is not None and self.of(binder.where, env) == ZERO
                return frozenset() if none else self.members(binder.source, env)
            case t.Read(column=column) if column in self.columns and isinstance(column.type, SetT):
                return self.columns[column].things
            case t.Read(column=column) if column.constant and isinstance(column.type, SetT):
                printed = (value for value in self._printed(source, env) if isinstance(value, tuple))
                return frozenset(member for value in printed for member in value)
            case t.Conditional(test=test, then=then, other=other):
                holds = self.of(test, env)
                ways = [*([] if holds == ZERO else [then]), *([] if holds == ONE else [other])]
                found_in = [self.members(way, env) for way in ways]
                if None not in found_in:
                    return frozenset().union(*found_in)  # type: ignore[arg-type]
            case t.CallFormula(formula=formula, arguments=arguments) if formula.body and not formula.open:
                return self.members(formula.body, self._inside(formula, arguments, env))
            case _:
                known = self.things(source, env)
                if known is not None:
                    return known
        kind = source.type.kind if isinstance(source.type, SetT | ThingT) else ""
        return frozenset(range(1, self.rules.kinds[kind].size + 1)) if kind in self.rules.kinds else None

    def _interval(self, source: t.Expr, env: Environment) -> Interval:
        if isinstance(source, t.Interval):
            return Interval(self.of(source.low, env).low, self.of(source.high, env).high)
        return declared(source.type)

    def _asks_one(self, binder: t.Binder) -> bool:
        """Whether a binder can only be one thing that is named outside."""
        return any(_other_side(test, binder.variable) is not None for test in _tests(binder))

    def _chosen_player(self, binder: t.Binder, env: Environment) -> Who | None:
        for test in _tests(binder):
            other = _other_side(test, binder.variable)
            found = self.who(other, env) if other is not None else None
            if found is not None:
                return found
        return None

    def _chosen_things(self, binder: t.Binder, env: Environment) -> frozenset[int] | None:
        for test in _tests(binder):
            other = _other_side(test, binder.variable)
            found = self.things(other, env) if other is not None else None
            if found is not None:
                return found
        return None

    def values(self, node: t.Expr, env: Environment) -> frozenset[int] | None:
        """The things that a value can be, with 0 for none. None: unknown."""
        match node:
            case t.Constant(value=value):
                return frozenset({value})
            case t.Sure(value=value):
                found = self.values(value, env)
                return None if found is None else found - {0}
            case t.Read(column=column) if column in self.columns:
                return self.columns[column].things
            case t.Whereabouts(of=of, places=places):
                lies = self.lies_in(of, env)
                every = self.members(node, env)  # of all places that there are it lies in one
                return every if lies and lies <= {place.name for place in places} else None
            case t.Read(column=column, index=()) if column.constant:
                return frozenset(v for v in self._printed(node, env) if isinstance(v, int))
        optional = isinstance(node.type, ThingT) and node.type.optional
        return None if optional else self.things(node, env)

    def _printed(self, node: t.Read, env: Environment) -> Iterator[int | tuple[int, ...]]:
        """The possible values of a printed fact, over the things that it is read from."""
        things = self.things(node.of, env)
        for thing in range(1, node.column.kind.size + 1) if things is None else things:
            yield from node.column.printed(thing)

    def _inside(self, formula: t.Formula, arguments: tuple[t.Expr, ...], env: Environment) -> Environment:
        """The known facts about the arguments of a formula."""
        return {p: self.known(a, env) for p, a in zip(formula.parameters, arguments, strict=False)}


def _tests(binder: t.Binder) -> Iterable[t.Expr]:
    where = binder.where
    return where.parts if isinstance(where, t.Logic) and where.op == "and" else (where,) if where else ()


def _other_side(test: t.Expr, variable: t.Variable) -> t.Expr | None:
    """The other side of an equality test of a variable."""
    if isinstance(test, t.Compare) and test.op == "==":
        for one, other in ((test.left, test.right), (test.right, test.left)):
            if isinstance(one, t.Use) and one.variable is variable and not same(one, other):
                return other
    return None


def _chosen_places(binder: t.Binder) -> frozenset[str] | None:
    """The place that a binder's `where` demands: `p in gem`."""
    for test in _tests(binder):
        match test:
            case t.In(
                element=t.Use(variable=variable), source=t.Content(place=place) | t.Family(place=place)
            ):
                if variable is binder.variable:
                    return frozenset({place.name})
    return None


def declared(type_: Type) -> Interval:
    if isinstance(type_, NumberT | NumbersT):
        low = -math.inf if type_.low <= -UNBOUNDED else type_.low
        return Interval(low, math.inf if type_.high >= UNBOUNDED else type_.high)
    return FLAG if isinstance(type_, FlagT) else ANY
