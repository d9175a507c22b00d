"""Checked rules -> everything in them that acts: set-up, phases, actions, events, rules, each with its effects."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.everything import phases
from ruleforge.lang.checker.walk import all_nodes
from ruleforge.support.records import dataclass
from ruleforge.tools.graph.diagram import Box

_LONGEST = 40


@dataclass(frozen=True, eq=False)
class Doer:
    """A definition with effects, as a box."""

    box: Box
    blocks: tuple[t.Block, ...]

    def nodes(self) -> Iterator[object]:
        for block in self.blocks:
            yield from all_nodes(block)


def doers(rules: t.Checked) -> Iterator[Doer]:
    if rules.setup:
        yield Doer(Box("setup", "set-up", "phase"), (rules.setup,))
    for phase in phases(rules):
        yield _doer("phase", phase.name, phase.title, phase.body, phase.stuck, phase.end)
    for action in rules.actions.values():
        yield _doer("action", action.name, action.title, action.cost, action.body)
    for event in rules.events.values():
        yield _doer("event", event.name, "", event.body)
    for rule in rules.rules:
        yield _doer("rule", rule.name, "", rule.cost, rule.body)


def box_of(sort: str, name: str, title: str = "") -> Box:
    """A title that is a whole sentence says less in a box than the name; one that is the name says nothing."""
    words = name.replace("_", " ").replace(".", ": ")
    telling = title != name and 0 < len(title) <= _LONGEST
    return Box(f"{sort} {name}", title if telling else words, sort)


def _doer(sort: str, name: str, title: str, *blocks: t.Block | None) -> Doer:
    return Doer(box_of(sort, name, title), tuple(block for block in blocks if block))
