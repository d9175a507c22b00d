"""Why-not explanations: every condition of an action or an answer as a function of its own."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Inquiry, Lazy, Lowering
from ruleforge.compiler.lower.decisions import costs, several, windows
from ruleforge.compiler.lower.decisions.answers import Answer, early_needs, late_needs
from ruleforge.compiler.lower.decisions.parts import Joint, Together, bind, digits_of, parts_of
from ruleforge.compiler.lower.decisions.possibility import possible
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import masks, modifiers
from ruleforge.compiler.question_functions import Asker, parts_of_test, words_of
from ruleforge.compiler.questions import ActionQuestions, Holds, Requirement, SiteQuestions
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import SetT, ThingT
from ruleforge.lang.checker.walk import free_variables, phases_of

Digits = tuple[tuple[Joint, t.Variable], ...]
ZERO = ir.Const(0)


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
    holds = things_in(low, env, action.given, parameters)
    return ActionQuestions(
        action.name, action.during, given, parts, tuple(found), action.span, action.clauses, usual, holds
    )


def things_in(
    low: Lowering, env: Env, variables: tuple[t.Variable, ...], parameters: tuple[str, ...]
) -> tuple[Holds, ...]:
    """The parameters that hold things, among those that come from some variables."""
    found: list[Holds] = []
    for variable in variables:
        value, type_ = env.values[variable], variable.type
        if not isinstance(type_, ThingT | SetT) or isinstance(value, Lazy):
            continue
        number = low.layout.number(low.kind(type_.kind))
        for word, one in enumerate(env.words(variable)):
            if isinstance(one, ir.Local) and one.name in parameters:
                own = word if isinstance(type_, SetT) else None
                found.append(Holds(parameters.index(one.name), number, own))
    return tuple(found)


def of_parts(asker: Asker, digits: Digits) -> Iterator[Requirement]:
    """The requirements that make each part a candidate, and a set of parts a valid set."""
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
    """The number of parts that must be known before a condition about some of them can be evaluated.

    The carrier of the action is the first part, and any condition can refer to it.
    """
    used = set(free_variables(*nodes))
    known = (n for n, (binder, digit) in enumerate(digits, start=1) if used & {digit, *_names(binder)})
    return max(known, default=int(action.carrier is not None))


def _names(binder: Joint) -> tuple[t.Variable, ...]:
    return (binder.node.chosen,) if isinstance(binder, Together) else ()


def _completed(asker: Asker, action: t.Action) -> Iterator[Requirement]:
    """The requirements that later choices have an answer, can be paid for, and keep the postconditions."""
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
    """The requirements beside the author's conditions: the limit, the cost, and the postconditions."""
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
    """The postconditions, each tried on a copy. Those that need a chosen set are left out.

    If the rules stop the action itself, no postcondition holds, and that is no reason.
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
        still_possible = windows.keeps(asker.low, action, (hold,), acting, env)
        text, clauses = words_of(hold)
        function = asker.function(still_possible, hold.span)
        yield Requirement("holds", hold.span, function, binds, (), text, clauses, during)


# Why not? What stands before the answers to every question that effects put, as functions of their own.


def site_questions(low: Lowering) -> dict[int, SiteQuestions]:
    """The questions of each site, by its number."""
    actions = tuple(low.rules.actions.values())
    return {inquiry.site.number: _Inquirer(low, inquiry, actions).all() for inquiry in tuple(low.inquiries)}


class _Inquirer:
    """Makes the requirements of one question. The needs of actions are included for each action."""

    def __init__(self, low: Lowering, inquiry: Inquiry, actions: tuple[t.Action, ...]) -> None:
        self._low, self._inquiry = low, inquiry
        site = inquiry.site
        self._action = None if site.action is None else actions[site.action]
        self._env, taken = low.inside(inquiry.free, inquiry.env)
        self._parameters = tuple(taken.values())

    def all(self) -> SiteQuestions:
        put, site = self._inquiry.put, self._inquiry.site
        found: list[tuple[Requirement, ...]]
        if isinstance(put, several.Gathering):
            found = [tuple(self._member(put)), tuple(self._done(put))]
            closing = [self._never("first", site) for _ in site.options[2:]]
        elif put is None:
            found, closing = [], [self._never("waits", site) for _ in site.options]
        else:
            assert isinstance(put, tuple)
            found = [() if a.action is not None else tuple(self._of_answer(a)) for a in put]
            closing = [self._never("alone", site) for _ in site.options[len(put) :]]
        clauses = site.clauses or self._low.written.clauses(site.span)
        holds = things_in(self._low, self._env, self._inquiry.free, self._parameters)
        return SiteQuestions((*found, *((one,) for one in closing)), clauses, holds)

    def _asker(self, parts: tuple[str, ...], env: Env) -> Asker:
        me = None if self._action is None else self._action.me
        return Asker(self._low, self._inquiry.site.prompt, me, (*self._parameters, *parts), env)

    def _never(self, what: str, site: ir.Site) -> Requirement:
        """A word that is not offered although it is one of this question's."""
        return Requirement(what, site.span, self._asker((), self._env).function(ZERO, site.span), 0)

    # --- one answer ---

    def _of_answer(self, answer: Answer) -> Iterator[Requirement]:
        low, env, names = self._low, self._env, list[str]()
        for binder in answer.binders:
            own = [low.fresh(digit.name) for digit in digits_of(binder)]
            env = bind(low, binder, tuple(map(ir.Local, own)), env)
            names += own
        digits = tuple((binder, digit) for binder in answer.binders for digit in digits_of(binder))
        asker = self._asker(tuple(names), env)
        if self._inquiry.site.kind == costs.PAY:
            yield from self._share(asker, answer)
        else:
            yield from of_parts(asker, digits)
        early, late = early_needs(answer), late_needs(answer)
        for need in early:
            for part in parts_of_test(need):
                yield from asker.conditions("needs", part, len(digits))
        yield from self._afterwards(asker, answer.later, late)
        if answer.test is None:
            return
        if self._action is not None and not answer.later:
            yield from of_act(asker, self._action, digits)
        else:
            test = answer.test(env)
            yield Requirement("ahead", answer.span, asker.function(test, answer.span), len(digits))

    def _share(self, asker: Asker, answer: Answer) -> Iterator[Requirement]:
        """The requirement on the share of a payment from one pool."""
        (binder,) = answer.binders
        assert isinstance(binder, t.Binder) and isinstance(binder.source, t.Interval)
        use = t.Use(binder.span, binder.variable.type, binder.variable)
        test = values.value(self._low, t.In(binder.span, t.TRUE.type, use, binder.source), asker.env)
        ends = asker.value(binder.source.low), asker.value(binder.source.high)
        function = asker.function(test, binder.span)
        yield Requirement("share", binder.span, function, 1, least=ends[0], most=ends[1])

    def _afterwards(
        self, asker: Asker, later: tuple[t.Binder | t.Several, ...], needs: tuple[t.Expr, ...]
    ) -> Iterator[Requirement]:
        if later:
            test = possible(self._low, later, needs, asker.env)
            function, looks = asker.function(test, later[0].span), asker.looks(*later, *needs)
            yield Requirement("later", later[0].span, function, 1, looks=looks)

    # --- a set that is taken one by one ---

    def _member(self, put: several.Gathering) -> Iterator[Requirement]:
        low, node = self._low, put.whole.node
        name = low.fresh(node.binder.variable.name)
        asker = self._asker((name,), self._env.bind(node.binder.variable, ir.Local(name)))
        yield from asker.offered(node.binder, node.binder.variable, 1)
        value, item = self._env.words(node.chosen), ir.Local(name)
        fresh = values.negated(masks.has_bit(value, item))
        yield Requirement("taken", node.span, asker.function(fresh, node.span), 1)
        test = several.completable(low, put.whole, self._env, self._env.expr(put.count), item)
        span = node.span if node.such is None else node.such.span
        looks = asker.looks(node, *put.whole.later, *put.whole.needs)
        yield Requirement("complete", span, asker.function(test, span), 1, looks=looks)

    def _done(self, put: several.Gathering) -> Iterator[Requirement]:
        low, node, asker = self._low, put.whole.node, self._asker((), self._env)
        enough = ir.Binary(">=", self._env.expr(put.count), values.value(low, node.least, self._env))
        least = asker.value(node.least)
        function, looks = asker.function(enough, node.span), asker.looks(node.least)
        yield Requirement("least", node.span, function, 0, least=least, looks=looks)
        for part in parts_of_test(node.such):
            yield from asker.conditions("such", part, 0)
        yield from self._afterwards(asker, put.whole.later, put.whole.needs)
