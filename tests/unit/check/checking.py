"""Checked rules for the tests of the checker."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ruleforge import pipeline
from ruleforge.check.typed import Checked
from ruleforge.diagnostics import Report
from ruleforge.diagnostics.render import render_text
from ruleforge.resources import shipped_games


@cache
def checked_game(name: str) -> Checked:
    return checked_at(shipped_games()[name])


def checked_at(path: Path) -> Checked:
    report = Report()
    checked = pipeline.load(path, report)
    assert checked is not None, render_text(report)
    return checked
