"""Scenarios -> what of the rules each of them touches, so that a change is tried only on those that could notice it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ruleforge.covering.cover import Observed, observed
from ruleforge.diagnostics import Span
from ruleforge.engine.game import Game
from ruleforge.loading import analyse
from ruleforge.pipeline import Analysis
from ruleforge.scenarios.suites import Suites, play_case

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


def touched_by(analysis: Analysis, name: str, suites: Suites) -> Mapping[str, Touched]:
    """By the digest of a scenario. They are played under observation, with the packs that they name."""
    watched: list[Observed] = []

    def load(rules: Path, packs: tuple[str | Path, ...]) -> Game:
        watched.append(observed(analyse(rules, packs, ceilings=analysis.ceilings), name))
        return watched[-1].game

    tables = suites.tables(load)
    found: dict[str, Touched] = {}
    for case in suites.cases:
        play_case(tables, case)
        seen = [item.span for one in watched for item in one.take(tried=True)]
        found[case.digest] = frozenset(seen)
    return found
