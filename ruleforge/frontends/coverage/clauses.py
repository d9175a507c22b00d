"""A rulebook, its rules and scenarios -> which clause is carried by which rule, shown by which scenario."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ruleforge.diagnostics import NOWHERE, Report, Span
from ruleforge.schema.validate import validate_file
from ruleforge.source.pack import SUFFIXES
from ruleforge.source.tree import MappingNode, ScalarNode, SequenceNode, SourceNode
from ruleforge.source.yaml_reader import read_yaml_file

RULEBOOK = "rulebook.yaml"
SCENARIOS = "scenarios"
NEEDS_NO_RULE = "info"
ABOUT_PACKS = frozenset(
    {"lock", "permission"}
)  # what additions must not and may do: no scenario of the core shows it


@dataclass
class Clause:
    """A statement of the rulebook with the places that cite it."""

    id: str
    kind: str
    rule: str
    section: str
    span: Span
    rules: list[tuple[str, Span]] = field(default_factory=list)
    scenarios: list[tuple[str, Span]] = field(default_factory=list)

    @property
    def is_covered(self) -> bool:
        if self.kind in ABOUT_PACKS:
            return bool(self.rules)
        return self.kind == NEEDS_NO_RULE or bool(self.rules and self.scenarios)


@dataclass
class Coverage:
    clauses: dict[str, Clause]
    unknown: list[tuple[str, Span]]  # cited, but in no rulebook

    @property
    def missing(self) -> list[str]:
        return [clause.id for clause in self.clauses.values() if not clause.is_covered]


def coverage_of(folder: Path, report: Report) -> Coverage | None:
    """Reads the rulebook beside the rules; None (and a complaint) if there is none."""
    clauses = read_rulebook(folder, report)
    if clauses is None:
        return None
    coverage = Coverage(clauses, [])
    for file in sorted(folder.rglob("*")):
        if file.suffix not in SUFFIXES or not file.is_file() or file.name == RULEBOOK:
            continue
        parts = file.relative_to(folder).parts
        if parts[0] == "expansions":
            continue
        source = read_yaml_file(file, report)
        if source is None:
            continue
        shows = parts[0] == SCENARIOS
        title = source.root.get("scenario")
        name = title.text if shows and isinstance(title, ScalarNode) else file.stem
        for id_, where, span in _cited(source.root, ()):
            _enter(coverage, id_, shows, name if shows else where, span)
    return coverage


def read_rulebook(folder: Path, report: Report) -> dict[str, Clause] | None:
    """The clauses of a game's rulebook by id; rulings count as clauses."""
    path = folder / RULEBOOK
    if not folder.is_dir() or not path.is_file():
        report.add(
            "RF101", f"`{folder}` has no {RULEBOOK}", NOWHERE, "write its clauses there; rules cite them"
        )
        return None
    source = read_yaml_file(path, report)
    if source is None:
        return None
    validate_file(source, "rulebook", report)
    clauses: dict[str, Clause] = {}
    for section in ("clauses", "rulings"):
        listed = source.root.get(section)
        for node in listed.items if isinstance(listed, SequenceNode) else ():
            clause = _clause(node)
            if clause is None:
                continue
            if section == "rulings":
                clause.kind = _kind_of_ruling(node, clauses)
            if clause.id in clauses:
                first = clauses[clause.id].span
                report.add(
                    "RF302",
                    f"the clause `{clause.id}` is declared twice",
                    clause.span,
                    notes=(("first", first),),
                )
            clauses.setdefault(clause.id, clause)
    return clauses


def _clause(node: SourceNode) -> Clause | None:
    id_ = node.get("id") if isinstance(node, MappingNode) else None
    if not isinstance(node, MappingNode) or not isinstance(id_, ScalarNode):
        return None

    def word(*names: str) -> str:
        found = next((n for name in names if isinstance(n := node.get(name), ScalarNode)), None)
        return found.text if found else ""

    return Clause(id_.text, word("kind"), word("rule", "ruling", "text"), word("section", "title"), id_.span)


def _kind_of_ruling(node: SourceNode, clauses: dict[str, Clause]) -> str:
    """A ruling that explains nothing but locks and permissions is about packs like them."""
    listed = node.get("about") if isinstance(node, MappingNode) else None
    about = (
        [i.text for i in listed.items if isinstance(i, ScalarNode)]
        if isinstance(listed, SequenceNode)
        else []
    )
    kinds = {clauses[id_].kind for id_ in about if id_ in clauses}
    return "lock" if kinds and kinds <= ABOUT_PACKS else ""


def _cited(node: SourceNode, above: tuple[str, ...]) -> list[tuple[str, str, Span]]:
    """Every `cites` below a node: clause id, the rule that cites it, and where."""
    if isinstance(node, SequenceNode):
        return [found for item in node.items for found in _cited(item, (*above, _label(item)))]
    if not isinstance(node, MappingNode):
        return []
    found = []
    for entry in node:
        if entry.name == "cites" and isinstance(entry.value, SequenceNode):
            rule = ".".join(word for word in above if word) or "game"
            found += [(i.text, rule, i.span) for i in entry.value.items if isinstance(i, ScalarNode)]
        else:
            found += _cited(entry.value, (*above, entry.name))
    return found


def _label(node: SourceNode) -> str:
    """Phases have their name inside."""
    name = node.get("phase") if isinstance(node, MappingNode) else None
    return name.text if isinstance(name, ScalarNode) else ""


def _enter(coverage: Coverage, id_: str, shows: bool, name: str, span: Span) -> None:
    clause = coverage.clauses.get(id_)
    if clause is None:
        coverage.unknown.append((id_, span))
    else:
        (clause.scenarios if shows else clause.rules).append((name, span))
