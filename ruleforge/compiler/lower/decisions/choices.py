"""Decisions: binders -> sites, their enumerators, and the code that takes an answer apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ruleforge.check import typed as t
from ruleforge.check.walk import free_variables, used_variables
from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Inner, Inquiry, Lowering, Words, add, both, times
from ruleforge.compiler.lower.decisions import drawing, several
from ruleforge.compiler.lower.decisions.asked import Asked, Binders
from ruleforge.compiler.lower.decisions.parts import (
    WIDE_SIZE,
    Joint,
    Together,
    bound_by,
    digits_of,
    parts_of,
    walk,
)
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import filters
from ruleforge.diagnostics import NOWHERE, Span
from ruleforge.quick import dataclass


@dataclass(frozen=True)
class Answer:
    """One way to answer a site: a word, the binders that make its parameters, and what must come after them."""

    word: str
    binders: tuple[Joint, ...]
    later: tuple[
        t.Binder | t.Several, ...
    ] = ()  # binders asked afterwards; the answer is offered only if they can be met
    needs: tuple[t.Expr, ...] = ()
    action: int | None = None
    span: Span = NOWHERE
    test: Callable[[Env], ir.Expr] | None = None  # what else must hold once everything is bound
    uses: tuple[object, ...] = ()  # nodes that the test speaks of
    dear: bool = False  # the test is a trial on a copy
    limit: Callable[[Env], ir.Expr] | None = (
        None  # the part of the test that everybody can follow in any case
    )


@dataclass(frozen=True)
class Closing:
    """The words that close a question, offered if it has an answer, or could have one for all that others know."""

    words: tuple[ir.Option, ...] = ()
    open: tuple[Answer, ...] = ()  # the answers as far as everybody can follow them, where they are more then
    alone: bool = False  # offered only where nothing else is

    def codes(self) -> ir.Body:
        return tuple(ir.Offer(ir.Const(word.first)) for word in self.words)


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


def usual_binders(binders: tuple[Joint, ...]) -> tuple[t.Binder, ...]:
    """Those with a usual answer; they come last."""
    return tuple(b for b in binders if isinstance(b, t.Binder) and b.usual is not None)


# --- enumerators ---


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

    return low.helper(name, _captured(answers, env), env, span, body)


def _captured(answers: tuple[Answer, ...], env: Env) -> tuple[t.Variable, ...]:
    """The locals that answers speak of."""
    used = used_variables(*(x for a in answers for x in (*a.binders, *a.later, *a.needs, *a.uses)))
    return tuple(v for v in used if v in env.values)


def _offers(low: Lowering, answer: Answer, option: ir.Option, env: Env, offered: str | None) -> ir.Body:
    """All codes of one answer; `offered` is the local that remembers that there was one."""

    def offer(e: Env) -> ir.Body:
        chosen = tuple(e.expr(digit) for b in answer.binders for digit in digits_of(b))
        noted = (ir.Set(offered, ir.Const(1)),) if offered else ()
        body = (*_within(option, chosen), ir.Offer(code_of(option, chosen)), *noted)
        test = possible(low, answer.later, _late_needs(answer), e)
        if answer.test is not None:
            test = both(test, answer.test(e))
        return body if test == ir.Const(1) else (ir.If(test, body),)

    return nested(low, answer.binders, _early_needs(answer), env, offer)


def _within(option: ir.Option, chosen: tuple[ir.Expr, ...]) -> ir.Body:
    """Numbers of unknown size: those that have no code stop the game's step, as any overflow does."""
    found: list[ir.Statement] = []
    for part, value in zip(option.parts, chosen, strict=True):
        if part.kind is None and part.size == WIDE_SIZE:
            below = ir.Binary("<", value, ir.Const(part.low))
            above = ir.Binary(">=", value, ir.Const(part.low + part.size))
            found.append(ir.If(ir.Logic("or", (below, above)), (ir.Trap(ir.OVERFLOW),)))
    return tuple(found)


