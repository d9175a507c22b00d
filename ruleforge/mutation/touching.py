"""Scenarios -> what of the rules each of them touches, so that a change is tried only on those that could notice it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ruleforge.analysing import analyse
from ruleforge.covering.cover import Cover, Observed, observed
from ruleforge.covering.items import in_order
from ruleforge.diagnostics import Span
from ruleforge.engine.game import Game
from ruleforge.pipeline import Analysis
from ruleforge.scenarios.suites import Case, Suites, play_case

Touched = frozenset[Span]  # where everything is written that ran in a scenario, or was tried out


def smallest_around(span: Span, touched: Touched) -> Span | None:
    """The smallest part around a place that ever runs; around a declaration there is none."""
    start, end = (span.line, span.column), (span.end_line, span.end_column)
    around = [
        one
        for one in touched
        if one.file == span.file and (one.line, one.column) <= start and end <= (one.end_line, one.end_column)
    ]
    return min(around, key=lambda one: (one.end_line - one.line, one.end_column - one.column), default=None)


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
