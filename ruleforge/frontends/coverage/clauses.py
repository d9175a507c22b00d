"""A rulebook, its rules and scenarios -> which clause is carried by which rule, shown by which scenario."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ruleforge.beside.cited import citations
from ruleforge.beside.rulebook import ABOUT_PACKS, RULEBOOK, Clause, clauses_of
from ruleforge.diagnostics import NOWHERE, Report, Span
from ruleforge.reading import Unreadable, files_below, is_file, is_folder
from ruleforge.schema.validate import validate_file
from ruleforge.source.folder import SUFFIXES
from ruleforge.source.read_text import not_read
from ruleforge.source.tree import ScalarNode
from ruleforge.source.yaml_reader import read_yaml_file

SCENARIOS = "scenarios"
NEEDS_NO_RULE = "info"


@dataclass
class Carried:
    """A clause with the places that cite it."""

    clause: Clause
    rules: list[tuple[str, Span]] = field(default_factory=list)
    scenarios: list[tuple[str, Span]] = field(default_factory=list)

    @property
    def is_covered(self) -> bool:
        if self.clause.kind in ABOUT_PACKS:
            return bool(self.rules)
        return self.clause.kind == NEEDS_NO_RULE or bool(self.rules and self.scenarios)


@dataclass
class Coverage:
    clauses: dict[str, Carried]
    unknown: list[tuple[str, Span]]  # cited, but in no rulebook

    @property
    def missing(self) -> list[str]:
        return [id_ for id_, carried in self.clauses.items() if not carried.is_covered]


def coverage_of(folder: Path, report: Report) -> Coverage | None:
    """Reads the rulebook beside the rules; None (and a complaint) if there is none."""
    clauses = read_rulebook(folder, report)
    if clauses is None:
        return None
    coverage = Coverage({id_: Carried(clause) for id_, clause in clauses.items()}, [])
    try:
        files = files_below(folder, SUFFIXES, frozenset({"expansions", RULEBOOK}))
    except Unreadable as problem:
        not_read(folder, problem, report)
        return None
    for file in sorted(files):
        parts = file.relative_to(folder).parts
        source = read_yaml_file(file, report, folder)
        if source is None:
            continue
        shows = parts[0] == SCENARIOS
        title = source.root.get("scenario")
        name = title.text if shows and isinstance(title, ScalarNode) else file.stem
        for cited in citations(source.root):
            _enter(coverage, cited.clause, shows, name if shows else cited.rule, cited.span)
    return coverage


def read_rulebook(folder: Path, report: Report) -> dict[str, Clause] | None:
    """The clauses of a game's rulebook by id; rulings count as clauses."""
    path = folder / RULEBOOK
    if not is_folder(folder) or not is_file(path):
        report.add(
            "RF101", f"`{folder}` has no {RULEBOOK}", NOWHERE, "write its clauses there; rules cite them"
        )
        return None
    source = read_yaml_file(path, report, folder)
    if source is None:
        return None
    validate_file(source, "rulebook", report)
    return clauses_of(source, report)


def _enter(coverage: Coverage, id_: str, shows: bool, name: str, span: Span) -> None:
    carried = coverage.clauses.get(id_)
    if carried is None:
        coverage.unknown.append((id_, span))
    else:
        (carried.scenarios if shows else carried.rules).append((name, span))
