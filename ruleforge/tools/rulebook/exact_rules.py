"""Separates the words of a rulebook for players from its code for judges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruleforge.tools.rulebook.book import (
    Block,
    Cited,
    Clauses,
    Effect,
    Item,
    Items,
    Plain,
    Rows,
    Section,
    Words,
)

TITLE = "Exact rules"
OPENING = "This chapter shows the same rules in the rule language, as the computer applies them."


def for_players(sections: Iterable[Section]) -> tuple[Section, ...]:
    """The sections without code."""
    found = (_spoken(section) for section in sections)
    return tuple(section for section in found if not section.is_empty)


def exact_rules(sections: Iterable[Section]) -> Section:
    """One chapter with all code of the sections."""
    found = tuple(section for each in sections if not (section := _code_of(each)).is_empty)
    return Section(TITLE, (Words(OPENING),) if found else (), found)


def _spoken(section: Section) -> Section:
    blocks = tuple(block for each in section.blocks for block in _spoken_block(each))
    return Section(section.title, blocks, for_players(section.sections))


def _spoken_block(block: Block) -> Iterator[Block]:
    match block:
        case Items(items=items, ordered=ordered):
            spoken = _spoken_items(items)
            if spoken:
                yield Items(spoken, ordered)
        case Words() | Rows() | Plain() | Cited() | Clauses():
            yield block
        case Effect():
            pass


def _spoken_items(items: Iterable[Item]) -> tuple[Item, ...]:
    spoken = ((item, Item(item.name, item.text, _spoken_items(item.items))) for item in items)
    return tuple(
        new for old, new in spoken if new.text or new.items or not (old.code or old.effect or old.items)
    )


def _code_of(section: Section) -> Section:
    blocks = tuple(block for each in section.blocks for block in _code_block(each))
    below = tuple(inner for each in section.sections if not (inner := _code_of(each)).is_empty)
    return Section(section.title, blocks, below)


def _code_block(block: Block) -> Iterator[Block]:
    match block:
        case Items(items=items):
            spoken = _code_items(items)
            if spoken:
                yield Items(spoken)
        case Effect():
            yield block
        case Words() | Rows() | Plain() | Cited() | Clauses():
            pass


def _code_items(items: Iterable[Item]) -> tuple[Item, ...]:
    spoken = (Item(item.name, item.code, _code_items(item.items), item.effect) for item in items)
    return tuple(item for item in spoken if item.text or item.items or item.effect)
