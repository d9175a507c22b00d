"""Ending a game: the record of it and the statement that does it."""

from __future__ import annotations

from ruleforge.check import typed as t
from ruleforge.check.types import SetT
from ruleforge.compiler import ir
from ruleforge.compiler.lower import notes
from ruleforge.compiler.lower.context import Env, Lowering
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import masks
from ruleforge.diagnostics import Span


def finished(low: Lowering, span: Span, ending: t.Ending, winners: t.Expr | None, env: Env) -> ir.Body:
    who: ir.Expr = ir.Const(0)
    if winners is not None:
        who = values.value(low, winners, env)
        if not isinstance(winners.type, SetT):
            who = masks.bit(who)
    number = list(low.rules.endings.values()).index(ending)
    return (low.note(notes.finished(low, ending, span), who), ir.Finish(number, who))
