"""Why not? What stands before the answers to every question that effects put, as functions of their own."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.compiler import ir
from ruleforge.compiler.lower.context import Env, Inquiry, Lowering
from ruleforge.compiler.lower.decisions import costs, several
from ruleforge.compiler.lower.decisions.answers import Answer, early_needs, late_needs
from ruleforge.compiler.lower.decisions.parts import bind, digits_of
from ruleforge.compiler.lower.decisions.possibility import possible
from ruleforge.compiler.lower.expressions import values
from ruleforge.compiler.lower.sets import masks
from ruleforge.compiler.question_functions import Asker, parts_of_test
from ruleforge.compiler.questions import Requirement, SiteQuestions
from ruleforge.compiler.why_not_conditions import held_things, of_act, of_parts
from ruleforge.lang.checker import typed as t

ZERO = ir.Const(0)


def site_questions(low: Lowering) -> dict[int, SiteQuestions]:
    """By the number of the site."""
    actions = tuple(low.rules.actions.values())
    return {inquiry.site.number: _Inquirer(low, inquiry, actions).all() for inquiry in tuple(low.inquiries)}


class _Inquirer:
    """Asks about one question; what actions need is asked for each action."""

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
        holds = held_things(self._low, self._env, self._inquiry.free, self._parameters)
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
        """How much of a payment comes from one purse."""
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
        held, item = self._env.words(node.chosen), ir.Local(name)
        fresh = values.negated(masks.has_bit(held, item))
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
