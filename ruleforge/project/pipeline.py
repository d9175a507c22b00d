"""Run the stages in order, from a folder of YAML and packs to checked rules."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from ruleforge.lang.checker.ruleset import check
from ruleforge.lang.checker.typed import Checked
from ruleforge.lang.model.from_source import ruleset_from_source
from ruleforge.lang.model.language_version import is_newer
from ruleforge.lang.model.pack import Pack, pack_from_source
from ruleforge.lang.model.ruleset import Ruleset
from ruleforge.lang.packs.assembly import Assembly, assemble
from ruleforge.lang.parser.parsed import Parsed, parse
from ruleforge.lang.schema.intended_reading import read_as_meant
from ruleforge.lang.schema.validate import Shaped
from ruleforge.lang.source.damaged_files import cut_off
from ruleforge.lang.source.error_nodes import ErrorNodes
from ruleforge.lang.source.folder import read_folder
from ruleforge.lang.source.read_text import ReadingBudget
from ruleforge.lang.source.tree import SourceFile, SourceTree
from ruleforge.project.lints import lint
from ruleforge.project.lints.secrecy import lint_secrecy
from ruleforge.support.ceilings import CEILINGS, Ceilings
from ruleforge.support.diagnostics import Diagnostic, Report
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class PackReading:
    """A pack in an analysis: its files, their shape, and its manifest."""

    path: Path
    overlay: Mapping[str, str]  # its unsaved texts, by file name relative to its folder
    source: SourceTree
    shaped: Shaped
    pack: Pack


@dataclass(frozen=True, slots=True)
class Analysis:
    """The result of reading a ruleset: one product for each stage, and all diagnostics.

    It is as complete as possible. A stage without input is None. Parts with mistakes are left out of later stages.
    """

    path: Path
    overlay: Mapping[str, str]
    source: SourceTree | None = None
    shaped: Shaped | None = None
    packs: tuple[PackReading, ...] = ()
    ceilings: Ceilings = CEILINGS
    assembly: Assembly | None = None
    parsed: Parsed | None = None
    checked: Checked | None = None
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def ruleset(self) -> Ruleset | None:
        """All definitions of the game and its packs."""
        return self.assembly.whole if self.assembly else None

    @property
    def complete(self) -> bool:
        """True if the game can be played."""
        return self.checked is not None and all(d.severity != "error" for d in self.diagnostics)

    def edited(self, overlay: Mapping[str, str]) -> Analysis:
        """The analysis after an edit: texts by file name. Only the dependent parts are computed again."""
        packs = tuple(reading.path for reading in self.packs)
        return analyse(self.path, {**self.overlay, **overlay}, self, packs, self.ceilings)


def analyse(
    path: Path,
    overlay: Mapping[str, str] | None = None,
    before: Analysis | None = None,
    packs: tuple[Path, ...] = (),
    ceilings: Ceilings = CEILINGS,
) -> Analysis:
    """Run all stages up to the checker, even after mistakes.

    `overlay` holds unsaved texts by file name, relative to the folder of the game. The name of a file of a
    pack can be relative to that folder (`expansions/rust/cards.yaml`), relative to the working directory, or
    absolute.
    """
    report, unsaved = Report(), MappingProxyType(dict(overlay or {}))
    old = before or Analysis(path, {})
    room = ReadingBudget(ceilings)
    of_packs = {pack: _inside(pack, path, unsaved) for pack in packs}
    others = {name for texts in of_packs.values() for name in texts}
    own = {name: text for name, text in unsaved.items() if name not in others}
    report_of_files = Report()
    source = read_folder(path, report_of_files, own, old.source, room=room)  # values that keep their place
    if source is None:
        return Analysis(path, unsaved, ceilings=ceilings, diagnostics=report_of_files.diagnostics)
    if is_newer(source, "game", report):
        return Analysis(path, unsaved, source, ceilings=ceilings, diagnostics=report.diagnostics)
    source, shaped = read_as_meant(source, report_of_files, report, old.shaped)  # shape only
    core = ruleset_from_source(
        source, report, source.error_nodes | shaped.error_nodes
    )  # names are still strings
    readings = tuple(
        found
        for pack, names in of_packs.items()
        if (found := _reading(pack, {file: unsaved[name] for name, file in names.items()}, report, old, room))
    )
    if newer := tuple(d for d in report if d.code == "RF350"):
        return Analysis(path, unsaved, source, ceilings=ceilings, diagnostics=newer)
    assembly = assemble(core, tuple(reading.pack for reading in readings), report)  # core and packs as one
    readings = tuple(_among_packs(reading, assembly) for reading in readings)
    parsed = parse(assembly.whole, report, old.parsed)  # every effect text as a tree
    digest = _digest(source, readings)
    files = [file for tree in (source, *(reading.source for reading in readings)) for file in tree.files]
    assembly = _with_error_nodes(assembly, cut_off(files, report))
    checked = check(assembly.whole, parsed, report, digest, ceilings)  # names are ids, with types
    lint(checked, report)
    lint_secrecy(checked, report)
    if checked.checks and not report.has_errors:
        from ruleforge.project.printed_checks import (
            run_checks,  # it takes the compiler, and most games have none
        )

        run_checks(checked, report)
    products = (source, shaped, readings, ceilings, assembly, parsed, checked)
    return Analysis(path, unsaved, *products, report.diagnostics)


def _among_packs(reading: PackReading, assembly: Assembly) -> PackReading:
    """The pack with the names that its definitions have in the whole."""
    there = (pack for pack in assembly.packs if pack.manifest == reading.pack.manifest)
    return replace(reading, pack=next(there, reading.pack))


def _with_error_nodes(assembly: Assembly, more: ErrorNodes) -> Assembly:
    return (
        replace(assembly, whole=replace(assembly.whole, error_nodes=assembly.whole.error_nodes | more))
        if more
        else assembly
    )


def own_files(analysis: Analysis, packs: tuple[Path, ...]) -> tuple[SourceFile, ...]:
    """The files of some packs of an analysis; without packs those of the game itself."""
    if not packs:
        return analysis.source.files if analysis.source else ()
    meant = {path.resolve() for path in packs}
    return tuple(
        f for reading in analysis.packs if reading.path.resolve() in meant for f in reading.source.files
    )


def _inside(pack: Path, core: Path, overlay: Mapping[str, str]) -> dict[str, str]:
    """The unsaved texts that are files of a pack: maps their names in the overlay to names relative to the
    pack.
    """
    folder = pack.resolve()
    found: dict[str, str] = {}
    for name in overlay:
        places = ((core / name).resolve(), Path(name).resolve())
        inside = next((place for place in places if folder in place.parents), None)
        if inside is not None:
            found[name] = inside.relative_to(folder).as_posix()
    return found


def _reading(
    path: Path, overlay: Mapping[str, str], report: Report, old: Analysis, room: ReadingBudget
) -> PackReading | None:
    """A pack, as far as it can be read; the game goes on without one that says nothing."""
    before = next((reading for reading in old.packs if reading.path == path), None)
    report_of_files = Report()
    source = read_folder(path, report_of_files, overlay, before.source if before else None, "pack", room)
    if source is None:
        report.include(*report_of_files)
        return None
    if is_newer(source, "pack", report):
        return None
    source, shaped = read_as_meant(source, report_of_files, report, before.shaped if before else None, "pack")
    pack = pack_from_source(source, report, source.error_nodes | shaped.error_nodes)
    return PackReading(path, overlay, source, shaped, pack) if pack else None


def load(path: Path, report: Report) -> Checked | None:
    """The checked rules alone; None if there is a mistake in them."""
    analysis = analyse(path)
    report.include(*analysis.diagnostics)
    return analysis.checked if analysis.complete else None


def _digest(source: SourceTree, packs: tuple[PackReading, ...]) -> str:
    """A hash of all files. It does not depend on the order of the packs."""
    digest = hashlib.sha256()
    for tree in (source, *(p.source for p in sorted(packs, key=lambda p: p.pack.manifest.id))):
        for file in tree.files:
            digest.update(file.content.encode())
            digest.update(b"\0")
    return digest.hexdigest()
