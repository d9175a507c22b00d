"""`and`, `or`, `if ... else` -> typed trees in which each part relies on what the tests before it have settled."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ruleforge.check import typed as t
from ruleforge.check.types import FLAG, Type, joined
from ruleforge.dsl import nodes as n

if TYPE_CHECKING:
    from ruleforge.check.expressions.checker import Expressions
    from ruleforge.check.scope import Scope


def every(checker: Expressions, node: n.And, scope: Scope) -> t.Expr:
    return t.Logic(node.span, FLAG, "and", _parts(checker, node.parts, scope, checker.when_true))


def some(checker: Expressions, node: n.Or, scope: Scope) -> t.Expr:
    return t.Logic(node.span, FLAG, "or", _parts(checker, node.parts, scope, checker.when_false))


def _parts(
    checker: Expressions, parts: tuple[n.Expr, ...], scope: Scope, learn: Callable[[n.Expr, Scope], Scope]
) -> tuple[t.Expr, ...]:
    """Each part may rely on what the parts before it have settled."""
    checked = []
    for part in parts:
        checked.append(checker.condition(part, scope))
        scope = learn(part, scope)
    return tuple(checked)


def conditional(checker: Expressions, node: n.Conditional, scope: Scope, expect: Type | None) -> t.Expr:
    condition = checker.condition(node.test, scope)
    a = checker.check(node.then, checker.when_true(node.test, scope), expect)
    b = checker.check(node.other, checker.when_false(node.test, scope), expect)
    type = joined(a.type, b.type)
    if type is None:
        return checker.symbols.error("RF502", f"one side is {a.type}, the other {b.type}", node.span)
    return t.Conditional(node.span, type, condition, a, b)
