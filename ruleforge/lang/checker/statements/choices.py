"""`chooses`, `picks`, secret choices, `offer` -> who is asked, for what, and what happens then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.expressions.arguments import values_given
from ruleforge.lang.checker.names import first_word
from ruleforge.lang.checker.statements.questions import choices, usual_of
from ruleforge.lang.checker.types import ThingT
from ruleforge.lang.parser import nodes as n

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope
    from ruleforge.lang.checker.statements.checker import Statements
    from ruleforge.lang.checker.statements.frame import Frame
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
    for asked in node.binders:
        if (usual := usual_of(asked)) is not None:
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
