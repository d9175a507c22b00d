"""The changes of a core between two versions that concern a pack."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ruleforge.contracts.contract_reader import contract_of
from ruleforge.contracts.locks.fingerprint import Change, Fingerprint, fingerprint
from ruleforge.contracts.locks.lockfile import read_lock
from ruleforge.engine.errors import RulesetError
from ruleforge.lang.packs.namespaces import texts_of
from ruleforge.lang.source.tree import words_of
from ruleforge.project.installed_packs import installed_pack
from ruleforge.project.pack_archive import NotAnArchive, is_archive, read_archive
from ruleforge.project.pipeline import Analysis
from ruleforge.project.resolver import analyse
from ruleforge.support.diagnostics import NOWHERE, Report
from ruleforge.support.records import dataclass

_WORD = re.compile(r"[a-z]\w*")
_ALWAYS = ("contract", "game")  # they decide about every pack


@dataclass(frozen=True, slots=True)
class CoreChanges:
    """The changes of a core since a version, as far as a pack names or depends on them."""

    since: str
    now: str
    changes: tuple[Change, ...]

    def to_json(self) -> dict[str, Any]:
        changes = [{"path": change.path, "how": change.how} for change in self.changes]
        return {"since": self.since, "now": self.now, "changes": changes}

    def __str__(self) -> str:
        if not self.changes:
            return (
                f"nothing that the pack uses changed since version {self.since} of the core (now {self.now})"
            )
        listed = "\n".join(f"  {change}" for change in self.changes)
        return f"changed since version {self.since} of the core (now {self.now}), and used by the pack:\n{listed}"


def core_changes(pack: str | Path, lock: Path | None = None) -> CoreChanges | None:
    """The changes since the core of a lock file, or else since the pack was packed; None for a folder without one.

    Raises RulesetError for a lock file that cannot be read.
    """
    then = _locked(lock) if lock is not None else _packed(pack)
    if then is None:
        return None
    analysis = analyse(pack)
    now = core_print(analysis)
    if now is None:
        return None
    names = _names(analysis)
    found = tuple(change for change in then.changes(now) if _touches(change.path, names))
    return CoreChanges(then.version, now.version, found)


def core_print(analysis: Analysis) -> Fingerprint | None:
    """The definitions of the core of a pack, with those of its contract."""
    if analysis.assembly is None or analysis.parsed is None:
        return None
    return fingerprint(analysis.assembly.core, analysis.parsed, contract_of(analysis.path))


def used_definitions(analysis: Analysis) -> Mapping[str, str]:
    """The definitions of a core that its packs name or are judged by, each with its digest."""
    now, names = core_print(analysis), _names(analysis)
    return {path: d for path, d in now.definitions.items() if _touches(path, names)} if now else {}


def _locked(lock: Path) -> Fingerprint | None:
    report = Report()
    found = read_lock(lock, report)
    if found is None and not report.has_errors:
        report.add("RF342", f"there is no lock file `{lock}`", NOWHERE)
    if found is None:
        raise RulesetError(report.diagnostics)
    return found


def _packed(pack: str | Path) -> Fingerprint | None:
    path = Path(pack) if is_archive(Path(pack)) else installed_pack(str(pack))
    try:
        archive = read_archive(path) if path is not None else None
    except NotAnArchive:
        return None  # that is reported where it is read
    return (
        Fingerprint(str(archive.manifest["core"]["version"]), "", "", archive.definitions)
        if archive
        else None
    )


def _names(analysis: Analysis) -> frozenset[str]:
    """Every name in the texts and keys of the packs; for a set of things the name of their kind, too."""
    found: set[str] = set()
    for reading in analysis.packs:
        found |= {word for text in texts_of(reading.pack) for word in _WORD.findall(text.text)}
        found |= {word for file in reading.source.files for word in words_of(file.root)}
    kinds = analysis.assembly.core.kinds if analysis.assembly else ()
    return frozenset(found | {kind.id for kind in kinds if kind.plural in found})


def _touches(path: str, names: frozenset[str]) -> bool:
    section, _, name = path.partition(".")
    return section in _ALWAYS or name.rpartition(".")[2] in names
