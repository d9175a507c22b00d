"""The product of reading: values that keep their place in the author's files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Any, Literal

from ruleforge.lang.source.error_nodes import NAMING_KEYS, NO_ERROR_NODES, ErrorNodes, joined
from ruleforge.lang.source.scalar_origin import SourceText, text_at
from ruleforge.support.diagnostics import Diagnostic, Span
from ruleforge.support.records import dataclass

ScalarKind = Literal["str", "int", "bool", "null"]
ScalarStyle = Literal["plain", "quoted", "literal", "folded"]


@dataclass(frozen=True, slots=True)
class ScalarNode:
    """A word, text or number; a scalar of several lines has a `layout` with the place of each line.

    For a reported word, `doubtful` is its most likely meaning; later stages continue with it.
    """

    span: Span
    text: str
    kind: ScalarKind
    style: ScalarStyle
    layout: SourceText | None = None
    doubtful: str | None = None

    @property
    def origin(self) -> SourceText | None:
        """Maps places inside the text; None if that is impossible. Computed on use, since most nodes never need it."""
        file, line, column, end_line, end_column = self.span
        if self.layout is not None or line != end_line or self.style not in ("plain", "quoted"):
            return self.layout
        if self.style == "plain":
            return text_at(self.text, self.span)
        return text_at(self.text, Span(file, line, column + 1, line, end_column - 1))

    @property
    def data(self) -> str | int | bool | None:
        match self.kind:
            case "int":
                return int(self.text)
            case "bool":
                return self.text == "true"
            case "null":
                return None
        return self.text


@dataclass(frozen=True, slots=True)
class SequenceNode:
    span: Span
    items: tuple[SourceNode, ...]
    flow: bool = False

    @property
    def data(self) -> list[Any]:
        return [item.data for item in self.items]


@dataclass(frozen=True, slots=True)
class Entry:
    """One `key: value` of a mapping."""

    key: ScalarNode
    value: SourceNode

    @property
    def name(self) -> str:
        return self.key.text


@dataclass(frozen=True, slots=True)
class MappingNode:
    span: Span
    entries: tuple[Entry, ...]
    flow: bool = False
    _by_name: dict[str, Entry] = field(default_factory=dict, init=False, compare=False, repr=False)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def entry(self, name: str) -> Entry | None:
        if not self._by_name:  # of a key that is there twice the first one counts
            self._by_name.update((entry.key.text, entry) for entry in reversed(self.entries))
        return self._by_name.get(name)

    def get(self, name: str) -> SourceNode | None:
        entry = self.entry(name)
        return None if entry is None else entry.value

    @property
    def data(self) -> dict[str, Any]:
        return {e.name: e.value.data for e in self.entries}


SourceNode = ScalarNode | SequenceNode | MappingNode


@dataclass(frozen=True, eq=False)
class SourceFile:
    """One YAML file with its diagnostics; its root is a mapping of all readable parts."""

    path: str
    root: MappingNode
    content: str = ""
    error_nodes: ErrorNodes = NO_ERROR_NODES
    diagnostics: tuple[Diagnostic, ...] = ()
    values: int = 0  # how many there are in it


@dataclass(frozen=True, slots=True)
class SourceTree:
    """All files of a game, and the error nodes left by those that could not be read at all."""

    path: str
    files: tuple[SourceFile, ...]
    unread: ErrorNodes = NO_ERROR_NODES

    @property
    def error_nodes(self) -> ErrorNodes:
        return joined([self.unread, *(file.error_nodes for file in self.files)])

    def sections(self, name: str) -> tuple[Entry, ...]:
        """Every place where a section is written, in the order of the files."""
        found = (file.root.entry(name) for file in self.files)
        return tuple(entry for entry in found if entry is not None)


def node_at(node: SourceNode, path: tuple[str | int, ...]) -> SourceNode:
    """The value under a path of keys and positions; as deep as the path leads."""
    for step in path:
        if isinstance(node, MappingNode) and isinstance(step, str):
            below = node.get(step)
        elif isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.items):
            below = node.items[step]
        else:
            below = None
        if below is None:
            break
        node = below
    return node


def words_of(node: SourceNode) -> frozenset[str]:
    """The words that may be names which a value declares: keys, and items of lists."""
    if isinstance(node, SequenceNode):
        items = frozenset(item.text for item in node.items if isinstance(item, ScalarNode))
        return items | frozenset(word for item in node.items for word in words_of(item))
    if isinstance(node, ScalarNode):
        return frozenset()
    named = (e.value.text for e in node if e.name in NAMING_KEYS and isinstance(e.value, ScalarNode))
    return frozenset((*named, *(word for e in node for word in (e.name, *words_of(e.value)))))
