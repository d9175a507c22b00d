"""A rulebook: sections of a few kinds of blocks, independent of the output format, and the names of definitions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ruleforge.lang.model.ruleset import Named
from ruleforge.lang.model.words import pretty
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.records import dataclass

FLAG = "flag"
Packs = Mapping[str, str]  # the titles of the packs at hand, by id


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Rows:
    """A table; its first column names the subject of each row."""

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


# Names, texts and citations of definitions in a rulebook.


def called(definition: Named, packs: Packs) -> str:
    """Its title, with the pack that brings it."""
    return titled(definition) + brought(definition, packs)


def titled(definition: Named) -> str:
    return definition.title or pretty(definition.id)


def brought(definition: Named, packs: Packs) -> str:
    return f" ({packs[definition.origin]})" if definition.origin in packs else ""


def description(definition: Named) -> Iterator[Block]:
    """The text of its author."""
    if definition.text:
        yield Words(" ".join(definition.text.split()))


def cited(definition: Named) -> Iterator[Block]:
    if definition.cites:
        yield Cited(definition.cites)


def line(text: SourceText) -> str:
    """A text of the rules in one line, as code."""
    return f"`{plain(text)}`"


def plain(text: SourceText) -> str:
    return " ".join(text.text.split())


def seen_by(sees: SourceText) -> str:
    """The players who see it; the exact condition is in the exact rules."""
    if plain(sees) in _SEEN:
        return _SEEN[plain(sees)]
    viewer = re.match(r"viewer is ([a-z_.]+)( or )?", plain(sees))
    if viewer is None:
        return "seen only while the rules show it"
    name = viewer[1].rpartition(".")[2]
    who = {"me": "the player who makes it", "self": "that player"}.get(name, f"the {pretty(name).lower()}")
    return f"seen only by {who}" + (", until the rules show it" if viewer[2] else "")


_SEEN = {"false": "hidden from all players", "true": "seen by all players"}
