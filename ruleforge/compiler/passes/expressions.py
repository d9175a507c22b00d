"""An expression -> what its form says of it: is it a truth, can it do harm, does it cost anything? And its opposite."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.passes.numbers import COMPARISONS, OPPOSITE
from ruleforge.compiler.visit import Expression, subexpressions


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
    """Whether nothing can happen when it is worked out, so that it need not be."""
    return not any(
        isinstance(e, ir.CallExpr | ir.Trial) or (isinstance(e, ir.Binary) and e.checked)
        for e in subexpressions(expression)
    )


def simple(expression: Expression) -> bool:
    """Whether writing the expression several times costs nothing."""
    return isinstance(expression, ir.Const | ir.Local)
