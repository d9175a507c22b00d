"""Ending a game: the record of it and the statement that does it."""

from __future__ import annotations

from ruleforge.check import typed as t
from ruleforge.check.types import SetT
from ruleforge.compiler import ir
from ruleforge.compiler.lower import notes
from ruleforge.compiler.lower.context import Env, Lowering, Mode
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import masks
from ruleforge.diagnostics import Span


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
