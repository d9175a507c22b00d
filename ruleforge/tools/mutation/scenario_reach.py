"""The rules that each scenario runs, so that a mutant is tried only on scenarios that can notice it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from ruleforge.engine.game import Game
from ruleforge.lang.source.tree import MappingNode, SequenceNode, SourceNode
from ruleforge.project.pipeline import Analysis
from ruleforge.project.resolver import analyse
from ruleforge.support.diagnostics import Span
from ruleforge.tools.coverage.cover import Cover, Observed, observed
from ruleforge.tools.coverage.items import in_order
from ruleforge.tools.scenarios.suites import Case, Suites, play_case

EFFECT = "do"
Touched = frozenset[Span]  # where everything is written that ran in a scenario, or was tried out


def smallest_around(span: Span, touched: Touched) -> Span | None:
    """The smallest part around a place that ever runs; around a declaration there is none."""
    return min(
        around(span, touched),
        key=lambda one: (one.end_line - one.line, one.end_column - one.column),
        default=None,
    )


def around(span: Span, touched: Touched) -> Touched:
    """The parts that a place lies in."""
    return frozenset(one for one in touched if _holds(one, span))


def beside(span: Span, root: MappingNode, touched: Touched) -> Touched:
    """What ever runs of the effects of the definition around a place.

    Whoever runs them has looked at its conditions, which are not recorded wherever they are looked at.
    """
    effects = list(_effects(_smallest_mapping(span, root)))
    return frozenset(one for one in touched if any(_holds(effect, one) for effect in effects))


def _smallest_mapping(span: Span, root: MappingNode) -> MappingNode:
    """The definition, thing or rule that a place is an entry of."""
    found = root
    node: SourceNode = root
    while True:
        if isinstance(node, MappingNode):
            found = node
        inner = next((part for part in _parts(node) if _holds(part.span, span)), None)
        if inner is None:
            return found
        node = inner


def _parts(node: SourceNode) -> tuple[SourceNode, ...]:
    if isinstance(node, MappingNode):
        return tuple(entry.value for entry in node)
    return node.items if isinstance(node, SequenceNode) else ()


def _effects(node: SourceNode) -> Iterator[Span]:
    """Where the effects in a definition, and in what it is made of, are written."""
    if isinstance(node, MappingNode):
        yield from (entry.value.span for entry in node if entry.name == EFFECT)
    for part in _parts(node):
        yield from _effects(part)


def _holds(outer: Span, inner: Span) -> bool:
    start, end = (outer.line, outer.column), (outer.end_line, outer.end_column)
    return outer.file == inner.file and start <= inner[1:3] and inner[3:5] <= end


Seen = tuple[Cover, Mapping[str, Touched], tuple[Case, ...]]


def touched_by(analysis: Analysis, name: str, suites: Suites) -> Seen:
    """What all scenarios run, what each touches (by its digest), and which fail; played with the packs they name."""
    watched: list[Observed] = []

    def load(rules: Path, packs: tuple[str | Path, ...]) -> Game:
        watched.append(observed(analyse(rules, packs, ceilings=analysis.ceilings), name))
        return watched[-1].game

    tables, cover = suites.tables(load), Cover(())
    found: dict[str, Touched] = {}
    failing: list[Case] = []
    for case in suites.cases:
        if play_case(tables, case):
            failing.append(case)
        seen = [one.take() for one in watched]
        for part in seen:
            cover.add(part)
        found[case.digest] = frozenset(item.span for part in seen for item in part)
    cover.items = in_order({item for one in watched for item in one.items})
    return cover, found, tuple(failing)
