"""RF507: rules, formulas and events that come back to themselves through what hangs on them.

Formulas and events that name themselves are found where they are defined. Here are the longer ways: an event goes on to
the rules that act instead of it, asking whether it can happen to those that forbid it, an open formula to those that
modify it. Rules that wait or stand are no part of a circle: they act later, one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.choices_of import Offered, asked_of, offered
from ruleforge.lang.checker.types import ThingT
from ruleforge.lang.checker.walk import all_nodes, phases_of
from ruleforge.support.diagnostics import Report
from ruleforge.support.records import dataclass

Subject = t.Event | t.Column | t.Kind | t.Formula | tuple[str, str]


@dataclass(frozen=True)
class _Way:
    """Something that is evaluated or done: a formula, keywords, an event or its test, a change, a move, a rule."""

    what: str
    of: t.Formula | t.Event | t.Column | t.Kind | t.Rule | t.Action

    @property
    def name(self) -> str:
        if isinstance(self.of, t.Column):
            return f"set {self.of.kind.name}.{self.of.name}"
        return self.of.name if self.what in ("", "rule") else f"{self.what} {self.of.name}"


def check(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
    """Complain about every circle once, at the rule that closes it."""
    _Search(rules, report).run()


class _Search:
    def __init__(self, rules: t.Checked, report: Report) -> None:
        self.rules, self.report = rules, report
        self.hooks: dict[tuple[str, Subject], list[_Way]] = {}
        for rule in rules.rules:
            if rule.pattern is not None:
                self.hooks.setdefault((rule.form, rule.pattern.subject), []).append(_Way("rule", rule))
        self.done: set[_Way] = set()

    def run(self) -> None:
        for rule in self.rules.rules:
            if rule.form in ("instead", "forbid", "modify"):
                self._follow(_Way("rule", rule))
        for action in self.rules.actions.values():
            self._follow(_Way("can act", action))

    def _follow(self, start: _Way) -> None:
        """Depth first, without recursion: `path` is the way from the start to here."""
        path: dict[_Way, Iterator[_Way]] = {start: self._next(start)}
        while path:
            here = next(reversed(path))
            onward = next(path[here], None)
            if onward is None:
                self.done.add(here)
                path.popitem()
            elif onward in path:
                self._complain(list(path)[list(path).index(onward) :])
            elif onward not in self.done:
                path[onward] = self._next(onward)

    def _complain(self, circle: list[_Way]) -> None:
        rules = [way.of for way in circle if isinstance(way.of, t.Rule)]
        if any(way.what in ("set", "move") for way in circle) and any(rule.when for rule in rules):
            return  # a change of another thing, under a condition, may well come to an end; play watches over it
        first = next((i for i, way in enumerate(circle) if not isinstance(way.of, t.Rule)), 0)
        names = [way.name for way in (*circle[first:], *circle[:first])]
        round_about = " -> ".join([*names, names[0]])
        span = rules[0].span if rules else circle[0].of.span
        self.report.add("RF507", f"`{names[0]}` ends up calling itself: {round_about}", span)

    # --- one step ---

    def _next(self, way: _Way) -> Iterator[_Way]:
        match way.of:
            case t.Rule() as rule:
                yield from self._named(_texts(rule))
            case t.Formula() as formula:
                yield from self._named([formula.body])
                if formula.open:  # else the rule that modifies it was complained about
                    yield from self.hooks.get(("modify", formula), ())
            case t.Event() as event if way.what == "can":
                yield from self._named(event.needs)
                yield from self.hooks.get(("forbid", event), ())
            case t.Event() as event:
                yield _Way("can", event)
                yield from self._named([event.body])
                yield from self.hooks.get(("instead", event), ())
            case t.Action() as action:
                for phase in (None, *(p for p in phases_of(self.rules.flow) if p.name in action.during)):
                    yield from self._named(asked_of(Offered(action, phase)))
            case t.Kind() as kind if way.what == "keywords":
                yield from self.hooks.get(("modify", kind), ())
            case t.Kind() | t.Column() as changed:
                yield from self.hooks.get(("forbid", changed), ())
                yield from self.hooks.get(("instead", changed), ())

    def _named(self, texts: Iterable[object]) -> Iterator[_Way]:
        """What some texts call, ask, change and move, in their order."""
        for root in texts:
            if isinstance(root, _Way):
                yield root
            elif root is not None:
                for node in all_nodes(root):
                    yield from self._called(node)

    def _called(self, node: object) -> Iterator[_Way]:
        match node:
            case t.CallFormula(formula=formula):
                yield _Way("", formula)
            case t.Perform(event=event) | t.Would(event=event):
                yield _Way("", event)
            case t.Can(event=event):
                yield _Way("can", event)
            case t.CanAct():
                yield from (_Way("can act", offer.action) for offer in offered(self.rules, node))
            case t.KeywordsOf(of=t.Expr(type=ThingT(kind=kind))):
                yield _Way("keywords", self.rules.kinds[kind])
            case t.Store(column=column):
                yield _Way("set", column)
            case t.Pay(pools=pools):
                yield from (_Way("set", pool.column) for pool in pools)
            case t.New(given=given):
                yield from (_Way("set", column) for column, _ in given)
            case t.Move(place=place):
                yield _Way("move", place.holds)


def _texts(rule: t.Rule) -> list[object]:
    """All that is looked at or done when a rule is asked to act."""
    found: list[object] = [*rule.conditions, rule.amount, rule.who, rule.cost, rule.body]
    if rule.carrier is not None:
        found += [value for _, value in rule.carrier.given]
        about = (rule.carrier.conduct.controller, rule.carrier.conduct.trigger_order)
        found += [one.value for one in about if one is not None]
        if rule.carrier.keyword is not None:
            found.append(_Way("keywords", rule.carrier.kind))
    return found
