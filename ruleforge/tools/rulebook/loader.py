"""Loads a game with packs and builds its rulebook, or returns the diagnostics."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.engine.game import Game
from ruleforge.engine.loader import opened
from ruleforge.engine.presentation.text_renderer import Paper, text
from ruleforge.lang.model.pack import Manifest, pack_from_source
from ruleforge.lang.source.folder import read_folder
from ruleforge.project.locator import packs_of
from ruleforge.project.pipeline import Analysis
from ruleforge.project.resolver import analyse
from ruleforge.support.diagnostics import Diagnostic, Report
from ruleforge.support.input_files import is_folder
from ruleforge.tools.project_files.rulebook import read_rulebook
from ruleforge.tools.rulebook.book import Rulebook
from ruleforge.tools.rulebook.generator import handbook

SEED = 1
PAGE = Paper(80, all=True)  # as wide as a page and a sheet of paper are


def book_of(game: str, packs: Sequence[str] = ()) -> tuple[Rulebook | None, tuple[Diagnostic, ...]]:
    analysis = analyse(game, packs)
    if not analysis.complete:
        return None, analysis.diagnostics
    folders = (analysis.path, *(reading.path for reading in analysis.packs))
    clauses = [clause for folder in folders for clause in (read_rulebook(folder, Report()) or {}).values()]
    table = _table(opened(analysis, game))
    return handbook(analysis, clauses, table, tuple(_shelf(analysis))), ()


def _table(game: Game) -> str:
    """The table at the start, as an observer sees it."""
    return text(game.start(seed=SEED).scene(None), PAGE)


def _shelf(analysis: Analysis) -> list[Manifest]:
    """The packs that lie beside the game."""
    if not is_folder(analysis.path):
        return []
    sources = (read_folder(path, Report(), head="pack") for path in packs_of(analysis.path).values())
    packs = (pack_from_source(source, Report()) for source in sources if source is not None)
    return [pack.manifest for pack in packs if pack is not None]
