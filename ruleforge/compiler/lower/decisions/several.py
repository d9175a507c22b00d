"""A set as a choice: taken one by one, each only if the whole can still be completed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Inquiry, Lowering, Words, add, both
from ruleforge.compiler.lower.decisions import possibility
from ruleforge.compiler.lower.decisions.answers import Answer, open_answer
from ruleforge.compiler.lower.decisions.parts import part_of
from ruleforge.compiler.lower.decisions.question import Allowed, Binders, Question, QuestionSpec, at_site
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import masks, walks
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import NumberT, SetT
from ruleforge.support.records import dataclass

ZERO, ONE = ir.Const(0), ir.Const(1)
MOST = 2**31 - 1
CANDIDATES = 20  # sets under a condition are searched for; more candidates would take too long


@dataclass(frozen=True)
class Whole:
    """A set to choose, the choices that follow it, and the conditions on all of them."""

    node: t.Several
    later: Binders
    needs: tuple[t.Expr, ...]
    allowed: Allowed | None = None  # what else must be possible once the set is chosen
    uses: tuple[object, ...] = ()  # the nodes that `allowed` speaks of

    def captured(self, env: Env) -> tuple[t.Variable, ...]:
        """The locals it speaks of."""
        node = self.node
        bounds = tuple(e for e in (node.least, node.most, node.such) if e is not None)
        return values.captured(env, node.binder, *bounds, *self.later, *self.needs, *self.uses)


@dataclass(frozen=True)
class Gathering:
    """The order of questions for the members of a set, with the local that counts them."""

    whole: Whole
    count: t.Variable


def several(
    low: Lowering,
    spec: QuestionSpec,
    whole: Whole,
    env: Env,
    rest: Callable[[Env], ir.Body],
    otherwise: ir.Body,
) -> ir.Body:
    """Ask until `done`, or until the set is full. Locals hold the chosen set, one bit a thing."""
    node = whole.node
    count = word_count(low, node)
    names = tuple(low.fresh(node.chosen.name) for _ in range(count))
    taken = low.fresh("taken")
    bound = env.bind(node.chosen, Words(tuple(ir.Local(n) for n in names)))
    into, going, item = low.fresh("answer"), low.fresh("going"), low.fresh("item")
    spec = replace(spec, gathered=ir.Gathered(names, taken, going))
    question = _question(low, spec, whole, bound, ir.Local(taken))
    things = question.site.options[0].count
    joined = masks.with_member(tuple(ir.Local(n) for n in names), ir.Local(item))
    more = (
        ir.Set(item, add(ir.Local(into), 1)),
        *(ir.Set(n, w) for n, w in zip(names, joined, strict=True)),
        ir.Set(taken, add(ir.Local(taken), 1)),
    )
    is_thing = both(ir.Binary(">=", ir.Local(into), ZERO), ir.Binary("<", ir.Local(into), ir.Const(things)))
    ask = question.ask(into)
    again: ir.Expr = ir.Binary("==", ir.Local(going), ONE)
    if node.most is not None:  # a set that can take no more is closed without a word
        again = both(again, ir.Binary("<", ir.Local(taken), values.value(low, node.most, env)))
    loop = ir.While(again, (ask, ir.If(is_thing, more, (ir.Set(going, ZERO),))), asks=True)
    start = tuple(ir.Set(n, ZERO) for n in (*names, taken, *((into,) if node.most is not None else ())))
    complete = _complete(low, whole, bound, ir.Local(taken))
    if spec.words:
        complete = both(complete, ir.Binary("!=", ir.Local(into), ir.Const(things + 1)))
    return (*start, ir.Set(going, ONE), loop, ir.If(complete, rest(bound), otherwise))


def word_count(low: Lowering, node: t.Several) -> int:
    assert isinstance(node.chosen.type, SetT)
    return masks.word_count(low, low.kind(node.chosen.type.kind))


def _question(low: Lowering, spec: QuestionSpec, whole: Whole, bound: Env, taken: ir.Expr) -> Question:
    node = whole.node
    part = part_of(low, node.binder.variable)
    things = ir.Option(0, part.size, "", (part,), None, node.span)
    words = ("done", *spec.words)
    ends = tuple(ir.Option(part.size + i, 1, word, (), None, node.span) for i, word in enumerate(words))
    count = t.Variable("taken", NumberT(0, MOST), node.span)
    env = bound.bind(count, taken)
    free = tuple(dict.fromkeys((node.chosen, count, *whole.captured(bound))))
    call = _enumerator(low, spec, whole, count, free, env, part.size)
    question = at_site(low, spec.of(node), call, (things, *ends), None)
    low.inquiries.append(Inquiry(question.site, free, env, Gathering(whole, count)))
    return question


def _enumerator(
    low: Lowering,
    spec: QuestionSpec,
    whole: Whole,
    count: t.Variable,
    free: tuple[t.Variable, ...],
    env: Env,
    done: int,
) -> ir.CallExpr:
    """Every thing with which the set can still be completed; `done` if it is complete."""
    node = whole.node

    def body(e: Env) -> ir.Body:
        some = low.fresh("offered")

        def offer(x: Env) -> ir.Body:
            item = x.expr(node.binder.variable)
            can = completable(low, whole, x, e.expr(count), item)
            more = (ir.Offer(add(item, -1)), ir.Set(some, ONE))
            return _if_untaken(node, e, x, node.binder.variable, (ir.If(can, more),))

        begun, could = ir.Binary(">", e.expr(count), ZERO), _could_take(low, spec, node, e, some)
        stop = both(_complete(low, whole, e, e.expr(count)), ir.Logic("or", (begun, could)))
        offers = (
            ir.Set(some, ZERO),
            *walks.walk(low, node.binder, e, offer),
            ir.If(stop, (ir.Offer(ir.Const(done)),)),
        )
        if spec.words:  # as long as nothing was taken
            untaken = ir.Binary("==", e.expr(count), ZERO)
            closes = both(untaken, could, _closes(low, spec, whole, search(low, whole, e, e.expr(count)), e))
            offers = (*offers, ir.If(closes, (ir.Offer(ir.Const(done + 1)),)))
        return (*_bounded(low, node, e), *offers)

    return low.helper("choices of several", free, env, node.span, body)


def _if_untaken(node: t.Several, bound: Env, env: Env, variable: t.Variable, body: ir.Body) -> ir.Body:
    """Do something with a thing that is not yet in the set."""
    chosen = bound.values[node.chosen]
    assert isinstance(chosen, Words)
    return (ir.If(values.negated(masks.has_bit(chosen.words, env.expr(variable))), body),)


def _could_take(low: Lowering, spec: QuestionSpec, node: t.Several, env: Env, some: str) -> ir.Expr:
    """Whether a choice is offered (`some` is set), or could be as far as others know.

    Otherwise the question is skipped.
    """
    followed = None if spec.openly else low.questions.open_part(node)
    if followed is node:
        return ir.Local(some)
    if followed is None:
        return ir.Local(some) if spec.openly else ONE
    assert isinstance(followed, t.Several)
    variable = followed.binder.variable

    def body(e: Env) -> ir.Body:
        def found(x: Env) -> ir.Body:
            return _if_untaken(node, e, x, variable, (ir.Return(ONE),))

        return (*walks.walk(low, followed.binder, e, found), ir.Return(ZERO))

    free = tuple(dict.fromkeys((node.chosen, *values.captured(env, followed.binder))))
    call = low.helper("could take more", free, env, node.span, body)
    return ir.Logic("or", (ir.Local(some), call))


def _closes(low: Lowering, spec: QuestionSpec, whole: Whole, some: ir.Expr, env: Env) -> ir.Expr:
    """Whether the closing word is offered: there is a set to take, or there could be one as far as others
    know.
    """
    answer = Answer("", (), (whole.node, *whole.later), whole.needs, span=whole.node.span)
    followed = None if spec.openly else open_answer(low, answer)
    if followed is None:
        return ZERO if spec.alone else some
    could = possibility.anything(low, followed, env)
    return both(values.negated(some), could) if spec.alone else ir.Logic("or", (some, could))


def _bounded(low: Lowering, node: t.Several, env: Env) -> ir.Body:
    """A set under a condition is searched for; a clear fault is better than a search without end."""
    limit = low.rules.limits.get("candidates", CANDIDATES)
    if node.such is None or low.size(low.kind(node.chosen.type.kind)) <= limit:  # type: ignore[union-attr]
        return ()
    message = f"more than {limit} things to choose from under a condition; see `limits: candidates`"
    fault = low.fault("RF819", message, node.span)
    count = ir.Set("candidates", add(ir.Local("candidates"), 1))
    plain = t.Binder(
        node.binder.span, node.binder.variable, node.binder.source, node.binder.until, node.binder.where
    )
    many = ir.Binary(">", ir.Local("candidates"), ir.Const(limit))
    walk = walks.walk(low, plain, env, lambda _: (count,))
    return (ir.Set("candidates", ZERO), *walk, ir.If(many, (ir.Trap(fault),)))


def _complete(low: Lowering, whole: Whole, env: Env, taken: ir.Expr) -> ir.Expr:
    """Whether the current set is a full answer and the rest can be answered."""
    node = whole.node
    tests: list[ir.Expr] = [ir.Binary(">=", taken, values.value(low, node.least, env))]
    if node.most is not None:
        tests.append(ir.Binary("<=", taken, values.value(low, node.most, env)))
    if node.such is not None:
        tests.append(values.value(low, node.such, env))
    tests.append(possibility.possible(low, whole.later, whole.needs, env))
    return both(*tests, *((whole.allowed(whole.later, env),) if whole.allowed is not None else ()))


def completable(low: Lowering, whole: Whole, env: Env, taken: ir.Expr, item: ir.Expr) -> ir.Expr:
    """Whether the set can be completed with one more thing in it."""
    chosen = whole.node.chosen
    bound = env.values[chosen]
    assert isinstance(bound, Words)
    joined = Words(masks.with_member(bound.words, item))
    return search(low, whole, env.bind(chosen, joined), add(taken, 1))


def search(low: Lowering, whole: Whole, env: Env, taken: ir.Expr) -> ir.Expr:
    """Whether a full answer contains the current set. Sets are tried in a fixed order, each once."""
    node = whole.node
    free = tuple(dict.fromkeys((node.chosen, *whole.captured(env))))
    words = word_count(low, node)
    others = [v for v in free if v is not node.chosen]
    chosen_names = tuple(low.fresh("chosen") for _ in range(words))  # of several sets each has its own
    had, last = low.fresh("taken"), low.fresh("last")
    name = low.fresh("completable")
    taken_names: dict[ir.Expr, str] = {}
    inner = Env({v: low._inside(env.values[v], taken_names) for v in others})
    inner = inner.bind(node.chosen, Words(tuple(ir.Local(n) for n in chosen_names)))
    parameters = (*chosen_names, had, last, *taken_names.values())
    low.reserve(name, parameters)
    ok = _complete(low, whole, inner, ir.Local(had))

    def deeper(x: Env) -> ir.Body:
        item = x.expr(node.binder.variable)
        chosen = tuple(ir.Local(n) for n in chosen_names)
        fresh = both(ir.Binary(">", item, ir.Local(last)), values.negated(masks.has_bit(chosen, item)))
        again = ir.CallExpr(
            name,
            (
                *masks.with_member(chosen, item),
                add(ir.Local(had), 1),
                item,
                *(ir.Local(n) for n in taken_names.values()),
            ),
        )
        return (ir.If(fresh, (ir.If(again, (ir.Return(ONE),)),)),)

    body: list[ir.Statement] = [ir.If(ok, (ir.Return(ONE),))]
    if node.most is not None:
        full = ir.Binary(">=", ir.Local(had), values.value(low, node.most, inner))
        body.append(ir.If(full, (ir.Return(ZERO),)))
    plain = t.Binder(
        node.binder.span, node.binder.variable, node.binder.source, node.binder.until, node.binder.where
    )
    low.define(name, parameters, (*body, *walks.walk(low, plain, inner, deeper), ir.Return(ZERO)), node.span)
    bound = env.values[node.chosen]
    assert isinstance(bound, Words)
    return ir.CallExpr(name, (*bound.words, taken, ZERO, *taken_names))
