"""Checks actions and the flow: the choices of players, and the phases that offer them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.ask_key import IF_ANYTHING, asking
from ruleforge.lang.checker.declare.visibility import Seeing
from ruleforge.lang.checker.rules import Bearer, Rules
from ruleforge.lang.checker.scope import Scope
from ruleforge.lang.checker.statements.choices import choices
from ruleforge.lang.checker.types import ThingT
from ruleforge.lang.model import ruleset as m
from ruleforge.lang.source.scalar_origin import SourceText

_WORD = re.compile(r"[a-z]\w*")


class Acting:
    def __init__(self, rules: Rules, seeing: Seeing) -> None:
        self.rules, self.seeing, self.statements = rules, seeing, rules.statements
        self.expressions, self.symbols, self.parsed = rules.expressions, rules.symbols, rules.parsed
        self.scopes: dict[str, Scope] = {}  # what the effect of each action may rely on

    # --- single texts ---

    def condition(self, text: SourceText | None, scope: Scope) -> t.Expr | None:
        node = self.parsed.expr(text) if text else None
        self.symbols.may_speak_of(text, scope.variables)
        return self.expressions.condition(node, scope) if node is not None else None

    def each(self, text: SourceText | None, scope: Scope) -> tuple[t.Binder | None, Scope]:
        """The binder of an `each` text; if the text cannot be read, all its words may be names."""
        node = self.parsed.binder(text) if text else None
        if node is not None:
            return self.expressions.binder(node, scope)
        if text is not None:
            self.symbols.lost(*_WORD.findall(text.text))
        return None, scope

    def conditions(self, texts: tuple[SourceText, ...], scope: Scope) -> tuple[t.Expr, ...]:
        found = (self.condition(text, scope) for text in texts)
        return tuple(test for test in found if test is not None)

    def block(self, text: SourceText | None, scope: Scope) -> t.Block | None:
        block = self.parsed.block(text) if text else None
        self.symbols.may_speak_of(text, scope.variables)
        return self.statements.text(block, scope)[0] if block else None

    # --- actions ---

    def action_names(self, prefix: str, actions: Iterable[m.Action]) -> None:
        """Note the phases that offer each action, for expressions that ask whether it can be taken."""
        for action in actions:
            places = tuple(place.text.strip() for place in action.during)
            self.symbols.offered.setdefault(action.id, []).append((prefix.rstrip("."), places))

    def action(self, action: m.Action, bearer: Bearer) -> t.Action:
        name = f"{bearer.prefix}{action.id}"
        carrier, scope = self.rules.carrier(bearer, action.works, action.span)
        me = scope.variables.get("me") or t.Variable("me", ThingT("player"), action.span)
        given = self._given(action)
        if action.manner is not None:
            self.symbols.uses.name("manner", action.manner.text.strip(), action.manner.span)
        scope = scope.bind(me, *given)
        binders, scope = self._binders(action, scope)
        needs, scope = self._requirements(action.needs, scope)
        self.scopes[name] = scope
        return t.Action(
            name,
            me,
            action.span,
            tuple(phase.text.strip() for phase in action.during),
            binders,
            needs,
            action.joined,
            self.block(action.do, scope),
            action.title or action.id,
            action.text or "",
            action.cites,
            carrier,
            given,
            self.rules.limit(name, action.limit, carrier, True),
            self.block(action.cost, scope),
            self.conditions(action.holds, scope.after_change()),
            self.seeing.observers_of_action(action.sees),
        )

    def _given(self, action: m.Action) -> tuple[t.Variable, ...]:
        """The parameters of the window an action is offered in; an action in several has none."""
        known = [*self.symbols.phases, *self.symbols.windows]
        for phase in action.during:
            name = phase.text.strip()
            if name not in known:
                self.symbols.unknown("phase or window", name, phase.span, known, section="flow")
            self.symbols.uses.name("phase" if name in self.symbols.phases else "window", name, phase.span)
        return self.symbols.given_in(tuple(phase.text.strip() for phase in action.during))

    def _binders(self, action: m.Action, scope: Scope) -> tuple[tuple[t.Binder | t.Several, ...], Scope]:
        for name, text in action.choose:
            self.symbols.may_speak_of(text, scope.variables)
            if self.parsed.picked(text) is None:  # that it is chosen is known, and nothing else
                self.symbols.lost(name)
        nodes = (self.parsed.picked(text) for _, text in action.choose)
        return choices(self.expressions, tuple(node for node in nodes if node is not None), scope)

    def _requirements(self, texts: tuple[SourceText, ...], scope: Scope) -> tuple[tuple[t.Expr, ...], Scope]:
        """Conditions one after the other; each may rely on those before it, and the effect on all of them."""
        found = []
        for text in texts:
            node = self.parsed.expr(text)
            self.symbols.may_speak_of(text, scope.variables)
            if node is not None:
                found.append(self.expressions.condition(node, scope))
                scope = self.expressions.when_true(node, scope)
        return tuple(found), scope

    # --- flow ---

    def phase_names(self, phases: tuple[m.Phase, ...]) -> None:
        for phase in phases:
            if phase.id in self.symbols.phases:
                self.symbols.error("RF505", f"there is already a phase `{phase.id}`", phase.span)
            self.symbols.phases[phase.id] = phase.span
            if phase.window:
                self.symbols.acting[phase.id] = None
            self.phase_names(phase.steps)

    def phase(self, phase: m.Phase, scope: Scope) -> t.Phase:
        """A phase and its steps; `when` and `repeat` are evaluated before any player's turn begins."""
        when, repeat = self.condition(phase.when, scope), self.condition(phase.repeat, scope)
        each, scope = self.each(phase.each, scope)
        unread = phase.each is not None and each is None
        if (unread or self.symbols.error_nodes.damage(phase.span)) and "me" not in scope.variables:
            scope = scope.bind(t.Variable("me", ThingT("player"), phase.span))
        me = scope.variables.get("me")
        if phase.window and me is None:
            help = "add `each: me in players` here or above"
            self.symbols.error("RF506", "a window needs a player who acts", phase.span, help)
        offer = asking(phase, self.symbols)
        return t.Phase(
            phase.id,
            phase.span,
            when,
            each,
            me,
            repeat,
            self.block(phase.do, scope),
            phase.window,
            phase.openly or offer == IF_ANYTHING,
            self.block(phase.stuck, scope),
            self.conditions(phase.holds, Scope().bind(*(v for v in (me,) if v is not None))),  # as actions do
            self.seeing.observers_of_action(phase.sees),
            tuple(self.phase(step, scope) for step in phase.steps),
            self.block(phase.end, scope),
            phase.title or phase.text or phase.id,
            phase.cites,
            offer,
        )
