"""An effect -> the places that it empties and does nothing else: each lap of a circle through it takes something out."""

from __future__ import annotations

from ruleforge.lang.checker import typed as t


def drained(block: t.Block | None) -> frozenset[str]:
    """The places whose things it moves away, if that is all it does."""
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
        case t.If(branches=branches, otherwise=otherwise) if otherwise is not None:
            blocks = (*(body for _, body in branches), otherwise)
            return all(any(_takes_out(n, variable, place) for n in b.statements) for b in blocks)
        case t.Together(body=body):
            return any(_takes_out(n, variable, place) for n in body.statements)
        case t.Perform(event=event, arguments=arguments) if event.body is not None:
            pairs = zip(event.parameters, arguments, strict=False)
            own = [p for p, a in pairs if isinstance(a, t.Use) and a.variable is variable]
            return any(_takes_out(n, p, place) for p in own for n in event.body.statements)
    return False
