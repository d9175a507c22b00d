"""A whole ruleset: the model -> Checked, with every complaint on the way in the report."""

from __future__ import annotations

from ruleforge.check import typed as t
from ruleforge.check.bearers import print_fixed
from ruleforge.check.declare import Declarations
from ruleforge.check.rules import Bearer, Rules
from ruleforge.check.scope import Scope
from ruleforge.check.statements import Frame, Statements
from ruleforge.check.symbols import Symbols
from ruleforge.check.types import INT_MAX, INT_MIN, NumberT, SetT, ThingT, Type, fits
from ruleforge.diagnostics import NOWHERE, Report, Span
from ruleforge.dsl.parsed import Parsed
from ruleforge.model import ruleset as m
from ruleforge.model.words import words_of
from ruleforge.source.scalar_origin import SourceText


def check(ruleset: m.Ruleset, parsed: Parsed, report: Report, digest: str = "") -> t.Checked:
    """Resolve and type everything; the product is only meant for use if the report has no error."""
    return _Checker(ruleset, parsed, report, digest).run()


class _Checker:
    def __init__(self, ruleset: m.Ruleset, parsed: Parsed, report: Report, digest: str) -> None:
        self.ruleset, self.parsed, self.digest = ruleset, parsed, digest
        self.symbols = Symbols(report, parsed)
        self.declarations = Declarations(ruleset, self.symbols)
        self.expressions = self.declarations.expressions
        self.statements = Statements(self.expressions)
        self.rules = Rules(self.symbols, self.expressions, self.statements)
        self.symbols.check_body = self._body
        self._sources: dict[str, m.Formula | m.Event] = {f.id: f for f in ruleset.formulas}
        self._sources.update({e.id: e for e in ruleset.events})

    def run(self) -> t.Checked:
        self.declarations.declare()
        self._phase_names(self.ruleset.flow)
        self.declarations.sight.visibility()
        for formula in self.symbols.formulas.values():
            self.symbols.ready(formula)
        for event in self.symbols.events.values():
            self.symbols.ready(event)
        self._lasting()
        actions: dict[str, t.Action] = {}
        rules: list[t.Rule] = []
        for bearer, more_rules, more_actions in self._printed():
            for source in more_rules:
                rule = self.rules.rule(source, bearer)
                rules += [rule] if rule else []
            for action in more_actions:
                actions[f"{bearer.prefix}{action.id}"] = self._action(action, bearer)
        print_fixed(rules, actions.values(), self.symbols.columns)
        setup = self._block(self.ruleset.setup, Scope())
        flow = tuple(self._phase(p, Scope()) for p in self.ruleset.flow)
        symbols, ruleset = self.symbols, self.ruleset
        for shown in sorted(symbols.shown):
            kind = symbols.kinds[shown]
            known = t.Column(
                "known", kind, SetT("player"), kind.span, start=t.Constant(NOWHERE, SetT("player"), 0)
            )
            symbols.columns[shown, "known"] = known
        return t.Checked(
            ruleset.id,
            ruleset.title,
            ruleset.version,
            ruleset.text,
            ruleset.players,
            self.digest,
            dict(ruleset.limits),
            symbols.kinds,
            symbols.columns,
            symbols.places,
            symbols.formulas,
            symbols.events,
            actions,
            symbols.endings,
            symbols.options,
            symbols.geometry,
            setup,
            flow,
            self._score(),
            symbols.keywords,
            rules,
            symbols.windows,
            self._invariants(),
            self._checks(),
            ruleset.files,
            words_of(ruleset),
        )

    def _printed(self) -> list[tuple[Bearer, tuple[m.Rule, ...], tuple[m.Action, ...]]]:
        """Everything that carries rules and actions, in the order in which it is written."""
        found = [(Bearer(), self.ruleset.rules, self.ruleset.actions)]
        for source in self.ruleset.kinds:
            kind = self.symbols.kinds.get(source.id)
            if kind is None:
                continue
            found.append((Bearer(kind, prefix=f"{source.id}."), source.rules, source.actions))
            number = 1
            for thing in source.things:
                ids = tuple(range(number, number + thing.copies))
                found.append((Bearer(kind, ids, prefix=f"{thing.id}."), thing.rules, thing.actions))
                number += thing.copies
        for keyword in self.ruleset.keywords:
            typed = self.symbols.keywords.get(keyword.id)
            if typed is not None:
                bearer = Bearer(typed.kind, None, typed, f"{keyword.id}.")
                found.append((bearer, keyword.rules, keyword.actions))
        return found

    def _lasting(self) -> None:
        """When things of a pool go, and when endings are looked for: both are patterns."""
        for source in self.ruleset.kinds:
            if source.lasts is not None and source.id in self.symbols.kinds:
                self.symbols.kinds[source.id].lasts = self._pattern(source.lasts)
        for ending in self.ruleset.endings:
            typed = self.symbols.endings[ending.id]
            if ending.at is not None:
                typed.at = self._pattern(ending.at)
            typed.when = self._condition(ending.when, Scope())
            node = self.parsed.expr(ending.winners) if ending.winners else None
            if node is not None:
                typed.winners = self.expressions.check(node, Scope(), SetT("player"))
                if not fits(typed.winners.type, SetT("player")) and not fits(
                    typed.winners.type, ThingT("player")
                ):
                    self.symbols.error(
                        "RF502", f"winners are players, this is {typed.winners.type}", node.span
                    )

    def _pattern(self, text: SourceText) -> t.Pattern | None:
        node = self.parsed.pattern(text)
        found = self.rules.pattern(node, Scope()) if node is not None else None
        return found[0] if found else None

    def _invariants(self) -> list[t.Invariant]:
        found = []
        for invariant in self.ruleset.invariants:
            test = self._condition(invariant.that, Scope())
            if test is not None:
                found.append(
                    t.Invariant(invariant.id, test, invariant.text or "", invariant.span, invariant.cites)
                )
        return found

    def _checks(self) -> list[t.Check]:
        found = []
        for source in self.ruleset.checks:
            scope, binder = Scope(), None
            node = self.parsed.binder(source.each) if source.each else None
            if node is not None:
                binder, scope = self.expressions.binder(node, scope)
            test = self._condition(source.that, scope)
            if test is not None:
                found.append(t.Check(source.id, binder, test, source.text or "", source.span, source.cites))
        return found

    # --- bodies ---

    def _body(self, definition: t.Formula | t.Event) -> None:
        source = self._sources[definition.name]
        scope = Scope().bind(*definition.parameters)
        if isinstance(definition, t.Formula):
            assert isinstance(source, m.Formula)
            node = self.parsed.expr(source.value) if source.value else None
            if node is not None:
                definition.body = self.expressions.check(node, scope)
                definition.result = modified(definition)
            definition.sees = self.declarations.sight.shown(definition, source.sees)
            return
        assert isinstance(source, m.Event)
        definition.needs = self._conditions(source.needs, scope)
        block = self.parsed.block(source.do) if source.do else None
        if block is not None:
            definition.body, definition.result = self.statements.block(block, scope, Frame(returns=True))

    def _conditions(self, texts: tuple[SourceText, ...], scope: Scope) -> tuple[t.Expr, ...]:
        nodes = [self.parsed.expr(text) for text in texts]
        return tuple(self.expressions.condition(node, scope) for node in nodes if node is not None)

    def _block(self, text: SourceText | None, scope: Scope) -> t.Block | None:
        block = self.parsed.block(text) if text else None
        return self.statements.block(block, scope)[0] if block else None

    def _score(self) -> tuple[t.Variable, t.Expr] | None:
        node = self.parsed.expr(self.ruleset.scores) if self.ruleset.scores else None
        if node is None:
            return None
        player = t.Variable("p", ThingT("player"), NOWHERE, -1)
        value = self.expressions.wanted(node, Scope().bind(player), NumberT(0, 0), "a score")
        return player, value

    # --- actions and flow ---

    def _action(self, action: m.Action, bearer: Bearer) -> t.Action:
        carrier, scope = self.rules.carrier(bearer, action.works, action.span)
        me = scope.variables.get("me")
        if me is None:
            me = self.expressions.variable("me", ThingT("player"), _At(action.span))  # type: ignore[arg-type]
            scope = scope.bind(me)
        typed = t.Action(f"{bearer.prefix}{action.id}", me, action.span, carrier=carrier)
        typed.title, typed.text, typed.clauses = action.title or action.id, action.text or "", action.cites
        typed.during, typed.joined = tuple(p.text.strip() for p in action.during), action.joined
        typed.given = self._windows_of(action)
        scope = scope.bind(*typed.given)
        binders: list[t.Binder | t.Several] = []
        for _, text in action.choose:
            node = self.parsed.picked(text)
            if node is not None:
                binder, scope = self.statements.choice(node, scope)
                binders.append(binder)
        typed.binders = tuple(binders)
        typed.needs, scope = self._requirements(action.needs, scope)
        typed.limit = self.rules.limit(typed.name, action.limit, carrier, True)
        typed.cost = self._block(action.cost, scope)
        typed.body = self._block(action.do, scope)
        typed.holds = self._conditions(action.holds, scope.after_change())
        typed.sees = self.declarations.sight.told(action.sees)
        return typed

    def _requirements(self, texts: tuple[SourceText, ...], scope: Scope) -> tuple[tuple[t.Expr, ...], Scope]:
        """Conditions one after the other; each may rely on those before it, and the effect on all of them."""
        found = []
        for text in texts:
            node = self.parsed.expr(text)
            if node is not None:
                found.append(self.expressions.condition(node, scope))
                scope = self.expressions.when_true(node, scope)
        return tuple(found), scope

    def _windows_of(self, action: m.Action) -> tuple[t.Variable, ...]:
        """The parameters of the window an action is offered in; an action in several has none."""
        known = [*self.symbols.phases, *self.symbols.windows]
        for phase in action.during:
            if phase.text.strip() not in known:
                self.symbols.unknown("phase or window", phase.text.strip(), phase.span, known)
        names = [p.text.strip() for p in action.during]
        if len(names) == 1 and names[0] in self.symbols.windows:
            return self.symbols.windows[names[0]].parameters
        return ()

    def _phase_names(self, phases: tuple[m.Phase, ...]) -> None:
        for phase in phases:
            if phase.id in self.symbols.phases:
                self.symbols.error("RF505", f"there is already a phase `{phase.id}`", phase.span)
            self.symbols.phases[phase.id] = phase.span
            self._phase_names(phase.steps)

    def _phase(self, phase: m.Phase, scope: Scope) -> t.Phase:
        typed = t.Phase(
            phase.id, phase.span, title=phase.title or phase.text or phase.id, clauses=phase.cites
        )
        typed.when = self._condition(phase.when, scope)
        typed.repeat = self._condition(phase.repeat, scope)
        node = self.parsed.binder(phase.each) if phase.each else None
        if node is not None:
            typed.each, scope = self.expressions.binder(node, scope)
        typed.me = scope.variables.get("me")
        typed.body = self._block(phase.do, scope)
        typed.window = phase.window
        if phase.window and typed.me is None:
            self.symbols.error(
                "RF506",
                "a window needs somebody to act",
                phase.span,
                "add `each: me in players` here or above",
            )
        typed.stuck = self._block(phase.stuck, scope)
        typed.holds = self._conditions(phase.holds, scope)
        typed.sees = self.declarations.sight.told(phase.sees)
        typed.steps = tuple(self._phase(p, scope) for p in phase.steps)
        typed.end = self._block(phase.end, scope)
        return typed

    def _condition(self, text: SourceText | None, scope: Scope) -> t.Expr | None:
        node = self.parsed.expr(text) if text else None
        return self.expressions.condition(node, scope) if node is not None else None


class _At:
    """Gives a definition's span where a node's is wanted."""

    def __init__(self, span: Span) -> None:
        self.span = span


def modified(formula: t.Formula) -> Type:
    """The type of an open formula: what modifiers can make of it within its limits."""
    assert formula.body is not None
    base = formula.body.type
    if not isinstance(base, NumberT) or not formula.open:
        return base
    if formula.clamp is not None:
        return NumberT(*formula.clamp)
    low, high = formula.sum or (INT_MIN, INT_MAX)
    return NumberT(max(INT_MIN, base.low + low), min(INT_MAX, base.high + high))
