"""Footprints: which columns and places a piece of rules reads and writes, through all it calls."""

from __future__ import annotations

from dataclasses import dataclass, field

from ruleforge.check import typed as t
from ruleforge.check.walk import all_nodes


@dataclass
class Footprint:
    """Columns and places read, columns written, and the kinds of which things are moved about."""

    reads: set[t.Column | t.Place] = field(default_factory=set)
    writes: set[t.Column] = field(default_factory=set)
    moves: set[str] = field(default_factory=set)


def footprint(node: object) -> Footprint:
    """What evaluating or running a typed node touches."""
    touched = Footprint()
    todo = [node]
    seen: set[object] = set()
    while todo:
        for part in all_nodes(todo.pop()):
            match part:
                case t.Read(column=column) if not column.constant:
                    touched.reads.add(column)
                case t.Content(place=place) | t.Family(place=place):
                    touched.reads.add(place)
                case t.Whereabouts(places=places):
                    touched.reads.update(places)
                case t.Store(column=column):
                    touched.writes.add(column)
                case t.Move(place=place) | t.Shuffle(place=place):
                    touched.moves.add(place.holds.name)
                case t.CallFormula(formula=formula) if formula not in seen and formula.body:
                    seen.add(formula)
                    todo.append(formula.body)
                case t.Perform(event=event) if event not in seen and event.body:
                    seen.add(event)
                    todo.extend([*event.needs, event.body])
    return touched


def disturbs(body: object, binder: t.Binder) -> bool:
    """Can running the body change what the binder reads?"""
    done, read = footprint(body), footprint(binder).reads
    return any(r in done.writes if isinstance(r, t.Column) else r.holds.name in done.moves for r in read)
