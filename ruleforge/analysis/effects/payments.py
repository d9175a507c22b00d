"""Costs with several ways to pay: whether the way matters, and where payment does not look ahead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleforge.analysis.effects.calls import performed_nodes, used_nodes
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import NumberT
from ruleforge.lang.checker.walk import all_nodes

Touched = frozenset[t.Column | t.Kind]  # attributes, and kinds whose things are moved
CHOICES = (t.Choose, t.Pick, t.Pay)


def matters(part: t.Statement, owed: Sequence[t.Statement]) -> bool:
    """Whether a way to pay a part can be the wrong one: for the part itself, or for what is owed behind it."""
    if not isinstance(part, CHOICES) or (isinstance(part, t.Pay) and len(part.pools) < 2):
        return False
    if any(_can_fail(statement) for block in _inside(part) for statement in block.statements):
        return True
    changed = touched(part, reads=False)
    return any(_can_fail(statement) and changed & touched(statement) for statement in owed)


def has_ways(cost: t.Block, owed: Sequence[t.Statement] = ()) -> bool:
    """Whether that is so anywhere in a cost, as far as one can look ahead."""
    for number, part in enumerate(cost.statements):
        behind = (*cost.statements[number + 1 :], *owed)
        if matters(part, behind) or any(has_ways(block, behind) for block in _inside(part)):
            return True
    return False


def unforeseen_ways(
    cost: t.Block, owed: Sequence[t.Statement] = ()
) -> Iterator[tuple[t.Statement, t.Statement]]:
    """The parts that are paid without look-ahead, each with a later part that depends on it.

    These are choices in loops, events and sets. Payment takes the first way for all of them.
    """
    for number, part in enumerate(cost.statements):
        behind = (*cost.statements[number + 1 :], *owed)
        if _looks_ahead(part):
            for block in _inside(part):
                yield from unforeseen_ways(block, behind)
        elif _asks(part):
            changed = touched(part, reads=False)
            later = next((s for s in behind if _can_fail(s) and changed & touched(s)), None)
            if later is not None:
                yield part, later


def first_choice(cost: t.Block) -> t.Statement | None:
    """The first part of a cost in which a player chooses how to pay."""
    return next((part for part in cost.statements if _asks(part)), None)


def touched(part: t.Statement, reads: bool = True) -> Touched:
    """The attributes and kinds that a part changes, through events and formulas.

    With `reads`, also those that it reads.
    """
    found: set[t.Column | t.Kind] = set()
    for node in used_nodes(part) if reads else performed_nodes(part):
        match node:
            case t.Store(column=column):
                found.add(column)
            case t.Pay(pools=pools):
                found.update(pool.column for pool in pools)
            case t.Move(place=place):
                found.add(place.holds)
            case t.Read(column=column) if reads and not column.constant:
                found.add(column)
            case t.Content(place=place) | t.Family(place=place) if reads:
                found.add(place.holds)
    return frozenset(found)


def _inside(part: t.Statement) -> tuple[t.Block, ...]:
    """The blocks of a part from which one looks ahead to what is behind it."""
    match part:
        case t.Choose(body=body, otherwise=otherwise):
            return (body, *((otherwise,) if otherwise is not None else ()))
        case t.Pick(options=options):
            return tuple(block for _, _, block in options)
        case t.If(branches=branches, otherwise=otherwise):
            return (*(block for _, block in branches), *((otherwise,) if otherwise is not None else ()))
    return ()


def _looks_ahead(part: t.Statement) -> bool:
    if isinstance(part, t.Choose):
        return all(isinstance(binder, t.Binder) for binder in part.binders)
    return isinstance(part, t.Pick | t.Pay | t.If)


def _asks(part: t.Statement) -> bool:
    """Whether a player makes a choice in it, at any depth."""
    return any(
        isinstance(node, t.Choose | t.Pick) or (isinstance(node, t.Pay) and len(node.pools) > 1)
        for node in performed_nodes(part)
    )


def _can_fail(part: t.Statement) -> bool:
    """Whether there can be positions in which it cannot be paid."""
    for node in all_nodes(part):
        match node:
            case t.Store(column=column):
                if isinstance(column.type, NumberT) and not column.capped:
                    return True
            case t.Pay() | t.Perform() | t.Choose() | t.Pick():
                return True
    return False
