"""Decisions inside effects: one thing, several things, a menu, sealed choices."""

from __future__ import annotations

from collections.abc import Callable

from ruleforge.check import typed as t
from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Lowering, both
from ruleforge.compiler.lower.decisions import choices, several
from ruleforge.compiler.lower.effects import statements
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import walks
from ruleforge.compiler.shown import SEALED

ZERO, ONE = ir.Const(0), ir.Const(1)
Then = Callable[[Env], ir.Body]
Allowed = Callable[[tuple[t.Binder | t.Several, ...], Env], ir.Expr]


def choose(low: Lowering, node: t.Choose, env: Env) -> ir.Body:
    """Ask binder by binder; each value is offered only if the rest can be answered."""
    who = low.fresh("chooser")
    otherwise = statements.block(low, node.otherwise, env)
    first = (ir.Set(who, values.value(low, node.who, env)),)
    words = ("decline",) if node.optional else ()
    prompt = "choose {}"
    body = steps(
        low,
        node.binders,
        (),
        ir.Local(who),
        prompt,
        env,
        lambda e: statements.block(low, node.body, e),
        words,
        otherwise,
    )
    return (*first, *body)


def steps(
    low: Lowering,
    binders: tuple[t.Binder | t.Several, ...],
    needs: tuple[t.Expr, ...],
    who: ir.Expr,
    prompt: str,
    env: Env,
    then: Then,
    words: tuple[str, ...] = (),
    otherwise: ir.Body = (),
    kind: str = "choose",
    clauses: tuple[str, ...] = (),
    sees: str | None = None,
    allowed: Allowed | None = None,
    uses: tuple[object, ...] = (),
) -> ir.Body:
    """Ask for binders one after the other, then go on. `words` may decline the first one.

    `allowed` is what else must be possible once the rest is answered; `uses` are the nodes it speaks of.
    """
    if not binders:
        return then(env)
    binder, later = binders[0], binders[1:]

    def rest(e: Env) -> ir.Body:
        return steps(low, later, needs, who, prompt, e, then, (), (), kind, clauses, sees, allowed, uses)

    if isinstance(binder, t.Several):
        return several.several(
            low, binder, later, needs, who, prompt, env, rest, otherwise, kind, clauses, bool(words)
        )
    test = (lambda e: allowed(later, e)) if allowed else None
    answer = choices.Answer("", (binder,), later, needs, None, binder.span, test, uses)
    text = prompt.format(binder.variable.name)
    asked = choices.question(low, kind, text, (answer,), env, binder.span, clauses, lone=words, sees=sees)
    into, name = low.fresh("answer"), low.fresh(binder.variable.name)
    (chosen,) = choices.taken_apart(asked.site.options[0], ir.Local(into))
    taken = (ir.Set(name, chosen), *rest(env.bind(binder.variable, ir.Local(name))))
    last = asked.site.options[0].count
    some: ir.Expr = ir.Binary(">=", ir.Local(into), ZERO)
    if words:
        some = both(some, ir.Binary("<", ir.Local(into), ir.Const(last)))
    return (asked.ask(who, into), ir.If(some, taken, otherwise))


def pick(low: Lowering, node: t.Pick, env: Env) -> ir.Body:
    answers = tuple(
        choices.Answer(word, (), needs=(test,) if test else (), span=node.span)
        for word, test, _ in node.options
    )
    asked = choices.question(low, "pick", "pick one", answers, env, node.span)
    into = low.fresh("answer")
    body: ir.Body = ()
    for option, (_, _, effect) in reversed(list(zip(asked.site.options, node.options, strict=True))):
        body = (
            ir.If(
                ir.Binary("==", ir.Local(into), ir.Const(option.first)),
                statements.block(low, effect, env),
                body,
            ),
        )
    return (asked.ask(values.value(low, node.who, env), into), *body)


def sealed(low: Lowering, node: t.Sealed, env: Env) -> ir.Body:
    """Everybody answers first; the answers lie in the frame, which no view shows. Then the body for each."""
    players = low.layout.players
    answers, into, name = low.fresh("answers"), low.fresh("answer"), low.fresh(node.binder.variable.name)
    answer = choices.Answer("", (node.binder,), span=node.binder.span)
    inner: list[ir.Option] = []
    own = ir.Binary("==", ir.Local("viewer"), ir.Local("who"))
    only = low.define(SEALED, ("viewer", "who"), (ir.Return(own),), node.span)

    def ask(e: Env) -> ir.Body:
        prompt = f"choose {node.binder.variable.name} secretly"
        asked = choices.question(low, "secret", prompt, (answer,), e, node.binder.span, sees=only)
        inner[:] = [asked.site.options[0]]
        player = e.expr(node.each.variable)
        return (asked.ask(player, into), ir.SetElement(answers, player, ir.Local(into)))

    def reveal(e: Env) -> ir.Body:
        code = ir.Element(answers, e.expr(node.each.variable))
        (chosen,) = choices.taken_apart(inner[0], code)
        body = (
            ir.Set(name, chosen),
            *statements.block(low, node.body, e.bind(node.binder.variable, ir.Local(name))),
        )
        return (ir.If(ir.Binary(">=", code, ZERO), body),)

    first = walks.walk(low, node.each, env, ask, frozen=True)
    second = walks.walk(low, node.each, env, reveal, frozen=True)
    return (ir.NewArray(answers, players + 1), *first, *second)
