"""The name of a game and of packs -> its handbook, or the complaints that stand in the way."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.analysing import analyse
from ruleforge.beside.rulebook import read_rulebook
from ruleforge.diagnostics import Diagnostic, Report
from ruleforge.engine.game import Game
from ruleforge.finding import packs_of
from ruleforge.frontends.handbook.book import Handbook
from ruleforge.frontends.handbook.from_rules import handbook
from ruleforge.loading import load
from ruleforge.model.pack import Manifest
from ruleforge.pipeline import Analysis
from ruleforge.present.draw import text
from ruleforge.reading import is_folder

SEED = 1


def book_of(game: str, packs: Sequence[str] = ()) -> tuple[Handbook | None, tuple[Diagnostic, ...]]:
    analysis = analyse(game, packs)
    if not analysis.complete:
        return None, analysis.diagnostics
    folders = (analysis.path, *(reading.path for reading in analysis.packs))
    clauses = [clause for folder in folders for clause in (read_rulebook(folder, Report()) or {}).values()]
    table = _table(load(game, packs))
    return handbook(analysis, clauses, table, tuple(_shelf(analysis))), ()


def _table(game: Game) -> str:
    """How it looks at the start to somebody who only watches."""
    return text(game.start(seed=SEED).scene(None))


def _shelf(analysis: Analysis) -> list[Manifest]:
    """The packs that lie beside the game."""
    if not is_folder(analysis.path):
        return []
    found = (analyse(str(analysis.path), [str(path)]) for path in packs_of(analysis.path).values())
    return [reading.pack.manifest for one in found for reading in one.packs]
