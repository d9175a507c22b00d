"""`and`, `or`, `if ... else` -> typed trees in which each part relies on what the tests before it have settled."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import FLAG, ThingT, Type, joined
from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser.printer import print_expr
from ruleforge.support.diagnostics import Edit

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope


def every(checker: Expressions, node: n.And, scope: Scope) -> t.Expr:
    return t.Logic(node.span, FLAG, "and", _parts(checker, node.parts, scope, checker.when_true))


def some(checker: Expressions, node: n.Or, scope: Scope) -> t.Expr:
    return t.Logic(node.span, FLAG, "or", _parts(checker, node.parts, scope, checker.when_false))


def _parts(
    checker: Expressions, parts: tuple[n.Expr, ...], scope: Scope, learn: Callable[[n.Expr, Scope], Scope]
) -> tuple[t.Expr, ...]:
    """Each part may rely on what the parts before it have settled."""
    checked: list[t.Expr] = []
    for number, part in enumerate(parts):
        half = _half(checker, parts[number - 1], parts[number:], scope) if number else None
        if half is not None:
            return (*checked, half)  # the rest goes on like it
        checked.append(checker.condition(part, scope))
        scope = learn(part, scope)
    return tuple(checked)


def _half(checker: Expressions, before: n.Expr, rest: tuple[n.Expr, ...], scope: Scope) -> t.Expr | None:
    """`x is a or b`: what is compared is left out behind the first. One complaint for all of them."""
    if not isinstance(before, n.Comparison) or len(before.rest) != 1:
        return None
    [(sign, first)] = before.rest
    names = [*takewhile(lambda part: isinstance(part, n.Name), rest)]
    value = checker.check(names[0], scope) if names and sign in ("is", "has") else None
    alike = ThingT("keyword") if sign == "has" else checker.known_type(first)
    if value is None or not isinstance(value.type, ThingT) or value.type != alike:
        return None
    fix = tuple(Edit(name.span, f"{print_expr(before.first)} {sign} {print_expr(name)}") for name in names)
    message = f"a condition needs {FLAG}, but this is {value.type}"
    return checker.symbols.error("RF502", message, names[0].span, f"write `{fix[0].text}`", fix)


def conditional(checker: Expressions, node: n.Conditional, scope: Scope, expect: Type | None) -> t.Expr:
    condition = checker.condition(node.test, scope)
    a = checker.check(node.then, checker.when_true(node.test, scope), expect)
    b = checker.check(node.other, checker.when_false(node.test, scope), expect)
    type = joined(a.type, b.type)
    if type is None:
        return checker.symbols.error("RF502", f"one side is {a.type}, the other {b.type}", node.span)
    return t.Conditional(node.span, type, condition, a, b)
