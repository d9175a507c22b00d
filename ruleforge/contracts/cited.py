"""`cited_in` lists the clauses that each definition of the core cites, by its name in contracts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ruleforge.contracts.model import Clauses
from ruleforge.lang.model.ruleset import Kind, Named, Phase, Ruleset
from ruleforge.support.diagnostics import Span

Cited = dict[str, Clauses]


def cited_in(ruleset: Ruleset | None, owner: Callable[[Span], str]) -> Cited:
    """Two definitions with one name, an action and its event, both count."""
    found: Cited = {}
    for name, definition in _definitions(ruleset) if ruleset is not None else ():
        if definition.cites and not owner(definition.span):
            found[name] = tuple(dict.fromkeys((*found.get(name, ()), *definition.cites)))
    return found


def _definitions(ruleset: Ruleset) -> Iterator[tuple[str, Named]]:
    for kind in ruleset.kinds:
        yield from _of_kind(kind)
    sections: tuple[tuple[Named, ...], ...] = (
        ruleset.options,
        ruleset.numbers,
        ruleset.places,
        ruleset.formulas,
        ruleset.events,
        ruleset.actions,
        ruleset.windows,
        ruleset.rules,
        ruleset.keywords,
        ruleset.endings,
        tuple(_phases(ruleset.flow)),
    )
    yield from ((definition.id, definition) for section in sections for definition in section)


def _of_kind(kind: Kind) -> Iterator[tuple[str, Named]]:
    yield kind.id, kind
    yield from ((f"{kind.id}.{column.id}", column) for column in (*kind.facts, *kind.has))
    yield from ((f"{kind.id}.{thing.id}", thing) for thing in kind.things)


def _phases(flow: tuple[Phase, ...]) -> Iterator[Phase]:
    for phase in flow:
        yield phase
        yield from _phases(phase.steps)
