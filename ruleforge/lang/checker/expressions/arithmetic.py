"""Signs between values -> numbers with the range they can have, and sets that are joined."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.analysis.intervals import WORD, apply
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ERROR, ErrorT, NoneT, NumberT, SetT, Type, number_in
from ruleforge.lang.parser import nodes as n
from ruleforge.support.diagnostics import Span

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope
    from ruleforge.lang.checker.symbols import Symbols


def negative(checker: Expressions, node: n.Negative, scope: Scope) -> t.Expr:
    number = checker.wanted(node.value, scope, NumberT(0, 0), "`-`")
    bounds = number.type if isinstance(number.type, NumberT) else NumberT(0, 0)
    return t.Negative(node.span, computed(checker.symbols, "-", NumberT(0, 0), bounds, node.span), number)


def arithmetic(checker: Expressions, node: n.Arithmetic, scope: Scope, expect: Type | None) -> t.Expr:
    left = checker.check(node.left, scope, expect)
    if node.op in ("|", "&") or (node.op == "-" and isinstance(left.type, SetT | NoneT)):
        return _of_sets(checker, node, left, scope)
    if node.op == "-" and isinstance(left.type, ErrorT):  # of numbers or of sets: nobody knows
        checker.check(node.right, scope)
        return t.Constant(node.span, ERROR, 0)
    if isinstance(left.type, SetT):
        return checker.symbols.error(
            "RF502",
            f"`{node.op}` needs numbers, but this is {left.type}",
            node.left.span,
            "join sets with `|`, `&` or `-`",
        )
    return _of_numbers(checker, node, left, scope)


def _of_sets(checker: Expressions, node: n.Arithmetic, left: t.Expr, scope: Scope) -> t.Expr:
    right = checker.wanted(node.right, scope, left.type, f"`{node.op}`")
    if not isinstance(left.type, SetT | ErrorT):
        return checker.symbols.error(
            "RF502", f"`{node.op}` joins sets, but this is {left.type}", node.left.span
        )
    return t.Arithmetic(node.span, left.type, node.op, left, right)


def _of_numbers(checker: Expressions, node: n.Arithmetic, left: t.Expr, scope: Scope) -> t.Expr:
    left = checker.fitting(node.left, left, NumberT(0, 0), f"`{node.op}`", scope)
    right = checker.wanted(node.right, scope, NumberT(0, 0), f"`{node.op}`")
    if not isinstance(left.type, NumberT) or not isinstance(right.type, NumberT):
        return t.Constant(node.span, ERROR, 0)
    if node.op in ("//", "%") and right.type.low == right.type.high == 0:
        return checker.symbols.error("RF508", "division by zero", node.span)
    type = computed(checker.symbols, node.op, left.type, right.type, node.span)
    return t.Arithmetic(node.span, type, node.op, left, right)


def computed(symbols: Symbols, op: str, left: NumberT, right: NumberT, span: Span) -> NumberT:
    """The range of a result; a complaint if all of it lies beyond 32 bits."""
    found = apply(op, left.range, right.range)
    if not found.is_empty and found.meet(WORD).is_empty:
        symbols.error("RF508", "this number needs more than 32 bits", span)
    return number_in(found)