def _early_needs(answer: Answer) -> tuple[t.Expr, ...]:
    later = {bound_by(b) for b in answer.later}
    return tuple(n for n in answer.needs if not later & set(free_variables(n)))


def _late_needs(answer: Answer) -> tuple[t.Expr, ...]:
    early = _early_needs(answer)
    return tuple(n for n in answer.needs if n not in early)


def needs_of(answer: Answer) -> tuple[tuple[t.Expr, ...], tuple[t.Expr, ...]]:
    """The requirements on the answer itself, and those that speak of what is asked afterwards."""
    return _early_needs(answer), _late_needs(answer)


def nested(
    low: Lowering, binders: tuple[Joint, ...], needs: tuple[t.Expr, ...], env: Env, inner: Inner
) -> ir.Body:
    """Loops over dependent binders, each requirement tested as soon as all it speaks of is bound."""
    bound_later = {bound_by(b) for b in binders}
    now = tuple(n for n in needs if not bound_later & set(free_variables(n)))
    rest = tuple(n for n in needs if n not in now)

    def step(e: Env) -> ir.Body:
        if not binders:
            return inner(e)
        return walk(low, binders[0], e, lambda x: nested(low, binders[1:], rest, x, inner))

    return _require(low, now, env, step)


def _require(low: Lowering, needs: tuple[t.Expr, ...], env: Env, inner: Inner) -> ir.Body:
    if not needs:
        return inner(env)
    if len(needs) > filters.MOST:
        test = both(*(values.value(low, n, env) for n in needs))
        return inner(env) if test == ir.Const(1) else (ir.If(test, inner(env)),)
    return filters.guard(low, needs[0], env, lambda e: _require(low, needs[1:], e, inner))


def possible(low: Lowering, binders: Binders, needs: tuple[t.Expr, ...], env: Env) -> ir.Expr:
    """Can the remaining binders be answered? The same loops, left at the first success."""
    if not binders:
        return both(*(values.value(low, n, env) for n in needs))
    captured = values.captured(env, *binders, *needs)
    span = binders[0].span

    def body(e: Env) -> ir.Body:
        return (*_successes(low, binders, needs, e), ir.Return(ir.Const(0)))

    return low.helper("possible", captured, env, span, body)


def _successes(low: Lowering, binders: Binders, needs: tuple[t.Expr, ...], env: Env) -> ir.Body:
    """Return 1 at the first way to answer everything."""
    at = next((i for i, b in enumerate(binders) if isinstance(b, t.Several)), len(binders))
    single = tuple(b for b in binders[:at] if isinstance(b, t.Binder))
    if at == len(binders):
        return nested(low, single, needs, env, lambda _: (ir.Return(ir.Const(1)),))
    later = {bound_by(b) for b in binders[at:]}
    early = tuple(n for n in needs if not later & set(free_variables(n)))
    late = tuple(n for n in needs if n not in early)
    return nested(low, single, early, env, lambda e: _some_set(low, binders[at:], late, e))


def _some_set(low: Lowering, binders: Binders, needs: tuple[t.Expr, ...], env: Env) -> ir.Body:
    first = binders[0]
    assert isinstance(first, t.Several)
    empty = Words((ir.Const(0),) * several.word_count(low, first))
    whole = several.Whole(first, binders[1:], needs)
    found = several.search(low, whole, env.bind(first.chosen, empty), ir.Const(0))
    return (ir.If(found, (ir.Return(ir.Const(1)),)),)


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


# --- sites ---


@dataclass(frozen=True)
class Question:
    """A site and how to ask at it."""

    site: ir.Site
    who: ir.Expr
    arguments: tuple[ir.Expr, ...]

    def ask(self, into: str) -> ir.Ask:
        return ir.Ask(self.site.number, self.who, self.arguments, into)


