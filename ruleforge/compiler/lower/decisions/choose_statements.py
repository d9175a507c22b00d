"""Decisions inside effects: one thing, several things, a menu, sealed choices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ruleforge.analysis.infoflow.bindings import leaves
from ruleforge.compiler import ir
from ruleforge.compiler.lower import branches, notes
from ruleforge.compiler.lower.context import Env, Lowering, Words, add, both
from ruleforge.compiler.lower.decisions import choices, several, ways
from ruleforge.compiler.lower.decisions.answers import Answer
from ruleforge.compiler.lower.decisions.choices import taken_apart
from ruleforge.compiler.lower.decisions.parts import Joint, Together, bound_by, digits_of, joint, values_of
from ruleforge.compiler.lower.decisions.question import Binders, Question, QuestionSpec
from ruleforge.compiler.lower.effects import statements
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import walks
from ruleforge.compiler.observation_program import SEALED
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import SetT
from ruleforge.support.diagnostics import Span

ZERO, ONE = ir.Const(0), ir.Const(1)
NOTHING = "nothing"  # what is answered where nothing can be chosen, and others must not know it
Then = Callable[[Env], ir.Body]


def choose(low: Lowering, node: t.Choose, env: Env) -> ir.Body:
    """Ask for one binder after the other. A value is offered only if the rest can be answered."""
    if not (node.optional and ways.looks_ahead(node, env)):
        return _choose(low, node, env)
    assert env.owes is not None
    declined = node.otherwise.statements if node.otherwise is not None else ()
    must = _choose(low, replace(node, optional=False), env)
    return (ir.If(ways.payable(low, (*declined, *env.owes), env), _choose(low, node, env), must),)


def _choose(low: Lowering, node: t.Choose, env: Env) -> ir.Body:
    who = low.fresh("chooser")
    otherwise = statements.block(low, node.otherwise, env)
    first = (ir.Set(who, values.value(low, node.who, env)),)
    spec = QuestionSpec(who=ir.Local(who), kind="choose", prompt="{}", span=node.span, openly=node.openly)
    if node.optional:
        spec = replace(spec, words=("decline",))
    elif low.questions.asks_without_choices(node):
        spec = _secretly(low, spec)
    if ways.looks_ahead(node, env):
        owes = env.owes
        assert owes is not None
        spec = replace(
            spec,
            allowed=lambda later, e: ways.payable(low, ways.behind(node, later, e.owing(owes)), e),
            uses=(node, *owes),
        )
    body = steps(low, spec, node.binders, env, lambda e: statements.block(low, node.body, e), otherwise)
    return (*first, *body)


def _secretly(low: Lowering, spec: QuestionSpec) -> QuestionSpec:
    """A question that is asked even without an answer.

    "None" is then the answer, and it is hidden from other players.
    """
    return replace(spec, words=(NOTHING,), alone=True, sees=_only_who(low, spec.span))


def _only_who(low: Lowering, span: Span) -> str:
    """The visibility function for an answer that only its player sees."""
    own = ir.Binary("==", ir.Local("viewer"), ir.Local("who"))
    return low.define(SEALED, ("viewer", "who"), (ir.Return(own),), span)


def steps(
    low: Lowering, spec: QuestionSpec, binders: Binders, env: Env, then: Then, otherwise: ir.Body = ()
) -> ir.Body:
    """Ask for binders one after the other, then continue. Only the first may be declined."""
    if not binders:
        return then(env)
    binder, later = binders[0], binders[1:]

    def rest(e: Env) -> ir.Body:
        bound = (*spec.bound, *locals_of((bound_by(binder),), e))
        return steps(low, replace(spec, words=(), bound=bound), later, e, then)

    if isinstance(binder, t.Several):
        whole = several.Whole(binder, later, spec.needs, spec.allowed, spec.uses)
        return several.several(low, spec, whole, env, rest, otherwise)
    allowed = spec.allowed
    test = (lambda e: allowed(later, e)) if allowed else None
    answer = Answer("", (binder,), later, spec.needs, None, binder.span, test, spec.uses)
    question = choices.question(low, spec.of(binder), (answer,), env)
    into, name = low.fresh("answer"), low.fresh(binder.variable.name)
    (chosen,) = taken_apart(question.site.options[0], ir.Local(into))
    taken = (ir.Set(name, chosen), *rest(env.bind(binder.variable, ir.Local(name))))
    some: ir.Expr = ir.Binary(">=", ir.Local(into), ZERO)
    if spec.words:
        last = question.site.options[0].count
        some = both(some, ir.Binary("<", ir.Local(into), ir.Const(last)))
    return (*_note_default(low, question, binder, env), question.ask(into), ir.If(some, taken, otherwise))


def locals_of(variables: Sequence[t.Variable], env: Env) -> tuple[tuple[str, str], ...]:
    """The names of what is known, each with the local that holds it; a set has no single one."""
    known = ((v.name, env.values.get(v)) for v in variables if not isinstance(v.type, SetT))
    return tuple(
        (name, chosen_locals.name) for name, chosen_locals in known if isinstance(chosen_locals, ir.Local)
    )


def _note_default(low: Lowering, question: Question, binder: t.Binder, env: Env) -> ir.Body:
    """Record the default answer before the question."""
    if binder.usual is None:
        return ()
    usual = values.value(low, binder.usual, env)
    return (low.note(notes.usual(question.site, 0), question.who, usual),)


def pick(low: Lowering, node: t.Pick, env: Env) -> ir.Body:
    answers = tuple(
        _option(low, Answer(word, (), needs=(test,) if test else (), span=node.span), node, effect, env)
        for word, test, effect in node.options
    )
    prompt = node.question or "pick one"
    spec = QuestionSpec(who=values.value(low, node.who, env), kind="pick", prompt=prompt, span=node.span)
    if low.questions.asks_without_choices(node):
        spec = _secretly(low, spec)
    question = choices.question(low, spec, answers, env)
    into = low.fresh("answer")
    cases = []
    for option, (word, _, effect) in zip(question.site.options, node.options, strict=False):
        notice = low.note(notes.picked(low, word, node.span, spec.sees), ir.Load(ir.WHO))
        cases.append((option.first, (notice, *statements.block(low, effect, env))))
    return (question.ask(into), *branches.by_value(ir.Local(into), cases))


def _option(low: Lowering, answer: Answer, node: t.Pick, effect: t.Block, env: Env) -> Answer:
    """An option of a menu; in a cost it must leave the rest payable."""
    if not ways.looks_ahead(node, env):
        return answer
    assert env.owes is not None
    parts = (*effect.statements, *env.owes)
    return replace(answer, test=lambda e: ways.payable(low, parts, e), uses=parts)


def sealed(low: Lowering, node: t.Sealed, env: Env) -> ir.Body:
    """Collect the answers of all players in the frame, which no view shows. Then run the body for each.

    The choice of one player is one answer, however many things it has, because the first thing would reveal
    the others.
    """
    answers, into = low.fresh("answers"), low.fresh("answer")
    binders = tuple(part for b in node.binders if (part := joint(b)) is not None)
    answer = Answer("", binders, span=node.binders[0].span)
    inner: list[ir.Option] = []
    only = _only_who(low, node.span)
    words = (NOTHING,) if low.questions.asks_without_choices(node) else ()

    def ask(e: Env) -> ir.Body:
        prompt = " ".join(b.question for b in node.binders if b.question)
        prompt = prompt or f"choose {' and '.join(bound_by(b).name for b in binders)} secretly"
        player = e.expr(node.each.variable)
        assert isinstance(player, ir.Local)
        seal = ir.Sealed(answers, player.name)
        spec = QuestionSpec(
            who=player, kind="secret", prompt=prompt, span=answer.span, sees=only, sealed=seal
        )
        spec = replace(spec, words=words, alone=True)
        question = choices.question(low, spec, (answer,), e)
        inner[:] = [question.site.options[0]]
        return (question.ask(into), ir.SetElement(answers, player, add(ir.Local(into), 1)))

    def reveal(e: Env) -> ir.Body:
        code = add(ir.Element(answers, e.expr(node.each.variable)), -1)
        prelude, bound = _opened(low, binders, taken_apart(inner[0], code), e)
        opened = low.note(notice, e.expr(node.each.variable))
        body = (*prelude, opened, *statements.block(low, node.body, bound))
        some = both(ir.Binary(">=", code, ZERO), ir.Binary("<", code, ir.Const(inner[0].count)))
        return (ir.If(some if words else ir.Binary(">=", code, ZERO), body),)

    notice = notes.unsealed(low, node.span, only)
    over = () if leaves(node) else (low.note(notice, ZERO),)
    first = walks.walk(low, node.each, env, ask, frozen=True)
    second = walks.walk(low, node.each, env, reveal, frozen=True)
    return (ir.NewArray(answers, low.layout.players + 1), *first, *second, *over)


def _opened(
    low: Lowering, binders: tuple[Joint, ...], digits: tuple[ir.Expr, ...], env: Env
) -> tuple[ir.Body, Env]:
    """The parts of an answer in locals, and what is known by them."""
    prelude: list[ir.Statement] = []
    for binder in binders:
        width = len(digits_of(binder))
        values_ = values_of(low, binder, digits[:width])
        names = tuple(low.fresh(bound_by(binder).name) for _ in values_)
        prelude += [ir.Set(name, value) for name, value in zip(names, values_, strict=True)]
        chosen_locals = tuple(ir.Local(name) for name in names)
        env = env.bind(
            bound_by(binder), Words(chosen_locals) if isinstance(binder, Together) else chosen_locals[0]
        )
        digits = digits[width:]
    return tuple(prelude), env
