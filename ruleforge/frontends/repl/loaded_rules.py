"""The rules at the console: their analysis and the game that plays them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ruleforge.contracts.locks.fingerprint import Fingerprint, fingerprint
from ruleforge.engine.errors import RulesetError
from ruleforge.engine.game import Game
from ruleforge.engine.loader import opened
from ruleforge.lang.checker.typed import Checked
from ruleforge.project.pipeline import Analysis
from ruleforge.project.resolver import analyse
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class Rules:
    """The path of the rules, their analysis, and the game."""

    name: str
    packs: tuple[str, ...]
    analysis: Analysis
    game: Game
    fingerprint: Fingerprint

    @property
    def checked(self) -> Checked:
        assert self.analysis.checked is not None
        return self.analysis.checked

    @property
    def definitions(self) -> Mapping[str, str]:
        """A short digest of what each definition says."""
        return self.fingerprint.definitions

    @property
    def folders(self) -> tuple[Path, ...]:
        return (self.analysis.path, *(reading.path for reading in self.analysis.packs))

    def title(self, name: str) -> str:
        """What a thing is called, by its name or that of a rule printed on it; the name itself if it has no title."""
        thing = name.partition(".")[0]
        for kind in self.checked.kinds.values():
            if kind.titles.get(thing):
                return kind.titles[thing]
        return name

    def place(self, span: Span) -> str:
        """`cards.yaml:18`; of a file of a pack with the folder it lies in."""
        return f"{shown_file(span.file, self.folders)}:{span.line}"


def read_rules(name: str, packs: tuple[str, ...]) -> Rules:
    """Raises RulesetError with every complaint if they cannot be played."""
    analysis = analyse(name, packs)
    if not analysis.complete:
        raise RulesetError(analysis.diagnostics)
    assert analysis.ruleset is not None and analysis.parsed is not None
    return Rules(
        name, packs, analysis, opened(analysis, name), fingerprint(analysis.ruleset, analysis.parsed)
    )


def shown_file(file: str, folders: tuple[Path, ...]) -> str:
    """A file as people name it: as seen from its game, or from the folder its pack lies in."""
    path = Path(file).absolute()
    core, *packs = (folder.absolute() for folder in folders)
    for pack in packs:
        if path.is_relative_to(pack):
            return path.relative_to(pack.parent).as_posix()
    if path.is_relative_to(core):
        return path.name if path == core else path.relative_to(core).as_posix()
    return file
