"""Ruleset -> titles: what people call each thing and each definition, where the author says so."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from ruleforge.lang.model.ruleset import Kind, Named, Rule, Ruleset, Thing

Titles = dict[str, str]
SHORT_TEXT = 100  # signs


def titles_of(ruleset: Ruleset) -> Titles:
    """`piece.rook_1`, `player.lp` (an attribute), `hand` (a place, formula, action, event, keyword or rule) -> title.

    Copies of one thing are all called like it, with their numbers only if the layout says so.
    """
    sections: tuple[tuple[Named, ...], ...] = (
        ruleset.places,
        ruleset.formulas,
        ruleset.events,
        ruleset.actions,
        ruleset.keywords,
        ruleset.rules,
        ruleset.endings,
        *(kind.actions for kind in ruleset.kinds),
    )
    found = {d.id: d.title for section in sections for d in section if d.title is not None}
    found |= _of_rules(ruleset)
    layout = ruleset.layout.kinds if ruleset.layout is not None else ()
    numbered = {hints.kind.text for hints in layout if hints.numbered}
    for kind in ruleset.kinds:
        found |= _of_kind(kind, kind.id in numbered)
    return found


def _of_rules(ruleset: Ruleset) -> Titles:
    """`rule tide`, `rule lake.tide` -> what is said when it acts: its title, else its text if that is a short one."""
    bearers: Iterator[tuple[str, tuple[Rule, ...]]] = chain(
        (("", ruleset.rules),),
        ((f"{keyword.id}.", keyword.rules) for keyword in ruleset.keywords),
        ((f"{thing.id}.", thing.rules) for kind in ruleset.kinds for thing in kind.things),
    )
    return {
        f"rule {bearer}{rule.id}": said
        for bearer, rules in bearers
        for rule in rules
        if (said := rule.title or " ".join((rule.text or "").split())) and len(said) <= SHORT_TEXT
    }


def _of_kind(kind: Kind, numbered: bool) -> Titles:
    columns = {f"{kind.id}.{c.id}": c.title for c in (*kind.facts, *kind.has) if c.title is not None}
    things = {f"{kind.id}.{name}": title for thing in kind.things for name, title in _names(thing, numbered)}
    own = {f"kind {kind.id}": kind.title} if kind.title is not None else {}
    own |= {f"kinds {kind.id}": kind.plural} if kind.plural != f"{kind.id}s" else {}
    return {**columns, **things, **own}


def _names(thing: Thing, numbered: bool) -> Iterator[tuple[str, str]]:
    if thing.copies > 1:
        title = thing.title or pretty(thing.id)
        numbers = range(1, thing.copies + 1)
        yield from ((f"{thing.id}_{n}", f"{title} {n}" if numbered else title) for n in numbers)
    elif thing.title is not None:
        yield thing.id, thing.title


def pretty(id: str) -> str:
    """A name of a program as people would write it; short ones as `a`, `a1` or `p2` stay as they are."""
    if len(id) == 1 or (len(id) <= 3 and any(sign.isdigit() for sign in id)):
        return id
    return " ".join(word[:1].upper() + word[1:] for word in id.split("_") if word)
