"""Loads a game with its packs, and builds its whole rulebook or returns the diagnostics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ruleforge.engine.game import Game
from ruleforge.engine.loader import opened
from ruleforge.engine.presentation.text_renderer import Paper, text
from ruleforge.lang.model.appearance import NO_LOOK
from ruleforge.lang.model.pack import Manifest, pack_from_source
from ruleforge.lang.source.folder import read_folder
from ruleforge.project.locator import packs_of
from ruleforge.project.pipeline import Analysis
from ruleforge.project.resolver import analyse
from ruleforge.support.diagnostics import Diagnostic, Report
from ruleforge.support.input_files import is_folder
from ruleforge.tools.project_files.rulebook import Clause, read_rulebook
from ruleforge.tools.rulebook import play_sequence, rule_sections
from ruleforge.tools.rulebook.book import Block, Clauses, Rows, Rulebook, Section, Words
from ruleforge.tools.rulebook.components import components
from ruleforge.tools.rulebook.exact_rules import exact_rules, for_players

SEED = 1
PAGE = Paper(80, all=True)  # as wide as a page and a sheet of paper are


def handbook(
    analysis: Analysis, clauses: Iterable[Clause], table: str, shelf: tuple[Manifest, ...]
) -> Rulebook:
    """`table` is the picture of the table at the start, `shelf` the packs of the game."""
    rules = analysis.ruleset
    assert rules is not None
    packs = {reading.pack.manifest.id: reading.pack.manifest.title or "" for reading in analysis.packs}
    look = analysis.checked.look if analysis.checked else NO_LOOK
    chapters = (
        play_sequence.options(rules, packs),
        components(rules, look, packs),
        play_sequence.setting_up(rules, table),
        play_sequence.turn(rules, packs),
        play_sequence.actions(rules, packs),
        rule_sections.keywords(rules, packs),
        play_sequence.endings(rules, packs),
        rule_sections.glossary(rules, packs),
    )
    sections = (*for_players(chapters), _clauses(clauses), _shelf(shelf), exact_rules(chapters))
    least, most = rules.players
    players = f"{least}" if least == most else f"{least} to {most}"
    opening: list[Block] = [
        Words(" ".join(rules.text.split())),
        Words(f"For {players} player{'s' if most > 1 else ''}. Version {rules.version}."),
    ]
    if packs:
        opening.append(Words(f"With {', '.join(title or id_ for id_, title in packs.items())}."))
    return Rulebook(rules.title or rules.id, tuple(opening), tuple(s for s in sections if not s.is_empty))


def _clauses(clauses: Iterable[Clause]) -> Section:
    """The rulebook clause by clause, under its own headings."""
    by_section: dict[str, list[tuple[str, str]]] = {}
    for clause in clauses:
        by_section.setdefault(clause.section or "Rulings", []).append(
            (clause.id, " ".join(clause.rule.split()))
        )
    parts = tuple(Section(title, (Clauses(tuple(found)),)) for title, found in by_section.items())
    return Section("Clauses", (), parts)


def _shelf(shelf: tuple[Manifest, ...]) -> Section:
    rows = tuple((m.title or m.id, m.version, " ".join((m.text or "").split())) for m in shelf)
    return Section("Packs", (Rows(("pack", "version", ""), rows),) if rows else ())


# Loads a game with packs and builds its rulebook, or returns the diagnostics.


def book_of(game: str, packs: Sequence[str] = ()) -> tuple[Rulebook | None, tuple[Diagnostic, ...]]:
    analysis = analyse(game, packs)
    if not analysis.complete:
        return None, analysis.diagnostics
    folders = (analysis.path, *(reading.path for reading in analysis.packs))
    clauses = [clause for folder in folders for clause in (read_rulebook(folder, Report()) or {}).values()]
    table = _table(opened(analysis, game))
    return handbook(analysis, clauses, table, tuple(_bookshelf(analysis))), ()


def _table(game: Game) -> str:
    """The table at the start, as an observer sees it."""
    return text(game.start(seed=SEED).scene(None), PAGE)


def _bookshelf(analysis: Analysis) -> list[Manifest]:
    """The packs that lie beside the game."""
    if not is_folder(analysis.path):
        return []
    sources = (read_folder(path, Report(), head="pack") for path in packs_of(analysis.path).values())
    packs = (pack_from_source(source, Report()) for source in sources if source is not None)
    return [pack.manifest for pack in packs if pack is not None]
