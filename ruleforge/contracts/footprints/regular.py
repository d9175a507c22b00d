"""Blocks -> the events that happen in any case when they run; phases -> those that every round brings."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.check import typed as t
from ruleforge.check.walk import phases_of
from ruleforge.contracts.footprints.facts import Key


def certain(block: t.Block | None) -> Iterator[str]:
    """The events that happen whenever a block runs, one inside the other."""
    for node in block.statements if block is not None else ():
        if isinstance(node, t.Perform):
            yield node.event.name
            yield from certain(node.event.body)
        elif isinstance(node, t.Together):
            yield from certain(node.body)


def regular(rules: t.Checked) -> frozenset[Key]:
    """What rules can wait for that comes again with every round of a phase, whatever is played."""
    blocks = [block for phase in phases_of(rules.flow) for block in (phase.body, phase.end)]
    return frozenset(("event", name) for block in blocks for name in certain(block))
