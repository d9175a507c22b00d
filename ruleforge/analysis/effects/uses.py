"""Collect the facts that hold at every use of a formula or event: its things and its phases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from ruleforge.analysis.dataflow import Solver
from ruleforge.analysis.effects.ranges import Ranges
from ruleforge.analysis.effects.things import ONE
from ruleforge.analysis.effects.values import Known, conjuncts, same
from ruleforge.analysis.intervals import ZERO
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.typed.own_columns import under_way
from ruleforge.lang.checker.types import ThingT
from ruleforge.lang.checker.walk import all_nodes, phases_of, replaced, roots
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

MOST_THINGS = 64  # possible things of an argument that are tested one by one
Used = t.Formula | t.Event
User = t.Formula | t.Event | t.Action | t.Rule | None
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Use:
    """The known arguments, phases and windows of a use. None stands for any."""

    values: tuple[Known, ...] = ()
    phases: frozenset[str] | None = None


class Uses:
    """Follows the calls from actions through events, formulas and rules.

    Displays and estimates do not count as uses. Nor does a query of a core formula by a pack, because it has
    no effect by itself.
    """

    def __init__(self, rules: t.Checked, ranges: Ranges, owner: Callable[[Span], str]) -> None:
        self._rules, self._ranges = rules, ranges
        self._calls: dict[Used, list[tuple[User, t.CallFormula | t.Perform]]] = {}
        for user, root in self._texts():
            for node in all_nodes(root):
                match node:
                    case t.Perform(event=event):
                        self._calls.setdefault(event, []).append((user, node))
                    case t.CallFormula(formula=formula) if owner(formula.span) or not owner(node.span):
                        self._calls.setdefault(formula, []).append((user, node))
        self._solver: Solver[Used, Use | None] = Solver(self._use, None, _either)

    def of(self, used: Used) -> Use | None:
        """The joined uses of a definition. None if it has none."""
        return self._solver[used]

    def around(self, pattern: t.Pattern | None) -> tuple[Ranges, dict[t.Variable, Known]]:
        """The facts that hold at every use of the subject of a trigger: of attributes, and of the variables
        that it binds.
        """
        subject = pattern.subject if pattern is not None else None
        use = self.of(subject) if isinstance(subject, Used) else None
        if pattern is None or use is None:
            return self._ranges, {}
        return self._ranges.where(self._under_way(use)), dict(
            zip(pattern.parameters, use.values, strict=False)
        )

    def _under_way(self, use: Use) -> dict[t.Column, Known]:
        """The phases that are certainly active, or certainly not: `during(NAME)`."""
        found = {}
        phases = {phase.name: {p.name for p in phases_of((phase,))} for phase in phases_of(self._rules.flow)}
        for name, inside in phases.items():
            column = self._rules.columns.get(("game", under_way(name)))
            if column is not None and use.phases is not None:
                if use.phases <= inside:
                    found[column] = Known(ONE)
                elif use.phases <= phases.keys() and not use.phases & inside:
                    found[column] = Known(ZERO)
        return found

    def _texts(self) -> Iterator[tuple[User, object]]:
        rules = self._rules
        for action in rules.actions.values():
            yield from (
                (action, part) for part in (*action.binders, *action.needs, action.cost, action.body) if part
            )
        for event in rules.events.values():
            yield from ((event, part) for part in (*event.needs, event.body) if part)
        yield from ((formula, formula.body) for formula in rules.formulas.values() if formula.body)
        yield from ((rule, test) for rule in rules.rules for test in rule.conditions)
        yield from (
            (rule, part) for rule in rules.rules for part in (rule.amount, rule.cost, rule.body) if part
        )
        yield from ((None, root) for root in roots((rules.flow, rules.setup)))

    def _use(self, used: Used, read: Callable[[Used], Use | None]) -> Use | None:
        found: Use | None = None
        for user, call in self._calls.get(used, ()):
            found = _either(found, self._by(user, call, read))
        return found

    def _by(
        self, user: User, call: t.CallFormula | t.Perform, read: Callable[[Used], Use | None]
    ) -> Use | None:
        match user:
            case t.Action():
                env: dict[t.Variable, Known] = {}
                for binder in user.binders:
                    env = self._ranges.bound(binder.binder if isinstance(binder, t.Several) else binder, env)
                values = (self._chosen(value, user, env) for value in call.arguments)
                return Use(tuple(values), frozenset(user.during))
            case t.Formula() | t.Event():
                outer, parameters = read(user), user.parameters
            case t.Rule(pattern=t.Pattern(subject=t.Formula() | t.Event() as subject, parameters=parameters)):
                outer = read(subject)
            case _:
                outer, parameters = Use(), ()
        if outer is None:
            return None
        env = dict(zip(parameters, outer.values, strict=False))
        return Use(tuple(self._known(value, env) for value in call.arguments), outer.phases)

    def _known(self, value: t.Expr, env: dict[t.Variable, Known]) -> Known:
        return Known(things=self._ranges.things(value, env), places=self._ranges.lies_in(value, env))

    def _chosen(self, value: t.Expr, action: t.Action, env: dict[t.Variable, Known]) -> Known:
        """The possible values of a variable of an action: the things for which each of its choices is
        possible.
        """
        known = self._known(value, env)
        kind = self._rules.kinds.get(value.type.kind) if isinstance(value.type, ThingT) else None
        if kind is None or kind.size > MOST_THINGS or known.things is not None:
            return known
        thing = t.Variable("it", ThingT(kind.name))
        use = t.Use(value.span, thing.type, thing)
        binders = [b.binder if isinstance(b, t.Several) else b for b in action.binders]
        tests = conjuncts(*action.needs, *(binder.where for binder in binders))

        def of_thing(node: t.Expr) -> t.Expr:
            return replaced(node, lambda inner: use if same(inner, value) else None)

        sources, conditions = (
            [of_thing(binder.source) for binder in binders],
            [of_thing(test) for test in tests],
        )

        def fits(number: int) -> bool:
            here = {thing: Known(things=frozenset({number}))}
            empty = any(self._ranges.members(source, here) == frozenset() for source in sources)
            return not empty and not any(self._ranges.of(test, here) == ZERO for test in conditions)

        return Known(things=frozenset(filter(fits, range(1, kind.size + 1))), places=known.places)


def _either(one: Use | None, other: Use | None) -> Use | None:
    """The facts that hold in both uses."""
    if one is None or other is None:
        return one or other
    values = (
        Known(things=_joined(a.things, b.things), places=_joined(a.places, b.places))
        for a, b in zip(one.values, other.values, strict=False)
    )
    return Use(tuple(values), _joined(one.phases, other.phases))


def _joined(one: frozenset[Item] | None, other: frozenset[Item] | None) -> frozenset[Item] | None:
    return one | other if one is not None and other is not None else None
