"""Blocks -> the events that happen in any case when they run; phases -> those that every round brings."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.analysis.effects.facts import Key
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import phases_of


def certain(block: t.Block | None) -> Iterator[str]:
    """The events that happen whenever a block runs, one inside the other."""
    for node in block.statements if block is not None else ():
        if isinstance(node, t.Perform):
            yield node.event.name
            yield from certain(node.event.body)
        elif isinstance(node, t.Together):
            yield from certain(node.body)


def due(block: t.Block | None) -> set[str]:
    """The events that belong to what a block does, one inside the other: not those of one way among several."""
    found: set[str] = set()
    for node in block.statements if block is not None else ():
        match node:
            case t.Perform(event=event):
                found |= {event.name, *due(event.body)}
            case t.Together(body=body) | t.For(body=body) | t.Repeat(body=body) | t.Choose(body=body):
                found |= due(body)
            case t.If(branches=branches, otherwise=otherwise):
                found |= set.intersection(due(otherwise), *(due(body) for _, body in branches))
            case t.Pick(options=options):
                found |= set.intersection(*(due(body) for _, _, body in options))
    return found


def regular(rules: t.Checked) -> frozenset[Key]:
    """What rules can wait for that comes again with every round of a phase, whatever is played."""
    blocks = [block for phase in phases_of(rules.flow) for block in (phase.body, phase.end)]
    return frozenset(("event", name) for block in blocks for name in certain(block))
