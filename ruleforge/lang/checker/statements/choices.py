"""Type checks `chooses`, `picks`, secret choices and `offer`."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.expressions.arguments import values_given
from ruleforge.lang.checker.names import first_word
from ruleforge.lang.checker.types import ErrorT, NumberT, SetT, ThingT
from ruleforge.lang.parser import nodes as n

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope
    from ruleforge.lang.checker.statements.blocks import Frame
    from ruleforge.lang.checker.statements.checker import Statements
    from ruleforge.lang.checker.symbols import Symbols


def choose(checker: Statements, node: n.Choose, scope: Scope, frame: Frame) -> t.Statement:
    who = _chooser(checker.expressions, node.who, scope)
    binders, inner = choices(checker.expressions, node.binders, scope)
    body = checker.block(node.body, inner, frame)
    otherwise = checker.block(node.otherwise, scope, frame) if node.otherwise else None
    return t.Choose(node.span, who, node.optional, binders, body, otherwise, node.openly)


def picks(checker: Statements, node: n.Picks, scope: Scope, frame: Frame) -> t.Statement:
    who = _chooser(checker.expressions, node.who, scope)
    options = []
    for option in node.options:
        condition = checker.expressions.condition(option.condition, scope) if option.condition else None
        inner = checker.expressions.when_true(option.condition, scope) if option.condition else scope
        options.append((option.name, condition, checker.block(option.body, inner, frame)))
    return t.Pick(node.span, who, tuple(options), node.openly, node.question)


def sealed(checker: Statements, node: n.Sealed, scope: Scope, frame: Frame) -> t.Statement | None:
    each, inner = checker.expressions.binder(node.each, scope)
    if each.variable.type != ThingT("player"):
        checker.symbols.error(
            "RF502", f"only players choose, but this is {each.variable.type}", node.each.span
        )
        return None
    _nothing_usual(checker.symbols, node)
    binders, inner = choices(checker.expressions, node.binders, inner)
    if _numbers_would_show(checker.symbols, binders):
        return None
    return t.Sealed(node.span, each, binders, checker.block(node.body, inner, frame))


def _nothing_usual(symbols: Symbols, node: n.Sealed) -> None:
    for binder in node.binders:
        if (usual := usual_of(binder)) is not None:
            message, help = (
                "a secret choice cannot have a `usually` answer",
                "delete it: every player must answer",
            )
            symbols.error("RF506", message, usual.span, help)


def _numbers_would_show(symbols: Symbols, binders: tuple[t.Binder | t.Several, ...]) -> bool:
    for binder in binders:
        if isinstance(binder, t.Several) and binder.size is None:
            message = "other players would see how many are chosen secretly"
            symbols.error("RF506", message, binder.span, "write `exactly` and a number")
            return True
    return False


def offer(checker: Expressions, node: n.Offer, scope: Scope) -> t.Statement | None:
    window = checker.symbols.windows.get(node.window.name)
    if window is None:
        checker.symbols.unknown("window", node.window.name, node.window.span, list(checker.symbols.windows))
        return None
    checker.symbols.uses.name("window", window.name, first_word(node.window.span, window.name))
    arguments = values_given(checker, node.window, window.parameters, scope)
    return t.Offer(node.span, window, arguments, _chooser(checker, node.to, scope))


def _chooser(checker: Expressions, node: n.Expr, scope: Scope) -> t.Expr:
    return checker.wanted(node, scope, ThingT("player"), "a chooser")


# Choices, one after the other, as binders; the effect is checked in their scope.


def choices(
    checker: Expressions, nodes: tuple[n.Binder | n.Several, ...], scope: Scope
) -> tuple[tuple[t.Binder | t.Several, ...], Scope]:
    """Check choices in their order; only the last ones may be left out of a text."""
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
