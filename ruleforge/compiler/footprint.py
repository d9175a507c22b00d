"""Footprints: what a piece of rules reads, writes, moves and calls, through everything it uses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ruleforge.check import typed as t
from ruleforge.check.walk import all_nodes

Modifiers = Mapping[
    object, list[t.Rule]
]  # an open formula, or a kind with keywords -> the rules that modify it


@dataclass
class Footprint:
    """Columns and places read, columns written, kinds of which things are moved, events that happen; does it end?"""

    reads: set[t.Column | t.Place] = field(default_factory=set)
    writes: set[t.Column] = field(default_factory=set)
    moves: set[t.Kind] = field(default_factory=set)
    events: set[t.Event] = field(default_factory=set)
    finishes: bool = False

    def disturbs(self, read: set[t.Column | t.Place]) -> bool:
        """Can what is written here change what is read there?"""
        return any(r in self.writes if isinstance(r, t.Column) else r.holds in self.moves for r in read)


def footprint(nodes: Iterable[object], rules: t.Checked, modifiers: Modifiers) -> Footprint:
    """What evaluating or running typed nodes touches, modifiers of open formulas included."""
    touched = Footprint()
    todo = [n for n in nodes if n is not None]
    seen: set[object] = set()

    def also(key: object, more: Iterable[object]) -> None:
        if key not in seen:
            seen.add(key)
            todo.extend(n for n in more if n is not None)

    while todo:
        for part in all_nodes(todo.pop()):
            match part:
                case t.Read(column=column) if not column.constant:
                    touched.reads.add(column)
                case t.Content(place=place) | t.Family(place=place):
                    touched.reads.add(place)
                case t.Whereabouts(places=places):
                    touched.reads.update(places)
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
                    also(formula, (formula.body, *_modifying(modifiers.get(formula, []))))
                case t.KeywordsOf(of=of):
                    kind = rules.kinds[of.type.kind]  # type: ignore[union-attr]
                    also(kind, _modifying(modifiers.get(kind, [])))
                case t.Perform(event=event) | t.Can(event=event) | t.Would(event=event):
                    if isinstance(part, t.Perform):
                        touched.events.add(event)
                    also(event, (*event.needs, event.body))
                case t.Offer(window=window):
                    offered = [a for a in rules.actions.values() if window.name in a.during]
                    also(window, (n for a in offered for n in (*a.binders, *a.needs, a.cost, a.body)))
    return touched


def _modifying(rules: Iterable[t.Rule]) -> list[object]:
    """What the value of a modified formula depends on besides its own text."""
    found: list[object] = []
    for rule in rules:
        found += [rule.when, rule.amount, *(rule.pattern.tests if rule.pattern else ())]
        if rule.carrier is not None:
            found += [rule.carrier.works]
            controller = rule.carrier.conduct.controller
            found += [controller.value] if controller else []
            if rule.carrier.kind.pool:
                found.append(t.All(rule.span, rule.carrier.this.type, rule.carrier.kind))
    return found
