"""A rulebook: sections of a few kinds of blocks, independent of the output format."""

from __future__ import annotations

from ruleforge.support.records import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Rows:
    """A table; its first column names what a row is about."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A list item: its name, its words, the items below it, and its code: an expression in a line, or an effect."""

    name: str
    text: str = ""
    items: tuple[Item, ...] = ()
    effect: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class Items:
    """A list; `ordered` if one comes after the other."""

    items: tuple[Item, ...]
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Plain:
    """Preformatted text: a picture of the table."""

    text: str


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect in the rule language."""

    text: str


@dataclass(frozen=True, slots=True)
class Cited:
    """The clauses that a part of the rules implements."""

    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clauses:
    """Clauses with their text, each a target of links."""

    clauses: tuple[tuple[str, str], ...]


Block = Words | Rows | Items | Plain | Effect | Cited | Clauses


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    blocks: tuple[Block, ...] = ()
    sections: tuple[Section, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not self.blocks and not self.sections


@dataclass(frozen=True, slots=True)
class Rulebook:
    title: str
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...]
