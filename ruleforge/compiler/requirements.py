"""Why not? Everything that stands before an action or an answer as a function of its own, compiled when somebody asks.

The questioning program has the same row as the one that is played; it only has more functions.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.compiler import ir
from ruleforge.compiler.asker import Asker, parts_of_test, words_of
from ruleforge.compiler.lower.context import Env, Lazy, Lowering
from ruleforge.compiler.lower.decisions import costs, windows
from ruleforge.compiler.lower.decisions.answering import Answer, late_needs
from ruleforge.compiler.lower.decisions.parts import Joint, Together, bind, digits_of, parts_of
from ruleforge.compiler.lower.decisions.possibility import possible
from ruleforge.compiler.lower.sets import modifiers
from ruleforge.compiler.questions import ActionQuestions, Holds, Requirement
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import SetT, ThingT
from ruleforge.lang.checker.walk import free_variables, phases_of

Digits = tuple[tuple[Joint, t.Variable], ...]


def action_questions(low: Lowering) -> dict[str, ActionQuestions]:
    return {name: _of_action(low, action) for name, action in low.rules.actions.items()}


def _of_action(low: Lowering, action: t.Action) -> ActionQuestions:
    binders = windows.known_by_name(action)
    digits = tuple((binder, digit) for binder in binders for digit in digits_of(binder))
    variables = (action.me, *action.given, *(digit for _, digit in digits))
    parameters, env = modifiers.parameters_of(low, variables)
    for binder in binders:
        env = bind(low, binder, tuple(env.expr(digit) for digit in digits_of(binder)), env)
    env = windows.with_given(low, action, env)
    asker = Asker(low, action.name, action.me, parameters, env)
    found = [*of_parts(asker, digits), *_of_needs(asker, action, digits), *_completed(asker, action)]
    found += of_act(asker, action, digits)
    for phase in phases_of(low.rules.flow):
        if phase.name in action.during:
            found += _holds(asker, action, phase.name, phase.holds, phase.me, len(digits))
    parts = tuple(part for binder in binders for part in parts_of(low, binder))
    given = len(parameters) - 1 - len(digits)
    usual = tuple(asker.usual(binder) for binder, _ in digits)
    holds = held_things(low, env, action.given, parameters)
    return ActionQuestions(
        action.name, action.during, given, parts, tuple(found), action.span, action.clauses, usual, holds
    )


def held_things(
    low: Lowering, env: Env, variables: tuple[t.Variable, ...], parameters: tuple[str, ...]
) -> tuple[Holds, ...]:
    """Which parameters hold things, of those that some locals became."""
    found: list[Holds] = []
    for variable in variables:
        held, type_ = env.values[variable], variable.type
        if not isinstance(type_, ThingT | SetT) or isinstance(held, Lazy):
            continue
        number = low.layout.number(low.kind(type_.kind))
        for word, one in enumerate(env.words(variable)):
            if isinstance(one, ir.Local) and one.name in parameters:
                own = word if isinstance(type_, SetT) else None
                found.append(Holds(parameters.index(one.name), number, own))
    return tuple(found)


def of_parts(asker: Asker, digits: Digits) -> Iterator[Requirement]:
    """What makes each part one of those to choose from, and a set of parts one that can be chosen."""
    for number, (binder, digit) in enumerate(digits, start=1):
        yield from asker.offered(binder, digit, number)
        if isinstance(binder, Together) and digit is digits_of(binder)[-1]:
            for part in parts_of_test(binder.node.such):
                if not asker.unbound(part):
                    yield from asker.conditions("such", part, number)


def _of_needs(asker: Asker, action: t.Action, digits: Digits) -> Iterator[Requirement]:
    """The author's conditions; those that speak of a set taken one by one are asked where it is taken."""
    for need in action.needs:
        if not asker.unbound(need):
            for part in parts_of_test(need):
                yield from asker.conditions("needs", part, _bound_at(action, digits, part))


def _bound_at(action: t.Action, digits: Digits, *nodes: object) -> int:
    """How many parts must be known before something can be asked that speaks of some of them; what carries the
    action is the first, and everything may speak of it."""
    used = set(free_variables(*nodes))
    known = (n for n, (binder, digit) in enumerate(digits, start=1) if used & {digit, *_names(binder)})
    return max(known, default=int(action.carrier is not None))


def _names(binder: Joint) -> tuple[t.Variable, ...]:
    return (binder.node.chosen,) if isinstance(binder, Together) else ()


def _completed(asker: Asker, action: t.Action) -> Iterator[Requirement]:
    """That what is asked after the action itself can be answered, paid for, and leaves things in order."""
    now, later = windows.in_steps(action)
    if not later:
        return
    low, binds = asker.low, sum(len(digits_of(binder)) for binder in now)
    answer = Answer("", now, later, action.needs)
    test = possible(low, later, late_needs(answer), asker.env)
    looks = asker.looks(*later, *action.needs)
    yield Requirement("later", later[0].span, asker.function(test, later[0].span), binds, looks=looks)
    if action.cost or action.holds:
        ahead = windows.later_allowed(low, action, later, asker.env)
        yield Requirement("ahead", action.span, asker.function(ahead, action.span), binds)


def of_act(asker: Asker, action: t.Action, digits: Digits) -> Iterator[Requirement]:
    """What is asked beside the author's conditions: the limit, the cost, and what must hold afterwards."""
    low, me, binds = asker.low, asker.env.expr(action.me), len(digits)
    if action.limit is not None:
        test = costs.within(low, action.limit, action.carrier, me, asker.env)
        span = action.limit.counter.span
        yield Requirement("limit", span, asker.function(test, span), _bound_at(action, digits))
    if action.cost is not None and not asker.unbound(action.cost):
        yield from asker.costs(action.cost, _bound_at(action, digits, action.cost))
    yield from _holds(asker, action, None, action.holds, None, binds)


def _holds(
    asker: Asker,
    action: t.Action,
    during: str | None,
    holds: tuple[t.Expr, ...],
    acting: t.Variable | None,
    binds: int,
) -> Iterator[Requirement]:
    """What must hold afterwards, each tried on a copy; not where a chosen set would be needed.

    Where the rules stop the action itself, nothing holds afterwards, and that is no reason.
    """
    env = asker.env if acting is None else asker.env.bind(acting, asker.env.expr(action.me))
    nodes = [n for n in (action.cost, action.body) if n is not None]
    if asker.within(env).unbound(*nodes, *holds):
        return
    if holds:
        call = windows.done(asker.low, action, (), env)
        trial = ir.Binary("==", ir.Trial(call.function, call.arguments), ir.Const(1))
        goes = asker.function(trial, action.span)
        breaks = asker.function(call, action.span)
        yield Requirement("stopped", action.span, goes, binds, during=during, breaks=breaks)
    for hold in holds:
        kept = windows.keeps(asker.low, action, (hold,), acting, env)
        text, clauses = words_of(hold)
        function = asker.function(kept, hold.span)
        yield Requirement("holds", hold.span, function, binds, (), text, clauses, during)
