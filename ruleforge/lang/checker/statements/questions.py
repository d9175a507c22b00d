"""What somebody is asked for, one after the other -> binders, in whose scope the effect happens."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ErrorT, NumberT, SetT, ThingT
from ruleforge.lang.parser import nodes as n

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope


def choices(
    checker: Expressions, nodes: tuple[n.Binder | n.Several, ...], scope: Scope
) -> tuple[tuple[t.Binder | t.Several, ...], Scope]:
    """What is asked for, one after the other; only the last of it can be left out of a text."""
    found: list[t.Binder | t.Several] = []
    for node in nodes:
        binder, scope = _choice(checker, node, scope)
        found.append(binder)
    for node, later in pairwise(nodes):
        if usual_of(node) is not None and usual_of(later) is None:
            message = "this choice has a `usually` answer, but the next choice has none"
            help = "give `usually` to the last choices only"
            checker.symbols.error("RF506", message, node.span, help)
    return tuple(found), scope


def _choice(
    checker: Expressions, node: n.Binder | n.Several, scope: Scope
) -> tuple[t.Binder | t.Several, Scope]:
    """One thing, or a set of things taken one by one."""
    return _one(checker, node, scope) if isinstance(node, n.Binder) else _several(checker, node, scope)


def _one(checker: Expressions, node: n.Binder, scope: Scope) -> tuple[t.Binder, Scope]:
    binder, inner = checker.binder(node, scope)
    binder = replace(binder, question=node.question)
    if node.usual is None:
        return binder, inner
    wanted = binder.variable.type
    if isinstance(wanted, ThingT):  # where it is none, nothing is usual
        wanted = replace(wanted, optional=True)
    usual = checker.wanted(node.usual, scope, wanted, "`usually`")
    return replace(binder, usual=usual), inner


def _several(checker: Expressions, node: n.Several, scope: Scope) -> tuple[t.Binder | t.Several, Scope]:
    binder, _ = checker.binder(node.binder, scope)
    element = binder.variable.type
    if not isinstance(element, ThingT):
        if not isinstance(element, ErrorT):
            checker.symbols.error(
                "RF502", f"only things can be chosen several at a time, but this is {element}", node.span
            )
        return binder, scope.bind(binder.variable)
    chosen = checker.variable(node.binder.name, SetT(element.kind), node)
    inner = scope.bind(chosen)
    most = checker.wanted(node.number, scope, NumberT(0, 0), f"`{node.how}`") if node.number else None
    exact = most if node.how == "exactly" else None
    least = exact if exact is not None else t.Constant(node.span, NumberT(0, 0), 0)
    such = checker.condition(node.such, inner) if node.such else None
    size = exact.value if isinstance(exact, t.Constant) else None
    return t.Several(node.span, chosen, binder, least, most, such, size, node.question), inner


def usual_of(node: n.Binder | n.Several) -> n.Expr | None:
    return None if isinstance(node, n.Several) else node.usual
