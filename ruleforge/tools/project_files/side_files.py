"""Reads and checks all files next to the rules."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from ruleforge.contracts.contract_lints import lint_beside_rules, lint_contract
from ruleforge.contracts.contract_reader import contract_from_source
from ruleforge.lang.checker.typed import Checked
from ruleforge.lang.source.error_nodes import NO_ERROR_NODES
from ruleforge.lang.source.tree import MappingNode, ScalarNode, SequenceNode, SourceFile, SourceNode
from ruleforge.project.pipeline import Analysis
from ruleforge.support.diagnostics import Diagnostic, Edit, Report
from ruleforge.support.records import dataclass
from ruleforge.tools.project_files.contract import look_at_contract, note_contract
from ruleforge.tools.project_files.mentions import Mentions, Unknown
from ruleforge.tools.project_files.own_names import with_own_names
from ruleforge.tools.project_files.reader import Folder, SideFile, read_folder
from ruleforge.tools.project_files.rulebook import (
    CITES,
    OF_CONTRACTS,
    OF_RULEBOOKS,
    Citation,
    Clause,
    citations,
    clauses_of,
    lists_all,
)
from ruleforge.tools.project_files.scenario import Scenarios

_CELL = re.compile(
    r"[a-z]{1,2}[0-9]{1,3}(_[a-z0-9_]+)?\Z"
)  # as boards call them, which are not written down one by one
_SEEN_BY = "known"  # what things have that may be hidden
_CITED_UNDER = {"scenario": CITES, "contract": OF_CONTRACTS, "rulebook": OF_RULEBOOKS}


@dataclass(frozen=True, slots=True)
class SideFiles:
    """The folder of the game, then those of its packs; all clauses by id; all diagnostics."""

    folders: tuple[Folder, ...]
    clauses: Mapping[str, Clause]
    diagnostics: tuple[Diagnostic, ...]


def look_beside(analysis: Analysis, before: SideFiles | None = None) -> SideFiles:
    """Read what lies beside the rules of an analysis; of `before`, what is still the same is taken over."""
    report = Report()
    folders = _folders(analysis, before)
    for file in (file for folder in folders for file in folder.files):
        report.include(*file.diagnostics)
    clauses, complete = _clauses(folders, report)
    error_nodes = analysis.ruleset.error_nodes if analysis.ruleset else NO_ERROR_NODES
    unknown = Unknown(report, lambda name: _excused(analysis, name), error_nodes.anything, analysis.complete)
    if complete and clauses and analysis.source is not None:  # a pack without its game lacks its clauses
        _look_at_citations(analysis, folders, clauses, unknown)
    _look_at_heads(analysis, folders, report)
    _look_at_names(analysis, folders, unknown, report)
    _look_at_mutants(analysis, folders, report)
    unknown.tell()
    return SideFiles(folders, MappingProxyType(clauses), report.diagnostics)


def mentions_in(analysis: Analysis, beside: SideFiles, files: Container[str]) -> Mentions:
    """The names in the scenarios of an analysis: its own, and those of the game that load one of its packs.

    `files` are the files to read.
    """
    found = Mentions()
    if analysis.checked is not None:
        quiet = Report()
        scenarios = Scenarios(analysis.checked, Unknown(quiet, lambda name: False), quiet)
        for file in (*_scenarios(beside.folders, alone=False), *_bringing(analysis, beside.folders)):
            if file.path in files:
                scenarios.look(file, found)
        contract = beside.folders[0].contract
        if contract is not None and contract.source is not None and contract.path in files:
            note_contract(contract.source, analysis.checked, found)
    return found


def citations_in(analysis: Analysis, folders: tuple[Folder, ...]) -> list[Citation]:
    """Every clause that rules, scenarios, contracts and rulebooks cite."""
    trees = [tree for tree in (analysis.source, *(p.source for p in analysis.packs)) if tree]
    found = [c for tree in trees for file in tree.files for c in citations(file)]
    for file in (f for folder in folders for f in folder.files if f.source and f.kind in _CITED_UNDER):
        assert file.source is not None
        found += citations(file.source, _CITED_UNDER[file.kind])
    return found


def _folders(analysis: Analysis, before: SideFiles | None) -> tuple[Folder, ...]:
    known = {folder.path: folder for folder in before.folders} if before else {}
    own = read_folder(analysis.path, analysis.overlay, known.get(analysis.path))
    return (own, *(read_folder(pack.path, pack.overlay, known.get(pack.path)) for pack in analysis.packs))


def _excused(analysis: Analysis, name: str) -> bool:
    """Is a name unknown because of a mistake in the rules that was told already?"""
    if analysis.complete:
        return False
    missing = analysis.checked.names.missing if analysis.checked else frozenset()
    error_nodes = analysis.ruleset.error_nodes if analysis.ruleset else NO_ERROR_NODES
    if "players" in missing:  # without the seats, nothing is known of what else was lost
        return True
    words = name.split(".")
    if any(error_nodes.may_hold(word) or word in missing for word in words):
        return True
    if error_nodes.may_hold("players") and name in _seats(analysis):
        return True
    if ("kinds" in error_nodes.sections or error_nodes.may_hold("grid") or "grid" in missing) and any(
        _CELL.match(word) for word in words
    ):
        return True
    if any(word == _SEEN_BY or _declared(analysis, word) for word in words):
        return True
    return _occurs(analysis, words[-1])


def _declared(analysis: Analysis, word: str) -> bool:
    """Do the rules declare it? Then it is lost with something else."""
    return analysis.checked is not None and bool(analysis.checked.names.named(word))


def _seats(analysis: Analysis) -> tuple[str, ...]:
    kinds = analysis.checked.kinds.values() if analysis.checked else ()
    return next((kind.things for kind in kinds if kind.seats), ())


def _occurs(analysis: Analysis, word: str) -> bool:
    """Whether a word is in some effect. Incomplete rules do not tell what an effect offers."""
    texts = analysis.parsed.texts if analysis.parsed else {}
    spoken = re.compile(rf"\b{re.escape(word)}\b")
    return any(spoken.search(text.text) for text in texts)


def _clauses(folders: tuple[Folder, ...], report: Report) -> tuple[dict[str, Clause], bool]:
    """The clauses of all rulebooks, and whether these are all there can be."""
    clauses: dict[str, Clause] = {}
    books = [folder.rulebook for folder in folders if folder.rulebook]
    for book in books:
        if book.source is not None:
            clauses |= clauses_of(book.source, report)
    twice = any(d.code == "RF302" for d in report)  # then one of the two should have another name
    return clauses, not twice and all(
        book.source and lists_all(book.source, book.diagnostics) for book in books
    )


def _look_at_citations(
    analysis: Analysis, folders: tuple[Folder, ...], clauses: Mapping[str, Clause], unknown: Unknown
) -> None:
    for citation in citations_in(analysis, folders):
        if citation.clause not in clauses:
            message = f"no rulebook has the clause `{citation.clause}`"
            unknown.name(("clause", citation.clause), message, "RF343", citation.span, clauses)


def _look_at_heads(analysis: Analysis, folders: tuple[Folder, ...], report: Report) -> None:
    """Rulebook and contract say which game they are for."""
    rules = analysis.ruleset
    if rules is None or rules.error_nodes:
        return
    packs = [pack.pack.manifest.id for pack in analysis.packs]
    for folder, own in zip(folders, (rules.id, *packs), strict=True):
        game = _head(folder.rulebook, "game")
        if game is not None and game.text not in (own, rules.id):
            message = f"this is the rulebook of `{game.text}`, not of `{own}`"
            report.add("RF345", message, game.span, f"write `{own}`", fix=(Edit(game.span, own),))
    locked = _head(folders[0].contract, "locked")
    if locked is not None and locked.text != rules.version:
        message = f"the contract is about version {locked.text}, the game has version {rules.version}"
        version = f'"{rules.version}"'
        fix = (Edit(locked.span, version),)
        report.add("RF345", message, locked.span, f"write `{version}`", fix=fix)


def _head(file: SideFile | None, key: str) -> ScalarNode | None:
    node = file.source.root.get(key) if file and file.source else None
    return node if isinstance(node, ScalarNode) else None


def _look_at_names(analysis: Analysis, folders: tuple[Folder, ...], unknown: Unknown, report: Report) -> None:
    """Scenarios of a game speak of the game alone; with packs, it is theirs that are looked at."""
    rules = analysis.checked
    if rules is None:
        return
    own = folders[0]
    scenarios = Scenarios(rules, unknown, report)
    for file in _spoken(analysis, _admitted(analysis, folders)):
        scenarios.look(file)
    if own.contract is not None and own.contract.source is not None:
        look_at_contract(own.contract.source, rules, unknown)
        _look_at_meaning(own.contract, analysis, rules, report)


def _look_at_mutants(analysis: Analysis, folders: tuple[Folder, ...], report: Report) -> None:
    """An entry of `mutants.yaml` quotes a line of a rule file. Rules with mistakes are fixed first."""
    if not analysis.complete:
        return
    trees = [tree for tree in (analysis.source, *(p.source for p in analysis.packs)) if tree]
    lines = {
        Path(file.path).resolve(): {" ".join(line.split()) for line in file.content.split("\n")}
        for tree in trees
        for file in tree.files
    }
    for folder in folders:
        listed = (
            folder.mutants.whole.root.get("equivalent") if folder.mutants and folder.mutants.whole else None
        )
        for entry in listed.items if isinstance(listed, SequenceNode) else ():
            file, before = _text(entry, "file"), _text(entry, "before")
            known = lines.get((folder.path / file.text).resolve()) if file is not None else None
            if (
                before is None
                or file is None
                or (known is not None and " ".join(before.text.split()) in known)
            ):
                continue
            says = (
                f"`{file.text}` is not a rule file"
                if known is None
                else f"`{file.text}` has no line like this"
            )
            place = file if known is None else before
            report.add("RF724", says, place.span, "delete the entry, or copy the line as it is now")


def _text(node: SourceNode, key: str) -> ScalarNode | None:
    found = node.get(key) if isinstance(node, MappingNode) else None
    return found if isinstance(found, ScalarNode) else None


def _look_at_meaning(file: SideFile, analysis: Analysis, rules: Checked, report: Report) -> None:
    """Check the meaning of a contract; parts with a mistake in their shape are left out."""
    assert file.source is not None
    contract, found = contract_from_source(file.source), Report()
    lint_contract(contract, found)
    if analysis.assembly is not None and analysis.complete:  # else it may be lost what it counts on
        lint_beside_rules(contract, rules, analysis.assembly.core, found)
    reported = [one.span for one in file.diagnostics]
    report.include(*(d for d in found if not any(d.span.holds(span) for span in reported)))


def _admitted(analysis: Analysis, folders: tuple[Folder, ...]) -> tuple[Folder, ...]:
    """The folders without those of packs that were refused: nothing of what they name is there."""
    packs = {pack.manifest.id for pack in analysis.assembly.packs} if analysis.assembly else set()
    remaining = tuple(
        folder
        for folder, reading in zip(folders[1:], analysis.packs, strict=True)
        if reading.pack.manifest.id in packs
    )
    return (folders[0], *remaining) if remaining or len(folders) == 1 else ()


def _scenarios(folders: tuple[Folder, ...], alone: bool = True) -> Iterator[SourceFile]:
    """The scenarios of the game alone, or those of packs; with `alone`, those without further packs."""
    for file in (file for folder in folders[1:] or folders for file in folder.scenarios):
        if file.whole is not None and not (alone and file.whole.root.get("with") is not None):
            yield file.whole


def _spoken(analysis: Analysis, folders: tuple[Folder, ...]) -> Iterator[SourceFile]:
    """The scenarios that are looked at, those of each pack with the names that its things have among all packs."""
    names = analysis.assembly.names if analysis.assembly else {}
    ids = {reading.path: reading.pack.manifest.id for reading in analysis.packs}
    for folder in folders[1:] or folders:
        for file in _scenarios((folder,)):
            yield with_own_names(file, names.get(ids.get(folder.path, ""), {}))


def _bringing(analysis: Analysis, folders: tuple[Folder, ...]) -> Iterator[SourceFile]:
    """The scenarios of a game that are played with one of these packs."""
    packs = {pack.pack.manifest.id for pack in analysis.packs}
    for file in (file.whole for file in folders[0].scenarios if packs and file.whole is not None):
        named = file.root.get("with")
        if isinstance(named, SequenceNode) and any(item.data in packs for item in named.items):
            yield file
