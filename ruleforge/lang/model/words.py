"""Ruleset -> words for people: what the author says about each name that players meet at the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleforge.lang.model.ruleset import Kind, Named, Phase, Ruleset, Thing
from ruleforge.support.records import dataclass

PHASE = "phase"


@dataclass(frozen=True, slots=True)
class Entry:
    """What is said about one definition.

    `what` is the sort of definition (`action`, `phase`), of a thing its kind, of an attribute the kind it belongs to.
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
    """Name -> all that is said about something of that name; `paths` say how each fact of a kind is asked for."""
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
