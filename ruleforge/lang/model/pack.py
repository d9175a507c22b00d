"""The model of a pack: its manifest, the definitions it brings, and what it attaches to the game it is for."""

from __future__ import annotations

from ruleforge.lang.model.ruleset import Named, Phase, Ruleset
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.diagnostics import NOWHERE, Span
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class PackName:
    """The name of a pack or game as another pack writes it."""

    id: str
    span: Span


@dataclass(frozen=True, slots=True)
class Manifest(Named):
    """What a pack is, and the game it belongs to."""

    version: str = "0"
    core: PackName = PackName("", NOWHERE)
    versions: PackName = PackName("", NOWHERE)
    kind: str = "expansion"
    players: tuple[int, int] | None = None
    needs: tuple[PackName, ...] = ()
    excludes: tuple[PackName, ...] = ()


@dataclass(frozen=True, slots=True)
class Hung:
    """Phases that hang at a place of the game's flow: `before`, `after`, `first in` or `last in` a phase."""

    span: Span
    side: str
    phase: str
    phases: tuple[Phase, ...]


@dataclass(frozen=True, slots=True)
class Filling(Named):
    """What happens in a placeholder of the game; `id` is the name of its event."""

    do: SourceText | None = None


@dataclass(frozen=True, slots=True)
class Holding(Named):
    """What must hold in addition after an action, or after the actions of a phase, of the game."""

    of: str = ""
    that: SourceText | None = None


@dataclass(frozen=True, slots=True)
class Chosen(Named):
    """An option or a number of the game that a pack settles; `id` is its name."""

    value: SourceText | None = None


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack as its author wrote it. `adds` holds its definitions: of a kind that the game has, what is added."""

    manifest: Manifest
    adds: Ruleset
    hung: tuple[Hung, ...] = ()
    fills: tuple[Filling, ...] = ()
    holds: tuple[Holding, ...] = ()
    chooses: tuple[Chosen, ...] = ()
