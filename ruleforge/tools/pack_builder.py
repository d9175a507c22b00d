"""Builds the archive of a pack: its files, and the definitions of its core that it uses."""

from __future__ import annotations

from pathlib import Path

from ruleforge.engine.errors import RulesetError
from ruleforge.project.pack_archive import PackArchive, archive_bytes, files_of
from ruleforge.project.resolver import analyse
from ruleforge.support.diagnostics import NOWHERE, Diagnostic
from ruleforge.support.input_files import Unreadable, is_folder
from ruleforge.support.records import dataclass
from ruleforge.tools.core_changes import used_definitions


@dataclass(frozen=True, slots=True)
class BuiltPack:
    """A pack as one file."""

    archive: PackArchive
    content: bytes

    @property
    def name(self) -> str:
        return f"{self.archive.id}-{self.archive.manifest['version']}.zip"


def build_pack(folder: Path) -> BuiltPack:
    """The archive of a pack that has no mistakes. Raises RulesetError."""
    if not is_folder(folder):
        raise RulesetError((_no_pack(folder, "a pack is a folder with a `pack.yaml`"),))
    analysis = analyse(folder)
    if not analysis.complete or not analysis.packs or analysis.assembly is None:
        raise RulesetError(analysis.diagnostics or (_no_pack(folder, "it has no section `pack`"),))
    head, core = analysis.packs[0].pack.manifest, analysis.assembly.core
    try:
        files = files_of(folder)
    except (Unreadable, ValueError) as problem:
        raise RulesetError((_no_pack(folder, str(problem)),)) from None
    manifest = {
        "id": head.id,
        "title": head.title or head.id,
        "version": head.version,
        "needs": [name.id for name in head.needs],
        "core": {
            "id": core.id,
            "versions": head.versions.id,
            "version": core.version,
            "definitions": dict(used_definitions(analysis)),
        },
    }
    return BuiltPack(PackArchive(head.id, manifest, files), archive_bytes(files, manifest))


def _no_pack(folder: Path, reason: str) -> Diagnostic:
    return Diagnostic("RF845", f"`{folder}` cannot be packed: {reason}", NOWHERE)
