"""Clause coverage: the rules that cite each clause, and the scenarios that show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ruleforge.lang.source.folder import SUFFIXES
from ruleforge.lang.source.read_text import missing, not_read
from ruleforge.lang.source.tree import ScalarNode
from ruleforge.lang.source.yaml_reader import read_yaml_file
from ruleforge.project.locator import SHELF, core_of, find_pack, find_rules, is_pack
from ruleforge.support.diagnostics import Report, Span
from ruleforge.support.input_files import Unreadable, files_below, is_folder, sort_of
from ruleforge.tools.project_files.rulebook import ABOUT_PACKS, RULEBOOK, Clause, citations, read_rulebook

SCENARIOS = "scenarios"
NEEDS_NO_RULE = "info"


@dataclass
class CitedClause:
    """A clause with the places that cite it."""

    clause: Clause
    rules: list[tuple[str, Span]] = field(default_factory=list)
    scenarios: list[tuple[str, Span]] = field(default_factory=list)

    @property
    def is_covered(self) -> bool:
        if self.clause.kind in ABOUT_PACKS:
            return bool(self.rules)
        return self.clause.kind == NEEDS_NO_RULE or bool(self.rules and self.scenarios)


def carried_json(carried: CitedClause) -> dict[str, object]:
    """A clause with its places, for programs."""
    return {
        "id": carried.clause.id,
        "kind": carried.clause.kind,
        "rules": [{"rule": name, "place": str(span)} for name, span in carried.rules],
        "scenarios": [{"scenario": name, "place": str(span)} for name, span in carried.scenarios],
    }


@dataclass
class Coverage:
    clauses: dict[str, CitedClause]
    unknown: list[tuple[str, Span]]  # cited, but in no rulebook

    @property
    def missing(self) -> list[str]:
        return [id_ for id_, carried in self.clauses.items() if not carried.is_covered]


def folders_of(name: str, packs: Sequence[str], report: Report) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """The folders whose clauses are meant, and those whose clauses may be cited too.

    A game stands for itself and for the packs it is taken with; a pack for itself, though it cites its game.
    """
    path = find_rules(name, report)
    core = core_of(path, report) if path is not None and is_pack(path) else path
    if path is None or core is None:
        return (), ()
    if sort_of(path) is None:
        missing(path, report)
        return (), ()
    home = path if is_folder(path) else path.parent
    found = [folder for pack in packs if (folder := find_pack(pack, core, report))]
    return tuple(dict.fromkeys((home, *found))), (core,) if core != path else ()


def coverage_of(folders: Sequence[Path], report: Report, also: Sequence[Path] = ()) -> Coverage | None:
    """Read the rulebooks beside the rules; None (and a diagnostic) if there is none.

    Clauses of the folders `also` may be cited, but coverage does not require them.
    """
    clauses: dict[str, Clause] = {}
    for folder in folders:
        found = read_rulebook(folder, report)
        if found is None:
            return None
        clauses |= found
    others = {id_ for folder in also for id_ in read_rulebook(folder, Report()) or ()}
    coverage = Coverage({id_: CitedClause(clause) for id_, clause in clauses.items()}, [])
    for folder in folders:
        if not _enter_folder(coverage, folder, report):
            return None
    return replace(coverage, unknown=[(id_, span) for id_, span in coverage.unknown if id_ not in others])


def _enter_folder(coverage: Coverage, folder: Path, report: Report) -> bool:
    """Whether the files of a folder could be found; then what they cite is in the coverage."""
    try:
        files = files_below(folder, SUFFIXES, frozenset({SHELF, RULEBOOK}))
    except Unreadable as problem:
        not_read(folder, problem, report)
        return False
    for file in sorted(files):
        parts = file.relative_to(folder).parts
        source = read_yaml_file(file, report, folder)
        if source is None:
            continue
        shows = parts[0] == SCENARIOS
        title = source.root.get("scenario")
        name = title.text if shows and isinstance(title, ScalarNode) else file.stem
        for cited in citations(source):
            _enter(coverage, cited.clause, shows, name if shows else cited.rule, cited.span)
    return True


def _enter(coverage: Coverage, id_: str, shows: bool, name: str, span: Span) -> None:
    carried = coverage.clauses.get(id_)
    if carried is None:
        coverage.unknown.append((id_, span))
    else:
        (carried.scenarios if shows else carried.rules).append((name, span))
