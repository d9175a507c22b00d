"""Chapters about actions: occasion, choices, conditions and cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleforge.lang.model import ruleset as m
from ruleforge.lang.model.words import pretty
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.tools.rulebook.book import Block, Effect, Item, Items, Section
from ruleforge.tools.rulebook.headings import Packs, called, cited, description, line, plain, seen_by, titled


def all_actions(rules: m.Ruleset) -> Iterator[m.Action]:
    """All actions, also those of kinds, things and keywords."""
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
    points = tuple(points_of(action, occasions(rules)))
    blocks = (*description(action), *([Items(points)] if points else []), *_effect(action.do), *cited(action))
    name = called(action, packs)
    return Section(f"{of}: {name}" if of else name, blocks)


def occasion(phase: m.Phase | m.Window) -> str:
    return pretty(phase.title or phase.id)


def occasions(rules: m.Ruleset) -> dict[str, str]:
    """Names of phases and windows in the rulebook, by id."""
    found: list[m.Phase | m.Window] = [*rules.windows, *rules.flow]
    for one in found:  # grows by what is below
        found += one.steps if isinstance(one, m.Phase) else ()
    return {one.id: occasion(one) for one in found}


def points_of(action: m.Action, when: Mapping[str, str]) -> Iterator[Item]:
    """Occasion, choices, conditions and cost of an action; `when` are the names of occasions."""
    if action.during:
        yield Item("when", ", ".join(when.get(name, pretty(name)) for name in occasions_of(action)))
    for name, text in action.choose:
        yield Item(f"choose {pretty(name)}", code=line(text))
    for text in action.needs:
        yield Item("only if", code=line(text))
    if action.works:
        yield Item("works while", code=line(action.works))
    if action.limit:
        yield Item("at most", plain(action.limit))
    if action.cost:
        yield Item("costs", code=line(action.cost))
    if action.sees:
        yield Item("the choice is", seen_by(action.sees), code=line(action.sees))
    for text in action.holds:
        yield Item("must be true afterwards", code=line(text))


def _effect(text: SourceText | None) -> Iterator[Block]:
    if text is not None:
        yield Effect(text.text.rstrip())