def question(low: Lowering, asked: Asked, answers: tuple[Answer, ...], env: Env) -> Question:
    """Make a site that offers these answers, then the closing words."""
    span = asked.span
    options = options_of(low, answers)
    last = options[-1].first + options[-1].count if options else 0
    words = tuple(ir.Option(last + i, 1, word, (), None, span) for i, word in enumerate(asked.words))
    followed = () if asked.openly or not words else tuple(open_answer(low, a) for a in answers)
    closing = Closing(words, tuple(a for a in followed if a is not None), asked.alone)
    call = enumerator(low, f"choices of {asked.kind}", answers, options, env, span, closing)
    drawn = sampler(low, answers, options, env) if not words else None
    drawn = drawn or drawing.any_code(low, answers, options, closing, env, span)
    found = at_site(low, asked, call, options + words, drawn)
    low.inquiries.append(Inquiry(found.site, _captured(answers, env), env, answers))
    return found


def open_answer(low: Lowering, answer: Answer) -> Answer | None:
    """The answer as far as everybody can follow it; None if nothing about it is hidden."""
    secrets = low.secrets
    secret = any(map(secrets.is_secret, answer.needs))
    needs = secrets.open_tests(*answer.needs) if secret else answer.needs
    test = None if any(map(secrets.speaks_of_hidden, answer.uses)) else answer.test
    binders = tuple(_open_joint(low, b) for b in answer.binders)
    later = tuple(secrets.open_part(b) for b in answer.later)
    same = (binders, later, needs, test) == (answer.binders, answer.later, answer.needs, answer.test)
    if same:
        return None
    return replace(
        answer,
        binders=tuple(b for b in binders if b is not None),
        later=tuple(b for b in later if b is not None),
        needs=needs,
        test=test or answer.limit,
    )


def _open_joint(low: Lowering, binder: Joint) -> Joint | None:
    if isinstance(binder, t.Binder):
        part = low.secrets.open_part(binder)
        assert not isinstance(part, t.Several)
        return part
    node = low.secrets.open_part(binder.node)
    if node is binder.node:
        return binder
    assert not isinstance(node, t.Binder)
    return None if node is None else replace(binder, node=node)


def conceivable(low: Lowering, closing: Closing, env: Env) -> ir.Expr:
    """Could there be an answer, for all that everybody knows?"""
    tests = tuple(anything(low, answer, env) for answer in closing.open)
    return tests[0] if len(tests) == 1 else ir.Logic("or", tests) if tests else ir.Const(0)


def at_site(
    low: Lowering, asked: Asked, call: ir.CallExpr, options: tuple[ir.Option, ...], drawn: ir.Sampler | None
) -> Question:
    """A new site; `call` offers its codes, `drawn` draws one of them without a list."""
    site = ir.Site(
        len(low.sites),
        asked.kind,
        asked.prompt,
        call.function,
        options,
        asked.chance,
        drawn,
        asked.span,
        asked.clauses,
        asked.sees,
        asked.sealed,
        asked.gathered,
        asked.given,
        asked.action,
        asked.bound,
        asked.unseen,
    )
    low.sites.append(site)
    return Question(site, asked.who, call.arguments)


def anything(low: Lowering, answer: Answer, env: Env) -> ir.Expr:
    """Is there any way to give this answer?"""
    if answer.test is None:
        each = tuple(b.node if isinstance(b, Together) else b for b in answer.binders)
        return possible(low, (*each, *answer.later), answer.needs, env)
    captured = values.captured(env, *answer.binders, *answer.later, *answer.needs, *answer.uses)

    def body(e: Env) -> ir.Body:
        def hit(x: Env) -> ir.Body:
            assert answer.test is not None
            test = both(possible(low, answer.later, _late_needs(answer), x), answer.test(x))
            return (ir.If(test, (ir.Return(ir.Const(1)),)),)

        return (*nested(low, answer.binders, _early_needs(answer), e, hit), ir.Return(ir.Const(0)))

    return low.helper("anything", captured, env, answer.span, body)


# --- drawing one choice without listing them all ---


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
