"""Decisions: answers -> a site, and the function that enumerates what can be chosen there."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Inquiry, Lowering, both
from ruleforge.compiler.lower.decisions import random_choice
from ruleforge.compiler.lower.decisions.answers import (
    Answer,
    Closing,
    captured,
    early_needs,
    late_needs,
    open_answer,
)
from ruleforge.compiler.lower.decisions.choice_codes import code_of, options_of, within
from ruleforge.compiler.lower.decisions.parts import digits_of
from ruleforge.compiler.lower.decisions.possibility import conceivable, nested, possible
from ruleforge.compiler.lower.decisions.question import QuestionSpec
from ruleforge.compiler.lower.decisions.sites import Question, at_site
from ruleforge.compiler.lower.decisions.wide_answers import sampler
from ruleforge.compiler.lower.expressions import values
from ruleforge.support.diagnostics import Span


def question(low: Lowering, asked: QuestionSpec, answers: tuple[Answer, ...], env: Env) -> Question:
    """Make a site that offers these answers, then the closing words."""
    span = asked.span
    options = options_of(low, answers)
    last = options[-1].first + options[-1].count if options else 0
    words = tuple(ir.Option(last + i, 1, word, (), None, span) for i, word in enumerate(asked.words))
    followed = () if asked.openly or not words else tuple(open_answer(low, a) for a in answers)
    closing = Closing(words, tuple(a for a in followed if a is not None), asked.alone)
    call = enumerator(low, f"choices of {asked.kind}", answers, options, env, span, closing)
    drawn = sampler(low, answers, options, env) if not words else None
    drawn = drawn or random_choice.any_code(low, answers, options, closing, env, span)
    found = at_site(low, asked, call, options + words, drawn)
    low.inquiries.append(Inquiry(found.site, captured(answers, env), env, answers))
    return found


def enumerator(
    low: Lowering,
    name: str,
    answers: tuple[Answer, ...],
    options: tuple[ir.Option, ...],
    env: Env,
    span: Span,
    closing: Closing,
) -> ir.CallExpr:
    """A function that offers every code of every answer, then the closing words; the result is its call."""

    def body(e: Env) -> ir.Body:
        statements: list[ir.Statement] = []
        offered = low.fresh("offered") if closing.words else None
        for answer, option in zip(answers, options, strict=True):
            statements += _offers(low, answer, option, e, offered)
        if offered is None:
            return tuple(statements)
        some: ir.Expr = ir.Local(offered)
        if closing.alone:
            some = both(values.negated(some), conceivable(low, closing, e))
        elif closing.open:
            some = ir.Logic("or", (some, conceivable(low, closing, e)))
        return (ir.Set(offered, ir.Const(0)), *statements, ir.If(some, closing.codes()))

    return low.helper(name, captured(answers, env), env, span, body)


def _offers(low: Lowering, answer: Answer, option: ir.Option, env: Env, offered: str | None) -> ir.Body:
    """All codes of one answer; `offered` is the local that remembers that there was one."""

    def offer(e: Env) -> ir.Body:
        chosen = tuple(e.expr(digit) for b in answer.binders for digit in digits_of(b))
        noted = (ir.Set(offered, ir.Const(1)),) if offered else ()
        body = (*within(option, chosen), ir.Offer(code_of(option, chosen)), *noted)
        test = possible(low, answer.later, late_needs(answer), e)
        if answer.test is not None:
            test = both(test, answer.test(e))
        return body if test == ir.Const(1) else (ir.If(test, body),)

    return nested(low, answer.binders, early_needs(answer), env, offer)
