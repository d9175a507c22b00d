"""Checked rules for the tests of the checker."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ruleforge.lang.checker.typed import Checked
from ruleforge.project import pipeline
from ruleforge.support.diagnostics import Report
from ruleforge.support.diagnostics.render import render_text
from ruleforge.support.resources import shipped_games


@cache
def checked_game(name: str) -> Checked:
    return checked_at(shipped_games()[name])


def checked_at(path: Path) -> Checked:
    report = Report()
    checked = pipeline.load(path, report)
    assert checked is not None, render_text(report)
    return checked
