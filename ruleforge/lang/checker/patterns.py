"""Type checks triggers: the subject of a pattern, its bound names, and its tests."""

from __future__ import annotations

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.expressions.arguments import wrong_number_of_values
from ruleforge.lang.checker.expressions.checker import Expressions
from ruleforge.lang.checker.names import first_word, last_word
from ruleforge.lang.checker.scope import Scope
from ruleforge.lang.checker.types import ERROR, FLAG, NumberT, ThingT
from ruleforge.lang.checker.unknown_names import WORDS
from ruleforge.lang.parser import nodes as n
from ruleforge.support.diagnostics import Report


class Patterns:
    def __init__(self, expressions: Expressions) -> None:
        self.expressions, self.symbols = expressions, expressions.symbols

    def pattern(
        self, node: n.Pattern, scope: Scope, modifies: bool = False
    ) -> tuple[t.Pattern, Scope] | None:
        match node:
            case n.EventPattern(call=call) if modifies:
                return self._formula_pattern(call, scope)
            case n.EventPattern():
                return self._event_pattern(node, scope)
            case n.ChangePattern(target=n.Attribute(of=n.Name(id=kind), name=name)):
                self.symbols.uses.name("kind", kind, first_word(node.target.span, kind))
                return self._change_pattern(node, kind, name, scope)
            case n.MovePattern(thing=name):
                return self._move_pattern(node, name, scope)
            case n.PhasePattern():
                return self._phase_pattern(node, scope)
        self.symbols.error("RF506", "this cannot trigger a rule", node.span)
        return None

    def _event_pattern(self, node: n.EventPattern, scope: Scope) -> tuple[t.Pattern, Scope] | None:
        symbols, call = self.symbols, node.call
        event, here = symbols.events.get(call.name), first_word(call.span, call.name)
        if event is None:
            symbols.unknown("event", call.name, here, list(symbols.events))
            return None
        symbols.uses.name("event", call.name, here)
        return self._bind(node, call, event, event.parameters, scope)

    def _change_pattern(
        self, node: n.ChangePattern, kind: str, name: str, scope: Scope
    ) -> tuple[t.Pattern, Scope] | None:
        """Known behind it are the thing `it`, what the attribute is indexed by, and its `old` and `new` value."""
        symbols, column, span = self.symbols, self.symbols.column(kind, name), node.span
        if column is None or column.constant:
            symbols.unknown("attribute", f"{kind}.{name}", span, [f"{k}.{c}" for k, c in symbols.columns])
            return None
        symbols.uses.name("attribute", name, last_word(span, name), kind)
        it = t.Variable("it", ThingT(kind), span)
        index = (t.Variable(f"index{i or ''}", ThingT(k.name), span) for i, k in enumerate(column.per))
        old, new = (t.Variable(word, column.type, span) for word in ("old", "new"))
        variables = (it, *index, old, new)
        return t.Pattern(span, column, variables), scope.bind(*variables)

    def _phase_pattern(self, node: n.PhasePattern, scope: Scope) -> tuple[t.Pattern, Scope] | None:
        symbols, here = self.symbols, last_word(node.span, node.phase)
        if node.phase not in symbols.phases:
            symbols.unknown("phase", node.phase, here, list(symbols.phases), section="flow")
            return None
        symbols.uses.name("phase", node.phase, here)
        return t.Pattern(node.span, (node.edge, node.phase)), scope

    def _bind(
        self,
        node: n.Node,
        call: n.Call,
        subject: t.Event | t.Formula | t.Kind,
        parameters: tuple[t.Variable, ...],
        scope: Scope,
    ) -> tuple[t.Pattern, Scope] | None:
        """A new name is bound to the argument; anything else must be equal to it."""
        if len(call.arguments) != len(parameters):
            message, help = wrong_number_of_values(call, parameters)
            self.symbols.error("RF504", message, call.span, help)
            return None
        variables, tests = [], []
        inner = scope
        for argument, parameter in zip(call.arguments, parameters, strict=True):
            known = isinstance(argument, n.Name) and (
                argument.id in scope.variables
                or argument.id in self.symbols.things
                or argument.id in self.symbols.numbers
                or argument.id in WORDS
            )
            if isinstance(argument, n.Name) and not known:
                variable = self.expressions.variable(argument.id, parameter.type, argument)
                inner = inner.bind(variable)
            else:
                variable = t.Variable(f"{parameter.name}_", parameter.type, argument.span)
                value = self.expressions.wanted(argument, scope, parameter.type, f"`{parameter.name}`")
                use = t.Use(argument.span, parameter.type, variable)
                tests.append(t.Compare(argument.span, FLAG, "==", use, value))
            variables.append(variable)
        return t.Pattern(node.span, subject, tuple(variables), tuple(tests)), inner

    def _formula_pattern(self, call: n.Call, scope: Scope) -> tuple[t.Pattern, Scope] | None:
        symbols = self.symbols
        if call.name == "keywords" and len(call.arguments) == 1:
            return self._keywords_pattern(call, scope)
        if call.name not in symbols.formulas:
            symbols.unknown(
                "formula", call.name, first_word(call.span, call.name), [*symbols.formulas, "keywords"]
            )
            return None
        formula = symbols.formulas[call.name]
        symbols.uses.name("formula", call.name, first_word(call.span, call.name))
        if not formula.open:
            symbols.error(
                "RF506",
                f"`{call.name}` takes no modifiers",
                call.span,
                "declare the formula with `open: true`",
            )
            return self._unjudged(call, formula, scope)
        return self._bind(call, call, formula, formula.parameters, scope)

    def _unjudged(self, call: n.Call, formula: t.Formula, scope: Scope) -> tuple[t.Pattern, Scope] | None:
        """Bind the pattern without a second diagnostic; the check of packs needs its meaning."""
        report, self.symbols.report = self.symbols.report, Report()
        try:
            return self._bind(call, call, formula, formula.parameters, scope)
        finally:
            self.symbols.report = report

    def _keywords_pattern(self, call: n.Call, scope: Scope) -> tuple[t.Pattern, Scope] | None:
        """`modify: keywords(c)`; the kind of `c` is the one that has keywords, or that of a known value."""
        argument = call.arguments[0]
        kinds = list({k.kind.name: k.kind for k in self.symbols.keywords.values()}.values())
        if isinstance(argument, n.Name) and argument.id in scope.variables:
            kind_type = scope.variables[argument.id].type
        elif len(kinds) == 1:
            kind_type = ThingT(kinds[0].name)
        else:
            if kinds or not self.symbols.error_nodes:
                self.symbols.error("RF506", "the kind of this is not clear", argument.span)
            return None
        if not isinstance(kind_type, ThingT):
            if kind_type != ERROR:
                self.symbols.error(
                    "RF502", f"`keywords` needs a thing, but this is {kind_type}", argument.span
                )
            return None
        parameter = t.Variable("c", ThingT(kind_type.kind), argument.span)
        return self._bind(call, call, self.symbols.kinds[kind_type.kind], (parameter,), scope)

    def _move_pattern(self, node: n.MovePattern, name: str, scope: Scope) -> tuple[t.Pattern, Scope] | None:
        kind = self.symbols.kinds.get(name)
        if kind is not None:
            self.symbols.uses.name("kind", name, node.span)  # somewhere in it
        elif name in scope.variables and isinstance(scope.variables[name].type, ThingT):
            kind = self.symbols.kinds[scope.variables[name].type.kind]  # type: ignore[union-attr]
        if kind is None:
            self.symbols.unknown("kind", name, node.span, list(self.symbols.kinds))
            return None
        it = t.Variable("it", ThingT(kind.name), node.span)
        source, to = (t.Variable(w, NumberT(0, 2**20), node.span) for w in ("source_", "to_"))
        inner = scope.bind(it)
        tests: list[t.Expr] = []
        if name in scope.variables:
            own = scope.variables[name]
            tests.append(
                t.Compare(
                    node.span, FLAG, "==", t.Use(node.span, it.type, it), t.Use(node.span, own.type, own)
                )
            )
        for variable, place in ((source, node.source), (to, node.to)):
            if place is None:
                continue
            typed = self.expressions.check(place, inner)
            if not isinstance(typed, t.Content | t.Family):
                self.symbols.error("RF502", "expected a place here", place.span)
                continue
            tests.append(t.AtPlace(place.span, FLAG, t.Use(place.span, variable.type, variable), typed))
        return t.Pattern(node.span, kind, (it, source, to), tuple(tests)), inner
