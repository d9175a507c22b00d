"""Ending a game: the record of it, the statement that does it, and what it is worth where a game can be lost by all."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower import notes
from ruleforge.compiler.lower.context import Env, Lowering, Mode, add, both
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import masks
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import SetT
from ruleforge.support.diagnostics import Span

ZERO, ONE = ir.Const(0), ir.Const(1)


def finished(low: Lowering, span: Span, ending: t.Ending, winners: t.Expr | None, env: Env) -> ir.Body:
    if env.mode is not Mode.REAL:  # the effect is over; whoever tries it looks at the outcome
        return (ir.Store(ir.OUTCOME, None, ir.Const(1)), ir.Return(ir.Const(1)))
    who: ir.Expr = ir.Const(0)
    if winners is not None:
        who = values.value(low, winners, env)
        if not isinstance(winners.type, SetT):
            who = masks.bit(who)
    number = list(low.rules.endings.values()).index(ending)
    return (low.note(notes.finished(low, ending, span), who), ir.Finish(number, who))


def score(low: Lowering) -> str | None:
    """The score of a player in a game that all can lose, and so win together; others have it from the winners alone."""
    lost = [number for number, ending in enumerate(low.rules.endings.values(), 1) if ending.lost]
    if not lost:
        return None
    bit = ir.Binary(">>", ir.Load(ir.WINNERS), add(ir.Local("player"), -1))
    nobody = ir.Binary("==", ir.Load(ir.WINNERS), ZERO)
    others = (ir.Binary("!=", ir.Load(ir.OUTCOME), ir.Const(number)) for number in lost)
    body = (
        ir.If(ir.Binary("&", bit, ONE), (ir.Return(ONE),)),
        ir.If(both(nobody, *others), (ir.Return(ZERO),)),
        ir.Return(ir.Const(-1)),
    )
    return low.define("score", ("player",), body, next(iter(low.rules.endings.values())).span)
