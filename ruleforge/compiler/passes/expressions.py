"""Numbers and operations of the IR, and facts from the form of an expression."""

from __future__ import annotations

import operator
from collections.abc import Callable

from ruleforge.compiler import ir
from ruleforge.compiler.visit import Expression, subexpressions

LOWEST, HIGHEST = -(2**31), 2**31 - 1
OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "min": min,
    "max": max,
    "==": lambda a, b: 1 if a == b else 0,
    "!=": lambda a, b: 1 if a != b else 0,
    "<": lambda a, b: 1 if a < b else 0,
    "<=": lambda a, b: 1 if a <= b else 0,
    ">": lambda a, b: 1 if a > b else 0,
    ">=": lambda a, b: 1 if a >= b else 0,
}
COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def is_truth(expression: Expression) -> bool:
    """Whether the value can only be 0 or 1."""
    match expression:
        case ir.Const(value=value):
            return value in (0, 1)
        case ir.Binary(op=op):
            return op in COMPARISONS
        case ir.LogicNot() | ir.Member() | ir.Connected():
            return True
        case ir.Logic(parts=parts):
            return all(map(is_truth, parts))
        case ir.Select(then=then, other=other):
            return is_truth(then) and is_truth(other)
    return False


def negation(test: Expression) -> Expression:
    """The opposite of a 0/1 value."""
    match test:
        case ir.Const(value=value):
            return ir.Const(int(not value))
        case ir.LogicNot(value=value) if is_truth(value):
            return value
        case ir.Binary(op=op, left=left, right=right) if op in OPPOSITE:
            return ir.Binary(OPPOSITE[op], left, right)
    return ir.LogicNot(test)


def is_harmless(expression: Expression) -> bool:
    """Whether an expression has no effect and cannot fail, so that it can be dropped."""
    return not any(
        isinstance(e, ir.CallExpr | ir.Trial) or (isinstance(e, ir.Binary) and e.checked)
        for e in subexpressions(expression)
    )


def simple(expression: Expression) -> bool:
    """Whether writing the expression several times costs nothing."""
    return isinstance(expression, ir.Const | ir.Local)
