"""Lower the answers to a site and the function that enumerates its choices."""

from __future__ import annotations

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Inner, Inquiry, Lowering, add, both, times
from ruleforge.compiler.lower.decisions.answers import (
    Answer,
    Closing,
    captured,
    early_needs,
    late_needs,
    open_answer,
    usual_binders,
)
from ruleforge.compiler.lower.decisions.parts import WIDE_SIZE, Joint, digits_of, parts_of
from ruleforge.compiler.lower.decisions.possibility import anything, conceivable, nested, possible
from ruleforge.compiler.lower.decisions.question import Question, QuestionSpec, at_site
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import filters
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import FLAG, NumberT, ThingT
from ruleforge.lang.checker.walk import free_variables
from ruleforge.support.diagnostics import NOWHERE, Span

FEWEST, MOST = 32, 1024  # codes of a site for which this pays: fewer are listed sooner, of more too few fit
NO, YES = ir.Const(0), ir.Const(1)


def question(low: Lowering, spec: QuestionSpec, answers: tuple[Answer, ...], env: Env) -> Question:
    """Make a site that offers these answers, then the closing words."""
    span = spec.span
    options = options_of(low, answers)
    last = options[-1].first + options[-1].count if options else 0
    words = tuple(ir.Option(last + i, 1, word, (), None, span) for i, word in enumerate(spec.words))
    followed = () if spec.openly or not words else tuple(open_answer(low, a) for a in answers)
    closing = Closing(words, tuple(a for a in followed if a is not None), spec.alone, spec.always)
    call = enumerator(low, f"choices of {spec.kind}", answers, options, env, span, closing)
    drawn = sampler(low, answers, options, env) if not words else None
    drawn = drawn or any_code(low, answers, options, closing, env, span)
    found = at_site(low, spec, call, options + words, drawn)
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
        offered = low.fresh("offered") if closing.words and not closing.always else None
        for answer, option in zip(answers, options, strict=True):
            statements += _offers(low, answer, option, e, offered)
        if offered is None:
            return (*statements, *closing.codes())
        some: ir.Expr = ir.Local(offered)
        if closing.alone:
            some = both(values.negated(some), conceivable(low, closing, e))
        elif closing.open:
            some = ir.Logic("or", (some, conceivable(low, closing, e)))
        return (ir.Set(offered, ir.Const(0)), *statements, ir.If(some, closing.codes()))

    return low.helper(name, captured(answers, env), env, span, body)


def _offers(low: Lowering, answer: Answer, option: ir.Option, env: Env, offered: str | None) -> ir.Body:
    """Offer all codes of one answer. `offered` is the local that becomes 1 if there is one."""

    def offer(e: Env) -> ir.Body:
        chosen = tuple(e.expr(digit) for b in answer.binders for digit in digits_of(b))
        noted = (ir.Set(offered, ir.Const(1)),) if offered else ()
        body = (*within(option, chosen), ir.Offer(code_of(option, chosen)), *noted)
        test = possible(low, answer.later, late_needs(answer), e)
        if answer.test is not None:
            test = both(test, answer.test(e))
        return body if test == ir.Const(1) else (ir.If(test, body),)

    return nested(low, answer.binders, early_needs(answer), env, offer)


# Drawing one choice of several answers without listing them all: any code at random, tested, until one fits.


def any_code(
    low: Lowering,
    answers: tuple[Answer, ...],
    options: tuple[ir.Option, ...],
    closing: Closing,
    env: Env,
    span: Span,
) -> ir.Sampler | None:
    """A sampler over all codes, for sites whose answers are expensive to test."""
    if (
        closing.alone
        or not any(a.dear for a in answers)
        or any(not _is_plain(b) for a in answers for b in a.binders)
    ):
        return None
    last = (*options, *closing.words)[-1]
    total = last.first + last.count
    if not FEWEST <= total <= MOST:
        return None
    drawn = t.Variable("code", NumberT(0, total - 1), NOWHERE)
    name = low.fresh("code")
    nodes = [x for a in answers for x in (*a.binders, *a.later, *a.needs, *a.uses)]
    free = (drawn, *(v for v in free_variables(*nodes) if v in env.values))

    def body(e: Env) -> ir.Body:
        code = e.expr(drawn)
        found: list[ir.Statement] = []
        for answer, option in zip(answers, options, strict=True):
            mine = ir.Binary("<", code, ir.Const(option.first + option.count))
            found.append(ir.If(mine, (*_test(low, answer, option, code, e), ir.Return(NO))))
        if closing.words:  # they are there if anything else is, or could be
            tests = (*answers, *closing.open)
            found += [ir.If(anything(low, a, e), (ir.Return(YES),)) for a in tests]
        return (*found, ir.Return(NO))

    test = low.helper("fits", free, env.bind(drawn, ir.Local(name)), span, body)
    if not all(isinstance(a, ir.Local | ir.Const) for a in test.arguments):
        return None
    tries = total // 2  # listing tests every code: giving up sooner would throw cheap luck away
    return ir.Sampler((name,), (ir.DrawRange(0, total - 1),), test, ir.Local(name), tries)


