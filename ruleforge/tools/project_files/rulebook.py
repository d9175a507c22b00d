"""Reads the clauses of a rulebook, and the citations of clauses in other files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from weakref import WeakKeyDictionary

from ruleforge.lang.schema.validate import validate_file
from ruleforge.lang.source.folder import has_no_rules
from ruleforge.lang.source.tree import Entry, MappingNode, ScalarNode, SequenceNode, SourceFile, SourceNode
from ruleforge.lang.source.yaml_reader import read_yaml_file
from ruleforge.support.diagnostics import NOWHERE, Diagnostic, Report, Span
from ruleforge.support.input_files import is_file, is_folder
from ruleforge.support.records import dataclass

RULEBOOK = "rulebook.yaml"
OF_SHAPE = "RF2"  # diagnostics about a key or a value; those about YAML (RF1..) may hide what follows
ABOUT_PACKS = frozenset(
    {"lock", "permission"}
)  # what additions must not and may do: no scenario of the core shows it
_QUIET = frozenset(
    {"id", "section", "title", "kind", "example", "about", "question", "why"}
)  # beside what is said
CITES = frozenset({"cites"})
# Keys of a contract whose values are clauses.
OF_CONTRACTS = frozenset({"cites", "otherwise", "clause", "over", "bare", "endless"})
OF_RULEBOOKS = frozenset({"about"})


@dataclass(frozen=True, slots=True)
class Clause:
    """A statement of the rulebook, or a ruling on an open question."""

    id: str
    kind: str
    rule: str
    section: str
    span: Span


def read_rulebook(folder: Path, report: Report) -> dict[str, Clause] | None:
    """The clauses of a game's rulebook by id; rulings count as clauses."""
    path = folder / RULEBOOK
    if is_folder(folder) and not is_file(path) and has_no_rules(folder, report):
        return None
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


def clauses_of(file: SourceFile, report: Report) -> dict[str, Clause]:
    """The clauses by id; rulings count as clauses."""
    clauses: dict[str, Clause] = {}
    for section in ("clauses", "rulings"):
        listed = file.root.get(section)
        items = listed.items if isinstance(listed, SequenceNode) else ()
        for node in (item for item in items if isinstance(item, MappingNode)):
            clause = _clause(node, clauses)
            if clause is None:
                continue
            if not file.error_nodes.damage(node.entries[0].key.span):
                _says_something(clause, node, section, report)
            first = clauses.setdefault(clause.id, clause)
            if first is not clause:
                message = f"the clause `{clause.id}` is declared twice"
                report.add("RF302", message, clause.span, notes=(("first", first.span),))
    return clauses


def _says_something(clause: Clause, node: MappingNode, section: str, report: Report) -> None:
    """Report an empty clause; unknown keys and keys without text are reported elsewhere."""
    if clause.rule or any(entry.name not in _QUIET for entry in node):
        return
    key, what = ("rule", "clause") if section == "clauses" else ("ruling", "ruling")
    help = f"write it under `{key}`, in your own words"
    report.add("RF306", f"the {what} `{clause.id}` is empty", clause.span, help)


def lists_all(file: SourceFile, diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether what is wrong with a rulebook can hide no clause: all of it lies in clauses that have ids."""
    listed = [file.root.get(section) for section in ("clauses", "rulings")]
    items = [item for one in listed if isinstance(one, SequenceNode) for item in one.items]
    named = [i.span for i in items if isinstance(i, MappingNode) and isinstance(i.get("id"), ScalarNode)]
    return all(
        c.code.startswith(OF_SHAPE) and any(span.line <= c.span.line <= span.end_line for span in named)
        for c in diagnostics
    )


def _clause(node: MappingNode, earlier: dict[str, Clause]) -> Clause | None:
    id_ = node.get("id")
    if not isinstance(id_, ScalarNode):
        return None

    def word(*names: str) -> str:
        found = next((n for name in names if isinstance(n := node.get(name), ScalarNode)), None)
        return found.text if found else ""

    kind = word("kind") or _kind_of_ruling(node.get("about"), earlier)
    return Clause(id_.text, kind, word("rule", "ruling", "text"), word("section", "title"), id_.span)


def _kind_of_ruling(about: SourceNode | None, clauses: dict[str, Clause]) -> str:
    """A ruling that explains nothing but locks and permissions is about packs like them."""
    items = about.items if isinstance(about, SequenceNode) else ()
    kinds = {clauses[i.text].kind for i in items if isinstance(i, ScalarNode) and i.text in clauses}
    return "lock" if kinds and kinds <= ABOUT_PACKS else ""


# The citations of clauses in a file, with their places.


@dataclass(frozen=True, slots=True)
class Citation:
    """`rule` is the path of the definition that cites."""

    clause: str
    rule: str
    span: Span


_KNOWN: WeakKeyDictionary[SourceFile, dict[frozenset[str], tuple[Citation, ...]]] = WeakKeyDictionary()


def citations(file: SourceFile, keys: frozenset[str] = CITES) -> tuple[Citation, ...]:
    """Every clause that is given under one of the keys, in the order of the file; a file is looked through once."""
    known = _KNOWN.setdefault(file, {})
    if keys not in known:
        found: list[Citation] = []
        _gather(file.root, keys, (), found)
        known[keys] = tuple(found)
    return known[keys]


def _gather(node: SourceNode, keys: frozenset[str], above: tuple[str, ...], found: list[Citation]) -> None:
    """Adds what is cited in a value that stands below some keys."""
    if isinstance(node, SequenceNode):
        for item in node.items:
            if not isinstance(item, ScalarNode):
                _gather(item, keys, (*above, _label(item)), found)
    elif isinstance(node, MappingNode):
        for entry in node.entries:
            if entry.key.text in keys and not _is_misshapen(entry):
                rule = ".".join(word for word in above if word) or "game"
                found += [Citation(c.text, rule, c.span) for c in _scalars(entry.value)]
            elif not isinstance(entry.value, ScalarNode):
                _gather(entry.value, keys, (*above, entry.key.text), found)


def _is_misshapen(entry: Entry) -> bool:
    """`cites` is a list; of anything else the schema has reported already."""
    return entry.key.text in CITES and not isinstance(entry.value, SequenceNode)


def _scalars(node: SourceNode) -> list[ScalarNode]:
    items = node.items if isinstance(node, SequenceNode) else (node,)
    return [item for item in items if isinstance(item, ScalarNode)]


def _label(node: SourceNode) -> str:
    """Phases have their name inside."""
    name = node.get("phase") if isinstance(node, MappingNode) else None
    return name.text if isinstance(name, ScalarNode) else ""
