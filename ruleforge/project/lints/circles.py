"""RF507, RF409: recursion and deep nesting of rules, formulas and events.

The checker finds formulas and events that name themselves. This lint finds longer ways:

- from an event to the rules that replace it, and from a test of an event to the rules that forbid it,
- from an open formula to the rules that modify it.

Triggered and standing rules are no part of a circle: they act later, one by one.

Later stages and the interpreters recurse along these ways, so their depth is bounded like the depth of one
text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ruleforge.analysis.effects.relations import Relation, Verb, relations
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.offered_choices import Offered, offered, parameters_of
from ruleforge.lang.checker.walk import parts, phases_of
from ruleforge.support.diagnostics import Report
from ruleforge.support.records import dataclass

MOST_LEVELS = 180  # a text by itself has at most 100
_NAMED = 5  # the number of named steps of a long way

Subject = t.Event | t.Column | t.Kind | t.Formula | tuple[str, str]


@dataclass(frozen=True)
class _Way:
    """A part that is evaluated or executed: a formula, keywords, an event or its test, a change, a move, a
    rule.
    """

    what: str
    of: t.Formula | t.Event | t.Column | t.Kind | t.Rule | t.Action

    @property
    def name(self) -> str:
        if isinstance(self.of, t.Column):
            return f"set {self.of.kind.name}.{self.of.name}"
        return self.of.name if self.what in ("", "rule") else f"{self.what} {self.of.name}"


class _Step(NamedTuple):
    """A step to the next way, with the depth of its name in the text."""

    to: _Way
    depth: int = 1

    @property
    def levels(self) -> int:
        """The depth in later stages: any way but a plain formula adds a level."""
        return self.depth + (not isinstance(self.to.of, t.Formula))


def check(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
    """Report every circle once, at the rule that closes it."""
    _Search(rules, report).run()


class _Search:
    def __init__(self, rules: t.Checked, report: Report) -> None:
        self.rules, self.report = rules, report
        self.levels: dict[_Way, int] = {}  # on the longest way down, through all that is called
        self.deepest: dict[_Way, _Way] = {}  # where that way goes on
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
        for formula in self.rules.formulas.values():
            self._follow(_Way("", formula))
        for event in self.rules.events.values():
            self._follow(_Way("", event))
        for way, levels in self.levels.items():
            if levels > MOST_LEVELS >= self.levels[self.deepest[way]]:
                self._refuse(way)

    def _follow(self, start: _Way) -> None:
        """Depth first, without recursion: `path` is the way from the start to here."""
        path: dict[_Way, list[_Step]] = {} if start in self.done else {start: self._steps(start)}
        while path:
            here = next(reversed(path))
            if not path[here]:
                self.done.add(here)
                self.levels.setdefault(here, 1)
                path.popitem()
                continue
            step = path[here][-1]
            if step.to not in self.done and step.to not in path:
                path[step.to] = self._steps(step.to)
                continue  # and come back when it is known how deep that goes
            path[here].pop()
            if step.to in path:
                self._report_circle(list(path)[list(path).index(step.to) :])
            elif step.levels + self.levels[step.to] > self.levels.get(here, 1):
                self.levels[here] = step.levels + self.levels[step.to]
                self.deepest[here] = step.to

    def _refuse(self, refused: _Way) -> None:
        way, names = refused, [refused.name]
        while way in self.deepest and len(names) < _NAMED:
            way = self.deepest[way]
            names.append(way.name)
        message = f"`{names[0]}` and the formulas it calls are nested more than {MOST_LEVELS} levels deep"
        help = f"shorten the chain of calls, which begins with {' -> '.join(names)}"
        self.report.add("RF409", message, refused.of.span, help)

    def _report_circle(self, circle: list[_Way]) -> None:
        rules = [way.of for way in circle if isinstance(way.of, t.Rule)]
        if any(way.what in ("set", "move") for way in circle) and any(rule.when for rule in rules):
            return  # a change of another thing, under a condition, may well come to an end; play watches over it
        first = next((i for i, way in enumerate(circle) if not isinstance(way.of, t.Rule)), 0)
        names = [way.name for way in (*circle[first:], *circle[:first])]
        round_about = " -> ".join([*names, names[0]])
        span = rules[0].span if rules else circle[0].of.span
        self.report.add("RF507", f"`{names[0]}` calls itself: {round_about}", span)

    # --- one step ---

    def _steps(self, way: _Way) -> list[_Step]:
        """All steps from here, the first of them last."""
        return [*self._next(way)][::-1]

    def _next(self, way: _Way) -> Iterator[_Step]:
        match way.of:
            case t.Rule() as rule:
                yield from self._named(_texts(rule))
            case t.Formula() as formula:
                yield from self._named([formula.body])
                if formula.open:  # else the rule that modifies it was reported
                    yield from self._hooked("modify", formula)
            case t.Event() as event if way.what == "can":
                yield from self._named(event.needs)
                yield from self._hooked("forbid", event)
            case t.Event() as event:
                yield _Step(_Way("can", event))
                yield from self._named([event.body])
                yield from self._hooked("instead", event)
            case t.Action() as action:
                for phase in (None, *(p for p in phases_of(self.rules.flow) if p.name in action.during)):
                    yield from self._named(parameters_of(Offered(action, phase)))
            case t.Kind() as kind if way.what == "keywords":
                yield from self._hooked("modify", kind)
            case t.Kind() | t.Column() as changed:
                yield from self._hooked("forbid", changed)
                yield from self._hooked("instead", changed)

    def _hooked(self, form: str, subject: Subject) -> Iterator[_Step]:
        return map(_Step, self.hooks.get((form, subject), ()))

    def _named(self, texts: Iterable[object]) -> Iterator[_Step]:
        """The ways that some texts call, query, change and move, in their order."""
        for root in texts:
            if isinstance(root, _Way):
                yield _Step(root)
            elif root is not None:
                todo = [(root, 1)]
                while todo:
                    node, depth = todo.pop()
                    for relation in relations(self.rules, node):
                        yield from (_Step(way, depth) for way in self._called(relation))
                    todo += [(part, depth + 1) for part in reversed(parts(node))]

    def _called(self, relation: Relation) -> Iterator[_Way]:
        match relation:
            case Verb.CALL | Verb.PERFORM | Verb.TRY, t.Formula() | t.Event() as called:
                yield _Way("", called)
            case Verb.CAN, t.Event() as event:
                yield _Way("can", event)
            case Verb.CAN_ACT, t.CanAct() as call:
                yield from (_Way("can act", offer.action) for offer in offered(self.rules, call))
            case Verb.KEYWORDS, t.Kind() as kind:
                yield _Way("keywords", kind)
            case Verb.WRITE | Verb.PAY, t.Column() as column:
                yield _Way("set", column)
            case Verb.MOVE, t.Place(holds=kind):
                yield _Way("move", kind)


def _texts(rule: t.Rule) -> list[object]:
    """All texts that are evaluated or executed when a rule acts."""
    found: list[object] = [*rule.conditions, rule.amount, rule.who, rule.cost, rule.body]
    if rule.carrier is not None:
        found += [value for _, value in rule.carrier.given]
        about = (rule.carrier.conduct.controller, rule.carrier.conduct.trigger_order)
        found += [one.value for one in about if one is not None]
        if rule.carrier.keyword is not None:
            found.append(_Way("keywords", rule.carrier.kind))
    return found
