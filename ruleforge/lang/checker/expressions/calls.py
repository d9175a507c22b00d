"""Type checks calls: `name(values)`, `can(event(...))`, `would(event(...): value)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.builtins import BUILTINS, IN_CHECKS, check_builtin
from ruleforge.lang.checker.expressions.arguments import event_called, values_given
from ruleforge.lang.checker.names import first_word
from ruleforge.lang.checker.types import ERROR, FLAG, NumbersT, NumberT, SetT, ThingT, Type
from ruleforge.lang.parser import nodes as n
from ruleforge.support.spelling import nearest

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope


def call(checker: Expressions, node: n.Call, scope: Scope) -> t.Expr:
    symbols = checker.symbols
    if node.name in symbols.formula_heads:
        return _formula(checker, node, scope)
    if node.name == "keywords" and symbols.keywords:
        return _keywords(checker, node, scope)
    if node.name in symbols.event_heads:
        return symbols.error(
            "RF506", f"`{node.name}` is an event; an expression can only call formulas", node.span
        )
    if node.name in BUILTINS or node.name in symbols.geometry:
        symbols.uses.name("kind", node.name, first_word(node.span, node.name))
        return check_builtin(checker, node, scope)
    if node.name in scope.functions:
        return scope.functions[node.name](checker, node, scope)
    if node.name in IN_CHECKS:
        return symbols.error("RF506", f"`{node.name}` can be called in `checks` only", node.span)
    return _unknown(checker, node, scope)


def _formula(checker: Expressions, node: n.Call, scope: Scope) -> t.Expr:
    symbols = checker.symbols
    symbols.uses.name("formula", node.name, first_word(node.span, node.name))
    values = values_given(checker, node, symbols.formula_heads[node.name].parameters, scope)
    formula = symbols.formulas.get(node.name)  # none of a circle, which was reported
    if formula is None:
        return t.Constant(node.span, ERROR, 0)
    return t.CallFormula(node.span, formula.result, formula, values)


def _unknown(checker: Expressions, node: n.Call, scope: Scope) -> t.Expr:
    """Report an unknown call; a similar name with as many values is suggested first."""
    symbols = checker.symbols
    known = [*symbols.formula_heads, *BUILTINS, *symbols.geometry, *scope.functions]
    fitting = [name for name in known if _takes(checker, name) in (None, len(node.arguments))]
    wanted = fitting if nearest(node.name, symbols.comparable(fitting)) else known
    return symbols.unknown("formula", node.name, first_word(node.span, node.name), wanted)


def _takes(checker: Expressions, name: str) -> int | None:
    """How many values a formula takes; None if it is not one of the game's."""
    head = checker.symbols.formula_heads.get(name)
    return len(head.parameters) if head else None


def _keywords(checker: Expressions, node: n.Call, scope: Scope) -> t.Expr:
    if len(node.arguments) != 1:
        return checker.symbols.error("RF504", "`keywords` takes one thing", node.span)
    return t.KeywordsOf(node.span, SetT("keyword"), checker.thing(node.arguments[0], scope))


# `can(event(...))`, `would(event(...): value)`: an event in speculative execution, and the question about it.


def can(checker: Expressions, node: n.Can, scope: Scope) -> t.Expr:
    event, arguments = event_called(checker, node.call, scope)
    return t.Can(node.span, FLAG, event, arguments) if event else t.Constant(node.span, ERROR, 0)


def would(checker: Expressions, node: n.Would, scope: Scope, expect: Type | None) -> t.Expr:
    event, arguments = event_called(checker, node.call, scope)
    value = checker.check(node.value, scope.after_change(), expect)
    if isinstance(value.type, SetT | NumbersT):
        return checker.symbols.error("RF502", "`would` returns one value, not a set", node.value.span)
    if event is None:
        return t.Constant(node.span, ERROR, 0)
    return t.Would(node.span, _perhaps(value.type), event, arguments, value)


def _perhaps(value: Type) -> Type:
    """The type of a value that may not come about: a trial that the rules stop gives -1, or no thing."""
    match value:
        case NumberT(low=low, high=high):
            return NumberT(min(low, -1), high)
        case ThingT(kind=kind):
            return ThingT(kind, optional=True)
    return value
