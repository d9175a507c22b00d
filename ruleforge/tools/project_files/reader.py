"""Reads the files next to the rules once: rulebook, contract, mutants, scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ruleforge.lang.schema.intended_reading import as_meant
from ruleforge.lang.schema.validate import FileKind, shape_of
from ruleforge.lang.source.folder import SUFFIXES
from ruleforge.lang.source.read_text import checked_text, read_text, shown
from ruleforge.lang.source.tree import SourceFile
from ruleforge.lang.source.yaml_reader import read_yaml
from ruleforge.support.diagnostics import Diagnostic, Report
from ruleforge.support.input_files import Unreadable, files_below, is_folder, is_there, stamp_of
from ruleforge.support.records import dataclass

SCENARIOS = "scenarios"


@dataclass(frozen=True, slots=True)
class SideFile:
    """One file: its readable content (None: nothing) and the diagnostics about its text and shape."""

    path: str
    kind: FileKind
    text: str | None
    source: SourceFile | None
    diagnostics: tuple[Diagnostic, ...]
    stamp: tuple[int, int] | None = None  # of the file on disk; None if its text is unsaved

    @property
    def whole(self) -> SourceFile | None:
        """The file if nothing is wrong with it, so that what is missing in it is not there at all."""
        return self.source if not self.diagnostics else None


@dataclass(frozen=True, slots=True)
class Folder:
    """The files next to the rules of a game or pack."""

    path: Path
    rulebook: SideFile | None = None
    contract: SideFile | None = None
    mutants: SideFile | None = None
    scenarios: tuple[SideFile, ...] = ()

    @property
    def files(self) -> tuple[SideFile, ...]:
        return (*(f for f in (self.rulebook, self.contract, self.mutants) if f), *self.scenarios)


def read_folder(path: Path, overlay: Mapping[str, str], before: Folder | None = None) -> Folder:
    """`overlay` is unsaved text by file name; a file with the same text as `before` is not read again."""
    if not is_folder(path):
        return Folder(path)
    known = {file.path: file for file in before.files} if before else {}

    def read(name: str, kind: FileKind) -> SideFile:
        return _read(path, name, kind, overlay.get(name), known)

    def one(kind: FileKind) -> SideFile | None:
        names = [kind + suffix for suffix in SUFFIXES]
        found = next((n for n in names if n in overlay or is_there(path / n)), None)
        return read(found, kind) if found else None

    scenarios = tuple(read(name, "scenario") for name in _scenario_names(path, overlay))
    return Folder(path, one("rulebook"), one("contract"), one("mutants"), scenarios)


def _scenario_names(path: Path, overlay: Mapping[str, str]) -> list[str]:
    folder = path / SCENARIOS
    try:
        files = files_below(folder, SUFFIXES) if is_folder(folder) else []
    except Unreadable:
        files = [folder]  # reading it will report in the right words
    unsaved = (n for n in overlay if n.startswith(f"{SCENARIOS}/") and n.endswith(SUFFIXES))
    return sorted({*(file.relative_to(path).as_posix() for file in files), *unsaved})


def _read(
    home: Path, relative: str, kind: FileKind, unsaved: str | None, known: Mapping[str, SideFile]
) -> SideFile:
    report, name = Report(), shown(home / relative)
    stamp = stamp_of(home / relative) if unsaved is None else None
    same = known.get(name)
    if same is not None and stamp is not None and same.stamp == stamp:
        return same
    text = (
        read_text(home / relative, report, home) if unsaved is None else checked_text(name, unsaved, report)
    )
    old = known.get(name)
    if old is not None and old.text == text and text is not None:
        return replace(old, stamp=stamp)
    source = read_yaml(text, name, report) if text is not None else None
    if source is not None:
        shape = shape_of(source, kind)
        meant = as_meant(source, shape, kind)
        if meant is not None:
            return SideFile(name, kind, text, meant, meant.diagnostics, stamp)
        report.include(*shape.diagnostics)
    return SideFile(name, kind, text, source, report.diagnostics, stamp)
