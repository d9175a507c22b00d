"""The words of the section `layout` with their places. Names are still strings."""

from __future__ import annotations

from ruleforge.lang.model.read_fields import Fields
from ruleforge.lang.source import MappingNode, ScalarNode, SequenceNode, SourceNode
from ruleforge.lang.source.scalar_origin import SourceText, text_at
from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class KindLayout:
    """The layout of the things of a kind."""

    kind: SourceText
    by: tuple[SourceText, ...] = ()
    symbols: tuple[tuple[SourceText, tuple[str, ...]], ...] = ()
    hidden: tuple[str, ...] = ()
    colours: tuple[tuple[SourceText, tuple[str, ...]], ...] = ()
    face: tuple[SourceText, ...] | None = None
    shows: tuple[SourceText, ...] | None = None
    numbered: bool = False
    by_sign: bool = False
    of: tuple[tuple[SourceText, SourceText], ...] = ()


@dataclass(frozen=True, slots=True)
class LanesLayout:
    kind: SourceText
    length: SourceText
    of: SourceText
    lane: SourceText
    at: SourceText


@dataclass(frozen=True, slots=True)
class Layout:
    """All hints of a game on how its table is best shown."""

    kinds: tuple[KindLayout, ...] = ()
    boxes: tuple[SourceText, ...] = ()
    small: tuple[SourceText, ...] = ()
    quiet: tuple[SourceText, ...] = ()
    lanes: LanesLayout | None = None
    values: tuple[tuple[SourceText, tuple[tuple[str, str], ...]], ...] = ()


def layout_from_source(fields: Fields, node: SourceNode) -> Layout:
    """The schema stage has reported wrong shapes; what has one is left out here."""
    return Layout(
        tuple(_kind(_word(entry.key), entry.value) for entry in _entries(_at(node, "kinds"))),
        _words(_at(node, "boxes")) or (),
        _words(_at(node, "small")) or (),
        _words(_at(node, "quiet")) or (),
        _lanes(_at(node, "lanes")),
        tuple((_word(entry.key), _meanings(entry.value)) for entry in _entries(_at(node, "values"))),
    )


def _kind(name: SourceText, node: SourceNode) -> KindLayout:
    return KindLayout(
        name,
        _words(_at(node, "by")) or (),
        _signs_by_key(_at(node, "symbols")),
        _signs(_at(node, "hidden")),
        _signs_by_key(_at(node, "colours")),
        _words(_at(node, "face")),
        _words(_at(node, "shows")),
        _flag(_at(node, "numbered")),
        _flag(_at(node, "by_sign")),
        tuple(
            (_word(e.key), _word(e.value))
            for e in _entries(_at(node, "of"))
            if isinstance(e.value, ScalarNode)
        ),
    )


def _signs_by_key(node: SourceNode | None) -> tuple[tuple[SourceText, tuple[str, ...]], ...]:
    found = ((_word(entry.key), _signs(entry.value)) for entry in _entries(node))
    return tuple((word, signs) for word, signs in found if signs)


def _meanings(node: SourceNode) -> tuple[tuple[str, str], ...]:
    """The meanings of numbers: the number as written in a choice, and the words."""
    return tuple((e.key.text, e.value.text) for e in _entries(node) if isinstance(e.value, ScalarNode))


def _lanes(node: SourceNode | None) -> LanesLayout | None:
    given = [_at(node, key) for key in ("kind", "length", "of", "lane", "at")]
    words = [_word(part) for part in given if isinstance(part, ScalarNode)]
    return LanesLayout(*words) if len(words) == len(given) else None


def _at(node: SourceNode | None, key: str) -> SourceNode | None:
    return node.get(key) if isinstance(node, MappingNode) else None


def _entries(node: SourceNode | None) -> MappingNode | tuple[()]:
    return node if isinstance(node, MappingNode) else ()


def _word(node: ScalarNode) -> SourceText:
    return text_at(node.text, node.span)


def _words(node: SourceNode | None) -> tuple[SourceText, ...] | None:
    if not isinstance(node, SequenceNode):
        return None
    return tuple(_word(item) for item in node.items if isinstance(item, ScalarNode))


def _flag(node: SourceNode | None) -> bool:
    return isinstance(node, ScalarNode) and (node.doubtful or node.text) == "true"


def _signs(node: SourceNode | None) -> tuple[str, ...]:
    items = node.items if isinstance(node, SequenceNode) else (node,)
    return tuple(item.text for item in items if isinstance(item, ScalarNode))
