"""Analyse blocks: their certain effects, their parts, the places that they empty, how often they proceed."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.analysis.effects.summary import Key
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import phases_of

# --- events ---


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
            case t.If() | t.Pick():
                found |= set.intersection(*map(due, ways_through(node)))
    return found


def regular(rules: t.Checked) -> frozenset[Key]:
    """The events that happen in every iteration of a phase, in any play."""
    blocks = [block for phase in phases_of(rules.flow) for block in (phase.body, phase.end)]
    return frozenset(("event", name) for block in blocks for name in certain(block))


def ways_through(node: t.Statement) -> tuple[t.Block | None, ...]:
    """The blocks of which one is done; None is a way on which nothing is done."""
    match node:
        case t.If(branches=branches, otherwise=otherwise):
            return *(body for _, body in branches), otherwise
        case t.Choose(body=body, otherwise=otherwise):
            return body, otherwise
        case t.Pick(options=options):
            return tuple(body for _, _, body in options)
        case t.Together(body=body) | t.Sealed(body=body) | t.For(body=body) | t.Repeat(body=body):
            return (body,)
    return ()


# --- replacements ---


def most_proceeds(block: t.Block | None) -> int:
    """An upper bound on how often a replacement proceeds. Two stands for any number."""
    most = 0
    for node in block.statements if block else ():
        inside = max(map(most_proceeds, ways_through(node)), default=0)
        most += 2 * inside if isinstance(node, t.For | t.Repeat) else inside
        most += isinstance(node, t.Proceed)
    return most


# --- places ---


def drained(block: t.Block | None) -> frozenset[str]:
    """The places that it empties, if that is all it does: each iteration of a circle takes something out."""
    found: set[str] = set()
    for node in block.statements if block is not None else ():
        place = _source(node.binder) if isinstance(node, t.For) else None
        if not isinstance(node, t.For) or place is None:
            return frozenset()
        if not all(_takes_out(inner, node.binder.variable, place) for inner in node.body.statements):
            return frozenset()
        found.add(place)
    return frozenset(found)


def _source(binder: t.Binder) -> str | None:
    source = binder.source
    return source.place.name if isinstance(source, t.Content | t.Family) else None


def _takes_out(node: t.Statement, variable: t.Variable, place: str) -> bool:
    match node:
        case t.Move(thing=t.Use(variable=moved), place=goal):
            return moved is variable and goal.name != place
        case t.If(otherwise=otherwise) if otherwise is not None:
            blocks = (block for block in ways_through(node) if block is not None)
            return all(any(_takes_out(n, variable, place) for n in b.statements) for b in blocks)
        case t.Together(body=body):
            return any(_takes_out(n, variable, place) for n in body.statements)
        case t.Perform(event=event, arguments=arguments) if event.body is not None:
            pairs = zip(event.parameters, arguments, strict=False)
            own = [p for p, a in pairs if isinstance(a, t.Use) and a.variable is variable]
            return any(_takes_out(n, p, place) for p in own for n in event.body.statements)
    return False
