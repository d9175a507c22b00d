"""Summarise the effects of pieces of rules through everything that they call, by definition."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ruleforge.analysis.dataflow import Solver
from ruleforge.analysis.effects.relations import Relation, Verb, relations_in
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.offered_choices import Offered, carried_by, offered, parameters_of

Hooks = Callable[
    [str, object], Sequence[t.Rule]
]  # a form and what rules of it wait for or modify -> these rules


class Needs(NamedTuple):
    """The conditions of an event, besides the rules that forbid it."""

    event: t.Event


Called = t.Formula | t.Event | t.Window | t.Rule | Needs | Offered
Touched = frozenset[Relation]

_CHANGES = frozenset((Verb.WRITE, Verb.PAY))
_COUNTS = frozenset((Verb.CREATE, Verb.REMOVE))
_MOVES = frozenset((Verb.MOVE, Verb.SHUFFLE))
NOTHING: Touched = frozenset()


@dataclass(frozen=True)
class Effects:
    """The effects and reads of a piece of rules, and everything that it calls or tries."""

    rules: t.Checked
    touched: Touched

    def of(self, *verbs: Verb) -> frozenset[object]:
        """The objects of these verbs."""
        return frozenset(what for verb, what in self.touched if verb in verbs)

    @cached_property
    def reads(self) -> frozenset[object]:
        """Attributes, places, positions, and kinds whose set of things matters."""
        return self.of(Verb.READ)

    @cached_property
    def counts(self) -> frozenset[object]:
        """The kinds whose things come or go."""
        return self.of(*_COUNTS)

    @cached_property
    def writes(self) -> frozenset[object]:
        """Attributes and positions. For created or removed things these are all their attributes."""
        fresh = (column for column in self.rules.columns.values() if column.kind in self.counts)
        return self.of(*_CHANGES).union(fresh if self.counts else ())

    @cached_property
    def moves(self) -> frozenset[object]:
        """The kinds of which things are moved."""
        places = self.of(*_MOVES)
        moved = (place.holds for place in places if isinstance(place, t.Place))
        return self.of(Verb.REMOVE).union(moved)

    @property
    def finishes(self) -> bool:
        return any(verb is Verb.FINISH for verb, _ in self.touched)

    @property
    def happenings(self) -> frozenset[object]:
        """The events that can trigger rules: events, changed attributes, kinds of moved things."""
        return self.of(Verb.PERFORM) | self.writes | self.moves

    def disturbs(self, read: Iterable[object]) -> bool:
        """Whether these effects can change the given reads."""
        return any(self._changes(what) for what in read)

    def _changes(self, what: object) -> bool:
        match what:
            case t.Place(holds=kind):
                return kind in self.moves
            case t.Kind():
                return what in self.counts
        return what in self.writes


class Closure:
    """Summaries of definitions, each computed once."""

    def __init__(self, rules: t.Checked, hooks: Hooks) -> None:
        self._rules, self._hooks = rules, hooks
        self._solver: Solver[Called, Touched] = Solver(
            lambda called, read: self._through(read, self._behind(called)), NOTHING, frozenset.union
        )

    def of(self, *roots: object) -> Effects:
        return Effects(self._rules, self._through(self._solver.__getitem__, roots))

    def _through(self, read: Callable[[Called], Touched], roots: Iterable[object]) -> Touched:
        own = dict.fromkeys(relations_in(self._rules, *roots))
        called = dict.fromkeys(called for relation in own for called in self._called(relation))
        return frozenset(own).union(*map(read, called))

    def _called(self, relation: Relation) -> Iterable[Called]:
        """The definitions that are used, and the rules that act at once: they modify, forbid or replace."""
        match relation:
            case Verb.CALL, t.Formula() as formula:
                return formula, *self._hooks("modify", formula)
            case Verb.KEYWORDS, kind:
                return self._hooks("modify", kind)
            case Verb.PERFORM | Verb.TRY, t.Event() as event:
                return event, *self._gates(event)
            case Verb.CAN, t.Event() as event:
                return Needs(event), *self._hooks("forbid", event)
            case Verb.WRITE | Verb.PAY, column:
                return self._gates(column)
            case Verb.MOVE, t.Place(holds=kind):
                return self._gates(kind)
            case Verb.OFFER, t.Window() as window:
                return (window,)
            case Verb.CAN_ACT, t.CanAct() as call:
                return offered(self._rules, call)
        return ()

    def _gates(self, subject: object) -> Iterable[t.Rule]:
        return *self._hooks("forbid", subject), *self._hooks("instead", subject)

    def _behind(self, called: Called) -> Iterable[object]:
        """The parts of a definition that are evaluated and executed at a use."""
        match called:
            case t.Formula():
                return (called.body,)
            case t.Event():
                return *called.needs, called.body
            case Needs():
                return called.event.needs
            case t.Rule():
                return _applied(called)
            case t.Window():
                actions = [a for a in self._rules.actions.values() if called.name in a.during]
                return [text for a in actions for text in (*a.binders, *a.needs, a.cost, a.body)]
            case _:
                return parameters_of(called)


def _applied(rule: t.Rule) -> list[object]:
    """The conditions and the effects of a rule."""
    carried = carried_by(rule.carrier) if rule.carrier is not None else []
    before = (value for _, value in rule.before)
    return [*rule.conditions, *carried, *before, rule.amount, rule.cost, rule.body]
