"""List the definitions with effects: set-up, phases, actions, events and rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import all_nodes, phases


@dataclass(frozen=True, eq=False)
class Definition:
    """A definition with effects; `sort` is one of setup, phase, action, event and rule."""

    sort: str
    name: str
    title: str
    blocks: tuple[t.Block, ...]

    def nodes(self) -> Iterator[object]:
        for block in self.blocks:
            yield from all_nodes(block)


def definitions(rules: t.Checked) -> Iterator[Definition]:
    """The definitions of the core and of packs in the order of declaration, including those without effects."""
    if rules.setup:
        yield Definition("setup", "setup", "", (rules.setup,))
    for phase in phases(rules):
        yield _definition("phase", phase.name, phase.title, phase.body, phase.stuck, phase.end)
    for action in rules.actions.values():
        yield _definition("action", action.name, action.title, action.cost, action.body)
    for event in rules.events.values():
        yield _definition("event", event.name, "", event.body)
    for rule in rules.rules:
        yield _definition("rule", rule.name, "", rule.cost, rule.body)


def blocks_of(rules: t.Checked) -> Iterator[t.Block]:
    """The effects of all definitions."""
    for definition in definitions(rules):
        yield from definition.blocks


def _definition(sort: str, name: str, title: str, *blocks: t.Block | None) -> Definition:
    return Definition(sort, name, title, tuple(block for block in blocks if block is not None))
