"""RF715: a cost whose last parts hang on how the first are paid, of which only one way is tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleforge.check import typed as t
from ruleforge.check.walk import all_nodes
from ruleforge.diagnostics import Report

Touched = frozenset[t.Column | t.Kind]  # attributes, and kinds whose things are moved


def check(rules: t.Checked, nodes: Sequence[object], report: Report) -> None:
    for cost in _costs(rules):
        for number, part in enumerate(cost.statements):
            chosen = _chosen(part)
            later = next((s for s in cost.statements[number + 1 :] if chosen & _touched(s)), None)
            if later is not None:
                report.add(
                    "RF715",
                    "this part of the cost hangs on how an earlier part is paid, of which only one way is tried",
                    later.span,
                    help="write it before the part with a choice",
                    notes=(("the part with a choice", part.span),),
                )
                break


def _costs(rules: t.Checked) -> Iterator[t.Block]:
    for cost in (*(a.cost for a in rules.actions.values()), *(r.cost for r in rules.rules)):
        if cost is not None:
            yield cost


def _chosen(part: t.Statement) -> Touched:
    """What a part changes in a way that somebody chooses; nothing if there is one way only."""
    match part:
        case t.Pay(pools=pools):
            return frozenset(pool.column for pool in pools) if len(pools) > 1 else frozenset()
        case t.Choose() | t.Pick():
            return _touched(part, reads=False)
    return frozenset()


def _touched(part: t.Statement, reads: bool = True) -> Touched:
    found: set[t.Column | t.Kind] = set()
    todo: list[object] = [part]
    met: set[object] = set()
    while todo:
        for node in all_nodes(todo.pop()):
            match node:
                case t.Store(column=column):
                    found.add(column)
                case t.Pay(pools=pools):
                    found.update(pool.column for pool in pools)
                case t.Move(place=place):
                    found.add(place.holds)
                case t.Read(column=column) if reads and not column.constant:
                    found.add(column)
                case t.Content(place=place) | t.Family(place=place) if reads:
                    found.add(place.holds)
                case t.Perform(event=event) if event not in met:
                    met.add(event)
                    todo += [x for x in (event.body, *(event.needs if reads else ())) if x is not None]
                case t.CallFormula(formula=formula) if reads and formula not in met:
                    met.add(formula)
                    todo += [formula.body] if formula.body is not None else []
    return frozenset(found)
