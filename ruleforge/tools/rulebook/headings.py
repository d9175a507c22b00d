"""How a definition is called in a rulebook, and what stands at its end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ruleforge.lang.model.ruleset import Named
from ruleforge.lang.model.words import pretty
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.tools.rulebook.book import Block, Cited, Words

Packs = Mapping[str, str]  # the titles of the packs at hand, by id


def called(definition: Named, packs: Packs) -> str:
    """Its title, with the pack that brings it."""
    return titled(definition) + brought(definition, packs)


def titled(definition: Named) -> str:
    return definition.title or pretty(definition.id)


def brought(definition: Named, packs: Packs) -> str:
    return f" ({packs[definition.origin]})" if definition.origin in packs else ""


def description(definition: Named) -> Iterator[Block]:
    """What its author says of it."""
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
    """Who sees it, in words where the condition is a common one."""
    if plain(sees) == "false":
        return "hidden from all players"
    viewer = re.fullmatch(r"viewer is ([a-z_]+)", plain(sees))
    if viewer is None:
        return f"seen by a viewer if {line(sees)}"
    who = {"me": "the player who makes it", "self": "that player"}.get(
        viewer[1], f"the {pretty(viewer[1]).lower()}"
    )
    return f"seen only by {who}"
