"""The model of a pack, and its construction: its manifest, its definitions, and its additions to its game."""

from __future__ import annotations

from ruleforge.lang.model.from_source import Sections, players_from_source
from ruleforge.lang.model.read_fields import WORDS_FOR_PEOPLE, Fields, Key, filled
from ruleforge.lang.model.ruleset import Named, Phase, Ruleset
from ruleforge.lang.source import Entry, MappingNode, ScalarNode, SequenceNode, SourceNode, SourceTree
from ruleforge.lang.source.error_nodes import ErrorNodes
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.diagnostics import NOWHERE, Report, Span
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class PackName:
    """The name of a pack or game as another pack writes it."""

    id: str
    span: Span


@dataclass(frozen=True, slots=True)
class Manifest(Named):
    """The header of a pack: its id, its version, and its game."""

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
    """The effect that a pack gives to a placeholder of the game; `id` is the name of its event."""

    do: SourceText | None = None


@dataclass(frozen=True, slots=True)
class Holding(Named):
    """An additional condition of a pack after an action, or after the actions of a phase."""

    of: str = ""
    that: SourceText | None = None


@dataclass(frozen=True, slots=True)
class Chosen(Named):
    """An option or a number of the game that a pack settles; `id` is its name."""

    value: SourceText | None = None


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack as its author wrote it. `adds` holds its definitions; for a kind of the game, only the additions."""

    manifest: Manifest
    adds: Ruleset
    hung: tuple[Hung, ...] = ()
    fills: tuple[Filling, ...] = ()
    holds: tuple[Holding, ...] = ()
    chooses: tuple[Chosen, ...] = ()


# The model of a pack: the sections of a game, and those that attach the pack to a game.


def names_from_source(fields: Fields, node: SourceNode) -> tuple[PackName, ...]:
    items = node.items if isinstance(node, SequenceNode) else ()
    return tuple(PackName(item.text, item.span) for item in items if isinstance(item, ScalarNode))


MANIFEST = {
    **WORDS_FOR_PEOPLE,
    "version": Key("version", Fields.word),
    "kind": Key("kind", Fields.word),
    "needs": Key("needs", names_from_source),
    "excludes": Key("excludes", names_from_source),
}
FILLING = {**WORDS_FOR_PEOPLE, "do": Key("do", Fields.text)}
HOLDING = {**WORDS_FOR_PEOPLE, "of": Key("of", Fields.word), "that": Key("that", Fields.text)}


def pack_from_source(tree: SourceTree, report: Report, error_nodes: ErrorNodes | None = None) -> Pack | None:
    """The pack an author wrote; None if no file of it has a readable `pack` section."""
    head = next(iter(tree.sections("pack")), None)
    if head is None or not isinstance(head.value, MappingNode):
        return None
    fields = Fields(report, tree.error_nodes if error_nodes is None else error_nodes, in_pack=True)
    sections = Sections(tree, fields)
    manifest = _manifest(fields, head, head.value)
    return Pack(
        manifest,
        sections.definitions_of(manifest.id, manifest.span, manifest.players or (0, 0)),
        tuple(hung for part in tree.sections("flow") for hung in _hung(sections, part.value)),
        sections.definitions("fills", "the filling of", lambda e: _filling(fields, e)),
        sections.definitions("holds", "the condition", lambda e: _holding(fields, e)),
        sections.definitions("chooses", "the option", lambda e: _chosen(fields, e)),
    )


def _manifest(fields: Fields, head: Entry, node: MappingNode) -> Manifest:
    id = node.get("id")
    target = node.get("for")
    core, versions = (
        _name(target.get(key)) if isinstance(target, MappingNode) else None for key in ("core", "versions")
    )
    nothing = PackName("", head.key.span)
    return Manifest(
        id.text if isinstance(id, ScalarNode) else "pack",
        head.key.span,
        core=core or nothing,
        versions=versions or nothing,
        players=players_from_source(fields, node) if node.entry("players") else None,
        **filled(fields, node, MANIFEST),
    )


def _name(node: SourceNode | None) -> PackName | None:
    return PackName(node.doubtful or node.text, node.span) if isinstance(node, ScalarNode) else None


def _hung(sections: Sections, node: SourceNode) -> list[Hung]:
    found = []
    for item in node.items if isinstance(node, SequenceNode) else ():
        at = item.get("at") if isinstance(item, MappingNode) else None
        if isinstance(item, MappingNode) and isinstance(at, ScalarNode):
            side, _, phase = at.text.rpartition(" ")
            found.append(Hung(at.span, side, phase, sections.phases(item.get("phases"))))
    return found


def _filling(fields: Fields, entry: Entry) -> Filling:
    return Filling(entry.name, entry.key.span, **filled(fields, entry.value, FILLING))


def _holding(fields: Fields, entry: Entry) -> Holding:
    return Holding(entry.name, entry.key.span, **filled(fields, entry.value, HOLDING))


def _chosen(fields: Fields, entry: Entry) -> Chosen:
    return Chosen(entry.name, entry.key.span, value=fields.text(entry.value))
