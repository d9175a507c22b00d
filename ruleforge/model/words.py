"""Ruleset -> words for people: what the author says about each name that players meet at the table."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.model.ruleset import Kind, Named, Ruleset, Thing

Words = dict[str, tuple[str, ...]]


def words_of(ruleset: Ruleset) -> Words:
    """Name -> sentences, each headed by what it is about (`core land`, `player strikes`, `action discard`).

    A thing without a text is known by what is printed on it, unless something else of its name has a text.
    """
    found: dict[str, list[str]] = {}
    printed: dict[str, list[str]] = {}
    for head, names, definition in _definitions(ruleset):
        said = _said(definition)
        if said:
            for name in dict.fromkeys(names):
                (found if definition.text else printed).setdefault(name, []).append(f"{head}: {said}")
    return {name: tuple(sentences) for name, sentences in {**printed, **found}.items()}


def _said(definition: Named) -> str:
    """The author's text; of a thing also what is printed on it."""
    parts = [" ".join(definition.text.split())] if definition.text else []
    if isinstance(definition, Thing):
        printed = [f"{name} {' '.join(text.text.split())}" for name, text in definition.facts]
        printed += [" ".join(keyword.text.split()) for keyword in definition.keywords]
        parts += [f"({', '.join(printed)})"] if printed else []
    return " ".join(parts)


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
    )
    for section, definitions in sections:
        for definition in definitions:
            yield f"{section} {definition.id}", (definition.id,), definition


def _of_kind(kind: Kind) -> Iterator[tuple[str, tuple[str, ...], Named]]:
    yield kind.id, (kind.id, kind.plural), kind
    for column in (*kind.facts, *kind.has):
        yield f"{kind.id} {column.id}", (column.id,), column
    for thing in kind.things:
        copies = [f"{thing.id}_{n}" for n in range(1, thing.copies + 1)] if thing.copies > 1 else []
        yield f"{kind.id} {thing.id}", (thing.id, *copies), thing
    for action in (*kind.actions, *(a for thing in kind.things for a in thing.actions)):
        yield f"action {action.id}", (action.id,), action
