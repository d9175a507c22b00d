"""One mistake, one complaint, none hidden: whatever is planted in a real ruleset is found, and nothing else."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from ruleforge.project import pipeline
from ruleforge.support.diagnostics.render import render_text
from ruleforge.support.resources import shipped_games
from tests.unit.project.mistakes import GAME, OTHERS, SLIPS, Mistake

FOLDER = shipped_games()[GAME]


@cache
def clean() -> pipeline.Analysis:
    analysis = pipeline.analyse(FOLDER)
    assert analysis.complete and analysis.diagnostics == ()
    return analysis


def planted(*mistakes: Mistake) -> dict[str, str]:
    """The changed files; every mistake must find its place."""
    files: dict[str, str] = {}
    edits = [(m.file, m.old, m.new) for m in mistakes] + [m.also for m in mistakes if m.also]
    for file, old, new in edits:
        path = FOLDER / file
        text = files.get(file) or (path.read_text("utf-8") if path.exists() else "")
        assert old in text or not text, (file, old)
        files[file] = text.replace(old, new, 1) if old else new
    return files


def expected(mistake: Mistake, files: dict[str, str]) -> tuple[str, int, str]:
    file, text = mistake.elsewhere if mistake.elsewhere[0] else (mistake.file, mistake.new)
    content = files.get(file) or (FOLDER / file).read_text("utf-8")
    assert text in content, (mistake, text)
    inside = text.index(mistake.at) if mistake.at else 0
    return file, content[: content.index(text) + inside].count("\n") + 1, mistake.code


def found(files: dict[str, str]) -> tuple[set[tuple[str, int, str]], int, str]:
    analysis = clean().edited(files)
    assert not analysis.complete
    places = {(Path(d.span.file).name, d.span.line, d.code) for d in analysis.diagnostics}
    return places, len(analysis.diagnostics), render_text(analysis.diagnostics)


@pytest.mark.parametrize("mistake", [*SLIPS, *OTHERS], ids=str)
def test_a_mistake_alone_gives_one_diagnostic(mistake: Mistake):
    files = planted(mistake)
    places, count, shown = found(files)
    assert places == {expected(mistake, files)}, shown
    assert count == 1, shown


@pytest.mark.parametrize("seed", range(12))
def test_twelve_mistakes_in_six_files_give_twelve_diagnostics(seed: int):
    rng = random.Random(seed)
    slip = rng.choice(SLIPS)
    mistakes = [slip]
    for mistake in rng.sample(OTHERS, len(OTHERS)):
        if len(mistakes) < 12 and independent(mistake, mistakes):
            mistakes.append(mistake)
    assert len(mistakes) == 12 and len({m.file for m in mistakes}) >= 6
    files = planted(*mistakes)
    places, count, shown = found(files)
    assert places == {expected(m, files) for m in mistakes}, shown
    assert count == 12, shown


def independent(mistake: Mistake, others: list[Mistake]) -> bool:
    """Can it be seen beside the others: do its places still stand, and are they not about the same name?"""
    if mistake.about & {name for other in others for name in other.about}:
        return False
    try:
        files = planted(*others, mistake)
        return len({expected(m, files) for m in (*others, mistake)}) == len(others) + 1
    except AssertionError:
        return False
