"""Facts about a block before it is typed: termination, reassigned locals."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import NOTHING, Type
from ruleforge.lang.parser import nodes as n
from ruleforge.support.records import dataclass


@dataclass
class Frame:
    """The context of a text: its `return`, its result type, and its reassigned locals."""

    returns: bool = False
    result: Type = NOTHING
    proceeds: tuple[t.Variable, ...] | None = None  # what a replaced event was called with
    reassigned: frozenset[str] = frozenset()


def ends(block: n.Block) -> bool:
    """Does control never leave this block at its end?"""
    if not block.statements:
        return False
    match block.statements[-1]:
        case n.Return() | n.Finish():
            return True
        case n.If(branches=branches, otherwise=otherwise):
            return otherwise is not None and ends(otherwise) and all(ends(b) for _, b in branches)
    return False


def reassigned(node: n.Block) -> set[str]:
    """Names of locals that are written again after their `let`."""
    found: set[str] = set()
    for statement in node.statements:
        match statement:
            case n.Assign(target=n.Name(id=name)):
                found.add(name)
        for inner in _blocks(statement):
            found |= reassigned(inner)
    return found


def _blocks(statement: n.Statement) -> Iterator[n.Block]:
    """The blocks directly inside a statement."""
    match statement:
        case n.If(branches=branches, otherwise=otherwise):
            yield from (body for _, body in branches)
            yield from (otherwise,) if otherwise else ()
        case n.Choose(body=body, otherwise=otherwise):
            yield body
            yield from (otherwise,) if otherwise else ()
        case n.Picks(options=options):
            yield from (option.body for option in options)
        case n.For(body=body) | n.Repeat(body=body) | n.Sealed(body=body) | n.Together(body=body):
            yield body
