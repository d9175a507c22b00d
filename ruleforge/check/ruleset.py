"""A whole ruleset: the model -> Checked, with every complaint on the way in the report."""

from __future__ import annotations

from ruleforge.check import typed as t
from ruleforge.check.declare import Declarations
from ruleforge.check.scope import Scope
from ruleforge.check.statements import Frame, Statements
from ruleforge.check.symbols import Symbols
from ruleforge.check.types import NumberT, ThingT
from ruleforge.diagnostics import NOWHERE, Report
from ruleforge.dsl.from_text import parse_binder, parse_block, parse_expr, parse_picked
from ruleforge.model import ruleset as m
from ruleforge.source.scalar_origin import SourceText

WINDOWS = ("one", "maybe", "many")


def check(ruleset: m.Ruleset, report: Report, digest: str = "") -> t.Checked:
    """Resolve and type everything; the product is only meant for use if the report has no error."""
    return _Checker(ruleset, report, digest).run()


class _Checker:
    def __init__(self, ruleset: m.Ruleset, report: Report, digest: str) -> None:
        self.ruleset, self.report, self.digest = ruleset, report, digest
        self.symbols = Symbols(report)
        self.declarations = Declarations(ruleset, self.symbols)
        self.expressions = self.declarations.expressions
        self.statements = Statements(self.expressions)
        self.symbols.check_body = self._body
        self._sources: dict[str, m.Formula | m.Event] = {d.id: d for d in (*ruleset.formulas, *ruleset.events)}

    def run(self) -> t.Checked:
        self.declarations.declare()
        self._phase_names(self.ruleset.flow)
        self.declarations.visibility()
        for formula in self.symbols.formulas.values():
            self.symbols.ready(formula)
        for event in self.symbols.events.values():
            self.symbols.ready(event)
        actions = {a.id: self._action(a) for a in self.ruleset.actions}
        setup = self._block(self.ruleset.setup, Scope())
        flow = tuple(self._phase(p, Scope()) for p in self.ruleset.flow)
        symbols, ruleset = self.symbols, self.ruleset
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
            ruleset.files,
        )

    # --- bodies ---

    def _body(self, definition: t.Formula | t.Event) -> None:
        source = self._sources[definition.name]
        scope = Scope().bind(*definition.parameters)
        if isinstance(definition, t.Formula):
            assert isinstance(source, m.Formula)
            node = parse_expr(source.value, self.report) if source.value else None
            if node is not None:
                definition.body = self.expressions.check(node, scope)
                definition.result = definition.body.type
            return
        assert isinstance(source, m.Event)
        definition.needs = self._conditions(source.needs, scope)
        block = parse_block(source.do, self.report) if source.do else None
        if block is not None:
            definition.body, definition.result = self.statements.block(block, scope, Frame(returns=True))

    def _conditions(self, texts: tuple[SourceText, ...], scope: Scope) -> tuple[t.Expr, ...]:
        nodes = [parse_expr(text, self.report) for text in texts]
        return tuple(self.expressions.condition(node, scope) for node in nodes if node is not None)

    def _block(self, text: SourceText | None, scope: Scope) -> t.Block | None:
        block = parse_block(text, self.report) if text else None
        return self.statements.block(block, scope)[0] if block else None

    def _score(self) -> tuple[t.Variable, t.Expr] | None:
        node = parse_expr(self.ruleset.scores, self.report) if self.ruleset.scores else None
        if node is None:
            return None
        player = t.Variable("p", ThingT("player"), NOWHERE, -1)
        value = self.expressions.wanted(node, Scope().bind(player), NumberT(0, 0), "a score")
        return player, value

    # --- actions and flow ---

    def _action(self, action: m.Action) -> t.Action:
        me = self.expressions.variable("me", ThingT("player"), _At(action.span))  # type: ignore[arg-type]
        scope = Scope().bind(me)
        binders = []
        for name, text in action.choose:
            node = parse_picked(text, self.report, name)
            if node is None:
                continue
            binder, scope = self.expressions.binder(node, scope)
            binders.append(binder)
        needs = self._conditions(action.needs, scope)
        for text in action.needs:
            node2 = parse_expr(text, Report())
            if node2 is not None:
                scope = self.expressions.when_true(node2, scope)
        for phase in action.during:
            if phase.text.strip() not in self.symbols.phases:
                self.symbols.unknown("phase", phase.text.strip(), phase.span, list(self.symbols.phases))
        return t.Action(
            action.id,
            me,
            action.span,
            tuple(p.text.strip() for p in action.during),
            tuple(binders),
            needs,
            action.joined,
            self._block(action.do, scope),
            action.title or action.id,
            action.text or "",
            action.cites,
        )

    def _phase_names(self, phases: tuple[m.Phase, ...]) -> None:
        for phase in phases:
            if phase.id in self.symbols.phases:
                self.symbols.error("RF505", f"there is already a phase `{phase.id}`", phase.span)
            self.symbols.phases[phase.id] = phase.span
            self._phase_names(phase.steps)

    def _phase(self, phase: m.Phase, scope: Scope) -> t.Phase:
        typed = t.Phase(phase.id, phase.span, title=phase.title or phase.id, clauses=phase.cites)
        typed.when = self._condition(phase.when, scope)
        typed.repeat = self._condition(phase.repeat, scope)
        node = parse_binder(phase.each, self.report) if phase.each else None
        if node is not None:
            typed.each, scope = self.expressions.binder(node, scope)
        typed.me = scope.variables.get("me")
        typed.body = self._block(phase.do, scope)
        typed.window = phase.window
        if phase.window and typed.me is None:
            self.symbols.error(
                "RF506", "a window needs somebody to act", phase.span, "add `each: me in players` here or above"
            )
        typed.stuck = self._block(phase.stuck, scope)
        typed.steps = tuple(self._phase(p, scope) for p in phase.steps)
        typed.end = self._block(phase.end, scope)
        return typed

    def _condition(self, text: SourceText | None, scope: Scope) -> t.Expr | None:
        node = parse_expr(text, self.report) if text else None
        return self.expressions.condition(node, scope) if node is not None else None


class _At:
    """Gives a definition's span where a node's is wanted."""

    def __init__(self, span: t.Span) -> None:
        self.span = span
