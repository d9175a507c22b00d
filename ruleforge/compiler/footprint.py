"""Footprints: what a piece of rules reads, writes, moves and calls, through everything it uses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.choices_of import Offered, asked_of, offered
from ruleforge.lang.checker.walk import all_nodes
from ruleforge.support.records import dataclass

Modifiers = Mapping[
    object, list[t.Rule]
]  # an open formula, or a kind with keywords -> the rules that modify it


Readable = t.Column | t.Place | t.Position


@dataclass
class Footprint:
    """Columns, places and positions read, columns and positions written, kinds of which things are moved, events that
    happen; does it end?"""

    reads: set[Readable] = field(default_factory=set)
    writes: set[t.Column | t.Position] = field(default_factory=set)
    moves: set[t.Kind] = field(default_factory=set)
    events: set[t.Event] = field(default_factory=set)
    finishes: bool = False

    def include(self, other: Footprint) -> None:
        self.reads |= other.reads
        self.writes |= other.writes
        self.moves |= other.moves
        self.events |= other.events
        self.finishes |= other.finishes

    def disturbs(self, read: set[Readable]) -> bool:
        """Can what is written here change what is read there?"""
        return any(r.holds in self.moves if isinstance(r, t.Place) else r in self.writes for r in read)


@dataclass
class _Direct:
    """What some nodes touch by themselves, and the definitions they go on to."""

    touched: Footprint
    further: dict[object, None] = field(default_factory=dict)


class Footprints:
    """What nodes touch, modifiers of open formulas included; every definition is looked through once."""

    def __init__(self, rules: t.Checked, modifiers: Modifiers) -> None:
        self._rules, self._modifiers = rules, modifiers
        self._known: dict[object, _Direct] = {}

    def of(self, nodes: Iterable[object]) -> Footprint:
        touched = Footprint()
        todo = [self._direct(nodes)]
        seen: set[object] = set()
        while todo:
            direct = todo.pop()
            touched.include(direct.touched)
            for key in direct.further:
                if key not in seen:
                    seen.add(key)
                    todo.append(self._behind(key))
        return touched

    def _behind(self, key: object) -> _Direct:
        if key not in self._known:
            self._known[key] = self._direct(self._nodes_of(key))
        return self._known[key]

    def _nodes_of(self, key: object) -> Iterable[object]:
        match key:
            case t.Formula():
                return (key.body, *_modifying(self._modifiers.get(key, [])))
            case t.Kind():
                return _modifying(self._modifiers.get(key, []))
            case t.Event():
                return (*key.needs, key.body)
            case Offered():
                return asked_of(key)
            case t.Window():
                offered = [a for a in self._rules.actions.values() if key.name in a.during]
                return [n for a in offered for n in (*a.binders, *a.needs, a.cost, a.body)]
        raise AssertionError(key)

    def _direct(self, nodes: Iterable[object]) -> _Direct:
        direct = _Direct(Footprint())
        for node in nodes:
            for part in all_nodes(node) if node is not None else ():
                self._look(part, direct.touched, direct.further)
        return direct

    def _look(self, part: object, touched: Footprint, further: dict[object, None]) -> None:
        rules = self._rules
        match part:
            case t.Read(column=column) if not column.constant:
                touched.reads.add(column)
            case t.Content(place=place) | t.Family(place=place):
                touched.reads.add(place)
            case t.Whereabouts(places=places):
                touched.reads.update(places)
            case t.Repeats(position=position):
                touched.reads.update((position, *position.columns, *position.places))
            case t.Remember(position=position) | t.Forget(position=position):
                touched.writes.add(position)
            case t.All(kind=kind) if kind.pool:
                touched.reads.add(rules.columns[kind.name, "exists"])
            case t.Finish():
                touched.finishes = True
            case t.Store(column=column):
                touched.writes.add(column)
            case t.Pay(pools=pools):
                touched.writes.update(p.column for p in pools)
            case t.New(kind=kind):
                touched.writes.update(c for c in rules.columns.values() if c.kind is kind)
            case t.Remove(thing=thing):
                removed = rules.kinds[thing.type.kind]  # type: ignore[union-attr]
                touched.writes.update(c for c in rules.columns.values() if c.kind is removed)
                touched.moves.add(removed)
            case t.Move(place=place) | t.Shuffle(place=place):
                touched.moves.add(place.holds)
            case t.CallFormula(formula=formula):
                further.setdefault(formula)
            case t.KeywordsOf(of=of):
                further.setdefault(rules.kinds[of.type.kind])  # type: ignore[union-attr]
            case t.Perform(event=event) | t.Can(event=event) | t.Would(event=event):
                if isinstance(part, t.Perform):
                    touched.events.add(event)
                further.setdefault(event)
            case t.CanAct():
                further.update(dict.fromkeys(offered(rules, part)))
            case t.Offer(window=window):
                further.setdefault(window)


def _modifying(rules: Iterable[t.Rule]) -> list[object]:
    """What the value of a modified formula depends on besides its own text."""
    found: list[object] = []
    for rule in rules:
        found += [rule.amount, *rule.conditions]
        if rule.carrier is not None:
            controller = rule.carrier.conduct.controller
            found += [controller.value] if controller else []
            if rule.carrier.kind.pool:
                found.append(t.All(rule.span, rule.carrier.this.type, rule.carrier.kind))
    return found
