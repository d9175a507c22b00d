"""Rules -> what may be done: every action with its occasion, what is chosen, and its price."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleforge.lang.model import ruleset as m
from ruleforge.lang.model.words import pretty
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.tools.rulebook.book import Block, Item, Items, Plain, Section
from ruleforge.tools.rulebook.headings import Packs, called, cited, description, line, seen_by, titled


def all_actions(rules: m.Ruleset) -> Iterator[m.Action]:
    """Also those that things have by their kind, by themselves or by a keyword."""
    yield from rules.actions
    for kind in rules.kinds:
        yield from kind.actions
        for thing in kind.things:
            yield from thing.actions
    for keyword in rules.keywords:
        yield from keyword.actions


def occasions_of(action: m.Action) -> tuple[str, ...]:
    return tuple(text.text.partition("(")[0].strip() for text in action.during)


def actions(rules: m.Ruleset, packs: Packs) -> Section:
    own = [_action(rules, action, packs) for action in rules.actions]
    carried = [_action(rules, action, packs, titled(kind)) for kind in rules.kinds for action in kind.actions]
    return Section("Actions", (), (*own, *carried))


def _action(rules: m.Ruleset, action: m.Action, packs: Packs, of: str = "") -> Section:
    points = tuple(Item(name, text) for name, text in points_of(action, occasions(rules)))
    blocks = (*description(action), *([Items(points)] if points else []), *_effect(action.do), *cited(action))
    name = called(action, packs)
    return Section(f"{of}: {name}" if of else name, blocks)


def occasion(phase: m.Phase | m.Window) -> str:
    return pretty(phase.title or phase.id)


def occasions(rules: m.Ruleset) -> dict[str, str]:
    """What phases and windows are called where one reads of them, by their ids."""
    found: list[m.Phase | m.Window] = [*rules.windows, *rules.flow]
    for one in found:  # grows by what is below
        found += one.steps if isinstance(one, m.Phase) else ()
    return {one.id: occasion(one) for one in found}


def points_of(action: m.Action, when: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """When an action may be chosen, with what, and at which price; `when` are the occasions."""
    if action.during:
        yield "when", ", ".join(when.get(name, pretty(name)) for name in occasions_of(action))
    for name, text in action.choose:
        yield f"choose {pretty(name)}", line(text)
    for text in action.needs:
        yield "only if", line(text)
    if action.works:
        yield "works while", line(action.works)
    if action.limit:
        yield "at most", line(action.limit)
    if action.cost:
        yield "costs", line(action.cost)
    if action.sees:
        yield "the choice is", seen_by(action.sees)
    for text in action.holds:
        yield "must be true afterwards", line(text)


def _effect(text: SourceText | None) -> Iterator[Block]:
    if text is not None:
        yield Plain(text.text.rstrip())
