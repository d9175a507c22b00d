"""The product of this folder: a rulebook as sections of a few kinds of blocks, which know no output format."""

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
    """A point of a list: what it is called, what is said of it, an effect as it stands, and the points below it."""

    name: str
    text: str = ""
    items: tuple[Item, ...] = ()
    effect: str = ""


@dataclass(frozen=True, slots=True)
class Items:
    """A list; `ordered` if one comes after the other."""

    items: tuple[Item, ...]
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Plain:
    """Text that stands as it is: an effect, or a picture of the table."""

    text: str


@dataclass(frozen=True, slots=True)
class Cited:
    """The clauses that a part of the rules carries out."""

    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clauses:
    """Clauses with their words, each a place that others lead to."""

    clauses: tuple[tuple[str, str], ...]


Block = Words | Rows | Items | Plain | Cited | Clauses


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
