"""Find events that certainly happen, because their choice is offered only where they can.

They reveal nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import conjuncts, nodes

Key = tuple[object, ...]


def implied(rules: t.Checked) -> frozenset[t.Perform]:
    """The statements that do what `can` has asked about among the conditions of the choice they follow."""
    found: list[t.Perform] = []
    for action in rules.actions.values():
        found += _done(_tested((*action.needs, *_where(action.binders))), action.body)
    for node in nodes(rules):
        if isinstance(node, t.Choose):
            found += _done(_tested(_where(node.binders)), node.body)
    return frozenset(found)


def _where(binders: Iterable[t.Binder | t.Several]) -> list[t.Expr]:
    plain = [b.binder if isinstance(b, t.Several) else b for b in binders]
    return [binder.where for binder in plain if binder.where is not None]


def _tested(conditions: Iterable[t.Expr]) -> set[Key]:
    parts = (part for condition in conditions for part in conjuncts(condition))
    return {(part.event, *map(_words, part.arguments)) for part in parts if isinstance(part, t.Can)}


def _done(tested: set[Key], block: t.Block | None) -> Iterator[t.Perform]:
    """The statements up to a change of hidden information on which an event may depend."""
    for node in block.statements if tested and block is not None else ():
        match node:
            case t.Perform(event=event, arguments=arguments) if (event, *map(_words, arguments)) in tested:
                yield node
                return
            case t.Store(column=column) if not column.hidden:
                continue
            case t.If(branches=branches, otherwise=otherwise):
                for inner in (*(body for _, body in branches), otherwise):
                    yield from _done(tested, inner)
                return
            case t.Assign() | t.Pay():
                continue
            case _:
                return


def _words(value: t.Expr) -> object:
    """The same for the same local or thing; anything else is like nothing else."""
    match value:
        case t.Use(variable=variable):
            return variable
        case t.Constant(value=constant, type=type):
            return type, constant
    return object()
