"""Marks of a choice: the actions, things and keywords that it uses."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from ruleforge.engine.choice import Choice
from ruleforge.engine.variant import Variant


class Mark(NamedTuple):
    """A counted element: an action, a keyword, or a thing of a kind; copies count as one."""

    what: str  # action, keyword, thing
    kind: str  # of a thing; else empty
    name: str


class Marks:
    """The marks of one game; a choice is looked at once, however often it is offered."""

    def __init__(self, variant: Variant) -> None:
        self._things_of = variant.things_of
        self._components = variant.compiled.components
        self._program = variant.program
        self._players = self._program.kinds[0].name
        self._known: dict[Choice, tuple[Mark, ...]] = {}

    def of(self, choice: Choice) -> tuple[Mark, ...]:
        known = self._known.get(choice)
        if known is None:
            known = self._known[choice] = tuple(dict.fromkeys(self._marks(choice)))
        return known

    def of_all(self, choices: Iterable[Choice]) -> set[Mark]:
        return set().union(*map(self.of, choices))

    def packs(self, choice: Choice) -> frozenset[str]:
        """The packs that the action and the things of a choice come from; empty for the game itself."""
        found = {self._components.things[thing].pack for thing in self._things_of(choice)}
        if choice.action is not None:
            found.add(self._components.actions[choice.action].pack)
        return frozenset(found - {""})

    def _marks(self, choice: Choice) -> Iterable[Mark]:
        if choice.action is not None:
            yield Mark("action", "", choice.action)
            yield from _keywords(self._components.actions[choice.action].keywords)
        for kind, name in self._things_of(choice):
            if kind != self._players:
                thing = self._components.things[kind, name]
                yield Mark("thing", kind, thing.name)
                yield from _keywords(thing.keywords)

    @cached_property
    def everything(self) -> frozenset[Mark]:
        """All that could ever be offered: actions, things of the kinds that players choose among, their keywords."""
        sites = (site for site in self._program.sites[1:] if not site.chance)
        options = [option for site in sites for option in site.options]
        kinds = {part.kind for option in options for part in option.parts if part.kind}
        found = {Mark("action", "", action.name) for action in self._program.actions}
        for action in self._program.actions:
            found.update(_keywords(self._components.actions[action.name].keywords))
        for number in kinds:
            kind = self._program.kinds[number]
            for name in kind.things[1:]:
                thing = self._components.things[kind.name, name]
                found.update((Mark("thing", kind.name, thing.name), *_keywords(thing.keywords)))
        return frozenset(found)


def _keywords(names: Iterable[str]) -> Iterable[Mark]:
    return (Mark("keyword", "", name) for name in names)