def _test(low: Lowering, answer: Answer, option: ir.Option, code: ir.Expr, env: Env) -> ir.Body:
    """Return 1 if the code is one that this answer offers."""
    body: list[ir.Statement] = []
    inner = env
    conditions: list[t.Expr] = []
    for binder, digit in zip(answer.binders, taken_apart(option, code), strict=True):
        assert isinstance(binder, t.Binder)
        local = low.fresh(binder.variable.name)
        body.append(ir.Set(local, digit))
        inner = inner.bind(binder.variable, ir.Local(local))
        conditions += [_is_member(binder), *([binder.where] if binder.where is not None else [])]
    needs, late = early_needs(answer), late_needs(answer)

    def last(e: Env) -> ir.Body:
        test = possible(low, answer.later, late, e)
        if answer.test is not None:
            test = both(test, answer.test(e))
        return (ir.Return(YES),) if test == YES else (ir.If(test, (ir.Return(YES),)),)

    return (*body, *_under(low, (*needs, *conditions), inner, last))


def _under(low: Lowering, conditions: tuple[t.Expr, ...], env: Env, inner: Inner) -> ir.Body:
    if not conditions:
        return inner(env)
    return filters.guard(low, conditions[0], env, lambda e: _under(low, conditions[1:], e, inner))


def _is_plain(binder: Joint) -> bool:
    """Whether a test alone decides which members a binder has."""
    return isinstance(binder, t.Binder) and binder.until is None


def _is_member(binder: t.Binder) -> t.Expr:
    source, variable = binder.source, binder.variable
    use = t.Use(binder.span, variable.type, variable)
    if isinstance(source.type, ThingT):  # a thing or none as a source of one or no member
        return t.Compare(binder.span, FLAG, "==", source, use)
    return t.In(binder.span, FLAG, use, source)


# A sampler draws a choice of one wide answer without a list of all.


def sampler(
    low: Lowering, answers: tuple[Answer, ...], options: tuple[ir.Option, ...], env: Env
) -> ir.Sampler | None:
    """Rejection sampling for one wide answer whose candidates are cheap to draw; None: list and pick."""
    if len(answers) != 1 or answers[0].later or answers[0].test:
        return None
    answer, option = answers[0], options[0]
    binders = tuple(b for b in answer.binders if isinstance(b, t.Binder))
    if option.count <= 16 or len(binders) < len(answer.binders) or any(b.by or b.until for b in binders):
        return None
    names: list[str] = []
    draws: list[ir.Draw] = []
    tests: list[ir.Expr] = []
    bound = env
    for binder in binders:
        drawn = _draw(low, binder, bound, first=not names)
        if drawn is None:
            return None
        draw, rest = drawn
        name = low.fresh(binder.variable.name)
        bound = bound.bind(binder.variable, ir.Local(name))
        names.append(name)
        draws.append(draw)
        if rest is not None:
            tests.append(values.value(low, rest, bound))
    tests += [values.value(low, n, bound) for n in answer.needs]
    code = code_of(option, tuple(ir.Local(n) for n in names))
    return ir.Sampler(tuple(names), tuple(draws), both(*tests), code)


def _draw(low: Lowering, binder: t.Binder, env: Env, first: bool) -> tuple[ir.Draw, t.Expr | None] | None:
    """Candidates of one part and what remains to be tested; only the first may vary in number, else some
    choices would be likelier than others."""
    found = filters.scan_of(low, binder)
    if found is not None:
        if not first:
            return None
        column, wanted, rest = found
        base = low.layout.columns[column].base
        return ir.DrawScan(base, low.size(column.kind), values.value(low, wanted, env)), rest
    match binder.source:
        case t.All(kind=kind):
            return ir.DrawRange(1, low.size(kind)), binder.where
        case t.Read(column=column) if column.constant:
            rows = ((), *(v for v in column.values if isinstance(v, tuple)))
            if not first and len({len(row) for row in rows[1:]}) > 1:
                return None
            return ir.DrawEach(low.relation(rows), values.fact_key(low, binder.source, env)), binder.where
    return None


# The codes of answers, and the answers of codes.


def options_of(low: Lowering, answers: tuple[Answer, ...]) -> tuple[ir.Option, ...]:
    """Number the codes of all answers consecutively."""
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
    """Check the codes of unbounded numbers. A number without a code stops the step, like an overflow."""
    found: list[ir.Statement] = []
    for part, value in zip(option.parts, chosen, strict=True):
        if part.kind is None and part.size == WIDE_SIZE:
            below = ir.Binary("<", value, ir.Const(part.low))
            above = ir.Binary(">=", value, ir.Const(part.low + part.size))
            found.append(ir.If(ir.Logic("or", (below, above)), (ir.Trap(ir.OVERFLOW),)))
    return tuple(found)
