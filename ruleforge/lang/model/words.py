"""The texts and titles that the author gives to names that players meet at the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from ruleforge.lang.model.ruleset import Kind, Named, Phase, Rule, Ruleset, Thing
from ruleforge.support.records import dataclass

PHASE = "phase"
Titles = dict[str, str]
SHORT_TEXT = 100  # signs


@dataclass(frozen=True, slots=True)
class Entry:
    """The texts of one definition.

    `what` is the sort of definition (`action`, `phase`), of a thing its kind, of an attribute its owner.
    """

    what: str
    name: str
    title: str
    text: str
    facts: tuple[str, ...] = ()  # the names of what is printed on a thing
    keywords: tuple[str, ...] = ()  # their names, without what is said with them
    cites: tuple[str, ...] = ()


Words = dict[str, tuple[Entry, ...]]
Paths = Mapping[tuple[str, str], tuple[str, ...]]


def words_of(ruleset: Ruleset, paths: Paths) -> Words:
    """Map each name to its entries; `paths` give the path of each fact of a kind."""
    found: dict[str, list[Entry]] = {}
    for what, names, definition in _definitions(ruleset):
        entry = _entry(what, definition, paths)
        if entry.text or entry.facts or entry.keywords or entry.cites:
            for name in dict.fromkeys(names):
                found.setdefault(name, []).append(entry)
    return {name: tuple(sorted(entries, key=lambda e: not e.text)) for name, entries in found.items()}


def _entry(what: str, definition: Named, paths: Paths) -> Entry:
    text = " ".join((definition.text or "").split())
    title = definition.title or ""
    if not isinstance(definition, Thing):
        return Entry(what, definition.id, title, text, cites=definition.cites)
    facts = tuple(path for name, _ in definition.facts for path in paths.get((what, name), ()))
    keywords = tuple(word for k in definition.keywords if (word := k.text.partition("(")[0].strip()))
    return Entry(what, definition.id, title, text, facts, keywords, definition.cites)


def _definitions(ruleset: Ruleset) -> Iterator[tuple[str, tuple[str, ...], Named]]:
    for kind in ruleset.kinds:
        yield from _of_kind(kind)
    sections: tuple[tuple[str, tuple[Named, ...]], ...] = (
        ("action", ruleset.actions),
        ("keyword", ruleset.keywords),
        ("place", ruleset.places),
        ("value", tuple(f for f in ruleset.formulas if f.sees is not None)),
        ("option", ruleset.options),
        ("ending", ruleset.endings),
        ("profile", ruleset.profiles),
        ("window", ruleset.windows),
        (PHASE, tuple(_phases(ruleset.flow))),
    )
    for section, definitions in sections:
        for definition in definitions:
            yield section, (definition.id,), definition


def _phases(flow: tuple[Phase, ...]) -> Iterator[Phase]:
    for phase in flow:
        yield phase
        yield from _phases(phase.steps)


def _of_kind(kind: Kind) -> Iterator[tuple[str, tuple[str, ...], Named]]:
    yield "kind", (kind.id, kind.plural), kind
    for column in (*kind.facts, *kind.has):
        yield f"of {kind.id}", (column.id,), column
    for thing in kind.things:
        copies = [f"{thing.id}_{n}" for n in range(1, thing.copies + 1)] if thing.copies > 1 else []
        yield kind.id, (thing.id, *copies), thing
    for action in (*kind.actions, *(a for thing in kind.things for a in thing.actions)):
        yield "action", (action.id,), action


# Titles of each thing and each definition that has one.


def titles_of(ruleset: Ruleset) -> Titles:
    """Map `piece.rook_1`, `player.lp` (an attribute) or `hand` (a place, formula, action, event, keyword or
    rule) to its title.

    Copies of one thing share its title, with their numbers only if the layout says so.
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
        found |= _titles_of_kind(kind, kind.id in numbered)
    return found


def _of_rules(ruleset: Ruleset) -> Titles:
    """Map `rule tide`, `rule lake.tide` to the words for its action: its title, else its text if that is short."""
    bearers: Iterator[tuple[str, tuple[Rule, ...]]] = chain(
        (("", ruleset.rules),),
        ((f"{keyword.id}.", keyword.rules) for keyword in ruleset.keywords),
        ((f"{thing.id}.", thing.rules) for kind in ruleset.kinds for thing in kind.things),
    )
    return {
        f"rule {bearer}{rule.id}": title
        for bearer, rules in bearers
        for rule in rules
        if (title := rule.title or " ".join((rule.text or "").split())) and len(title) <= SHORT_TEXT
    }


def _titles_of_kind(kind: Kind, numbered: bool) -> Titles:
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
