"""Answers -> the codes by which they are told apart, and back to what was chosen."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Lowering, add, times
from ruleforge.compiler.lower.decisions.answers import Answer, usual_binders
from ruleforge.compiler.lower.decisions.parts import WIDE_SIZE, parts_of


def options_of(low: Lowering, answers: tuple[Answer, ...]) -> tuple[ir.Option, ...]:
    """Number the codes of all answers one after the other."""
    options: list[ir.Option] = []
    first = 0
    for answer in answers:
        parts = tuple(part for b in answer.binders for part in parts_of(low, b))
        count = 1
        for part in parts:
            count *= part.size
        usual = 0 if answer.action is None else len(usual_binders(answer.binders))
        options.append(ir.Option(first, count, answer.word, parts, answer.action, answer.span, usual))
        first += count
    return tuple(options)


def code_of(option: ir.Option, chosen: tuple[ir.Expr, ...]) -> ir.Expr:
    code: ir.Expr = ir.Const(0)
    for part, value in zip(option.parts, chosen, strict=True):
        digit = add(value, -1 if part.kind is not None else -part.low)
        code = add(times(code, part.size), digit)
    return add(code, option.first)


def taken_apart(option: ir.Option, answer: ir.Expr) -> tuple[ir.Expr, ...]:
    """The values of an option's parts from the code of the answer."""
    rest = add(answer, -option.first)
    found: list[ir.Expr] = []
    for i, part in enumerate(reversed(option.parts)):
        digit = rest
        if i < len(option.parts) - 1:
            digit = ir.Binary("%", rest, ir.Const(part.size))
            rest = ir.Binary("//", rest, ir.Const(part.size))
        found.append(add(digit, 1 if part.kind is not None else part.low))
    return tuple(reversed(found))


def within(option: ir.Option, chosen: tuple[ir.Expr, ...]) -> ir.Body:
    """Numbers of unknown size: those that have no code stop the game's step, as any overflow does."""
    found: list[ir.Statement] = []
    for part, value in zip(option.parts, chosen, strict=True):
        if part.kind is None and part.size == WIDE_SIZE:
            below = ir.Binary("<", value, ir.Const(part.low))
            above = ir.Binary(">=", value, ir.Const(part.low + part.size))
            found.append(ir.If(ir.Logic("or", (below, above)), (ir.Trap(ir.OVERFLOW),)))
    return tuple(found)
