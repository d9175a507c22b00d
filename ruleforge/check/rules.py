"""Rules: what hangs on events, changes, moves, phases, formulas and the state itself."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ruleforge.check import typed as t
from ruleforge.check.expressions import Expressions
from ruleforge.check.scope import Scope
from ruleforge.check.statements import Frame, Statements
from ruleforge.check.symbols import Symbols
from ruleforge.check.types import ERROR, FLAG, NumberT, SetT, ThingT, Type
from ruleforge.diagnostics import Span
from ruleforge.dsl import nodes as n
from ruleforge.model import ruleset as m
from ruleforge.source.scalar_origin import SourceText

FORMS = ("after", "instead_of", "forbid", "modify", "always")
_LIMIT = re.compile(r"(once|twice|[0-9]+) per ([a-z][a-z0-9_]*)( per copy)?")


@dataclass(frozen=True)
class Bearer:
    """Where a rule or action is printed: nowhere in particular, on things, on a kind, or in a keyword."""

    kind: t.Kind | None = None
    things: tuple[int, ...] | None = None
    keyword: t.Keyword | None = None
    prefix: str = ""


class Rules:
    def __init__(self, symbols: Symbols, expressions: Expressions, statements: Statements) -> None:
        self.symbols, self.expressions, self.statements = symbols, expressions, statements
        self.parsed = symbols.parsed

    # --- carriers ---

    def carrier(self, bearer: Bearer, works: SourceText | None, span: Span) -> tuple[t.Carrier | None, Scope]:
        """Who carries it, and the scope of its texts: `self`, and `me` where things have a controller."""
        kind = bearer.kind
        if kind is None:
            return None, Scope()
        this = self._variable("self", ThingT(kind.name), span)
        scope = Scope().bind(this)
        me = None
        if kind.controller is not None:
            me = self._variable("me", ThingT("player"), span)
            scope = scope.bind(me)
        given: list[tuple[t.Variable, t.Expr]] = []
        if bearer.keyword is not None:
            for parameter, column in zip(bearer.keyword.parameters, bearer.keyword.columns, strict=True):
                variable = self._variable(parameter.name, parameter.type, span)
                given.append((variable, t.Read(span, column.type, column, t.Use(span, this.type, this))))
                scope = scope.bind(variable)
        test = self._works(bearer, works, this, scope)
        return t.Carrier(kind, this, me, bearer.things, bearer.keyword, test, tuple(given)), scope

    def _works(self, bearer: Bearer, own: SourceText | None, this: t.Variable, scope: Scope) -> t.Expr | None:
        if own is not None:
            node = self.parsed.expr(own)
            return self.expressions.condition(node, scope) if node else None
        about = (bearer.keyword.works if bearer.keyword else None) or (
            bearer.kind.works if bearer.kind else None
        )
        return substitute(about, this) if about else None

    def _variable(self, name: str, type: Type, span: Span) -> t.Variable:
        return self.expressions.unnamed(name, type, span)

    # --- rules ---

    def rule(self, source: m.Rule, bearer: Bearer) -> t.Rule | None:
        form = next((f for f in FORMS if getattr(source, f) is not None), None)
        if form is None:
            return None
        name = f"{bearer.prefix}{source.id}"
        carrier, scope = self.carrier(bearer, source.works, source.span)
        rule = t.Rule(
            name, form.removesuffix("_of"), source.span, carrier, text=source.text or "", clauses=source.cites
        )
        head: SourceText = getattr(source, form)
        inner = self._head(rule, head, scope)
        if inner is None:
            return None
        inner, rule.before = self._before(source, scope, inner)
        if source.when is not None and (node := self.parsed.expr(source.when)):
            rule.when = self.expressions.condition(node, inner)
            inner = self.expressions.when_true(node, inner)
        self._effects(rule, source, inner)
        return rule

    def _head(self, rule: t.Rule, head: SourceText, scope: Scope) -> Scope | None:
        if rule.form == "always":
            node = self.parsed.binder(head)
            if node is None:
                return None
            rule.binder, inner = self.expressions.binder(node, scope)
            return inner
        pattern = self.parsed.pattern(head)
        if pattern is None:
            return None
        found = self.pattern(pattern, scope, rule.form == "modify")
        if found is None:
            return None
        rule.pattern, inner = found
        return inner

    def _before(
        self, source: m.Rule, outer: Scope, inner: Scope
    ) -> tuple[Scope, tuple[tuple[t.Variable, t.Expr], ...]]:
        """Values taken before the event happens; they may speak of its arguments."""
        taken = []
        for name, text in source.before:
            node = self.parsed.expr(text)
            if node is None:
                continue
            value = self.expressions.check(node, inner)
            variable = self._variable(name, value.type, text.span)
            taken.append((variable, value))
        return inner.bind(*(v for v, _ in taken)), tuple(taken)

    def _effects(self, rule: t.Rule, source: m.Rule, scope: Scope) -> None:
        rule.may = source.may
        if source.who is not None and (node := self.parsed.expr(source.who)):
            rule.who = self.expressions.wanted(node, scope, ThingT("player"), "`who`")
        elif rule.may and "me" in scope.variables:
            rule.who = t.Use(source.span, ThingT("player"), scope.variables["me"])
        elif rule.may:
            self.symbols.error("RF506", "nobody is asked: this rule has no `me`", source.span, "say `who:`")
        rule.limit = self.limit(rule.name, source.limit, rule.carrier, "me" in scope.variables)
        rule.cost = self._block(source.cost, scope, Frame())
        if rule.form == "modify":
            self._modifier(rule, source, scope)
            return
        parameters = rule.pattern.parameters if rule.pattern else ()
        frame = Frame(returns=rule.form == "instead", proceeds=parameters if rule.form == "instead" else None)
        rule.body = self._block(source.do, scope, frame)

    def _block(self, text: SourceText | None, scope: Scope, frame: Frame) -> t.Block | None:
        block = self.parsed.block(text) if text else None
        return self.statements.block(block, scope, frame)[0] if block else None

    def _modifier(self, rule: t.Rule, source: m.Rule, scope: Scope) -> None:
        assert rule.pattern is not None
        subject = rule.pattern.subject
        result: Type = subject.result if isinstance(subject, t.Formula) else SetT("keyword")
        for op in ("add", "set", "remove"):
            text = getattr(source, op)
            node = self.parsed.expr(text) if text is not None else None
            if node is None:
                continue
            if op == "remove" and not isinstance(result, SetT):
                self.symbols.error(
                    "RF506", "only sets can have something removed", text.span, "add a negative number"
                )
            wanted = result if isinstance(result, SetT) or op == "set" else NumberT(0, 0)
            if isinstance(result, ThingT) or result == FLAG:
                if op != "set":
                    self.symbols.error("RF502", f"{result} can only be `set`", text.span)
                wanted = result
            rule.op, rule.amount = op, self.expressions.wanted(node, scope, wanted, f"`{op}`")
        if rule.amount is None:
            rule.amount = t.Constant(source.span, ERROR, 0)  # the model stage has complained

    # --- patterns ---

    def pattern(
        self, node: n.Pattern, scope: Scope, modifies: bool = False
    ) -> tuple[t.Pattern, Scope] | None:
        symbols = self.symbols
        match node:
            case n.EventPattern(call=call) if modifies:
                return self._formula_pattern(call, scope)
            case n.EventPattern(call=call):
                if call.name not in symbols.events:
                    symbols.unknown("event", call.name, call.span, list(symbols.events))
                    return None
                event = symbols.ready(symbols.events[call.name])
                return self._bind(node, call, event, event.parameters, scope)
            case n.ChangePattern(target=n.Attribute(of=n.Name(id=kind), name=name)):
                column = symbols.column(kind, name)
                if column is None or column.constant:
                    symbols.unknown(
                        "attribute", f"{kind}.{name}", node.span, [f"{k}.{c}" for k, c in symbols.columns]
                    )
                    return None
                it = self._variable("it", ThingT(kind), node.span)
                index = tuple(
                    self._variable(f"index{i or ''}", ThingT(k.name), node.span)
                    for i, k in enumerate(column.per)
                )
                old, new = (self._variable(w, column.type, node.span) for w in ("old", "new"))
                variables = (it, *index, old, new)
                return t.Pattern(node.span, column, variables), scope.bind(*variables)
            case n.MovePattern(thing=name):
                return self._move_pattern(node, name, scope)
            case n.PhasePattern(edge=edge, phase=phase):
                if phase not in symbols.phases:
                    symbols.unknown("phase", phase, node.span, list(symbols.phases))
                    return None
                return t.Pattern(node.span, (edge, phase)), scope
        symbols.error("RF506", "a rule cannot wait for this", node.span)
        return None

    def _bind(
        self,
        node: n.Node,
        call: n.Call,
        subject: t.Event | t.Formula,
        parameters: tuple[t.Variable, ...],
        scope: Scope,
    ) -> tuple[t.Pattern, Scope] | None:
        """A new name is bound to the argument; anything else must be equal to it."""
        if len(call.arguments) != len(parameters):
            self.symbols.error("RF504", f"`{call.name}` takes {len(parameters)} values", call.span)
            return None
        variables, tests = [], []
        inner = scope
        for argument, parameter in zip(call.arguments, parameters, strict=True):
            known = isinstance(argument, n.Name) and (
                argument.id in scope.variables
                or argument.id in self.symbols.things
                or argument.id in self.symbols.numbers
            )
            if isinstance(argument, n.Name) and not known:
                variable = self.expressions.variable(argument.id, parameter.type, argument)
                inner = inner.bind(variable)
            else:
                variable = self._variable(f"{parameter.name}_", parameter.type, argument.span)
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
            symbols.unknown("formula", call.name, call.span, [*symbols.formulas, "keywords"])
            return None
        formula = symbols.ready(symbols.formulas[call.name])
        if not formula.open:
            symbols.error(
                "RF506",
                f"`{call.name}` takes no modifiers",
                call.span,
                "declare the formula with `open: true`",
            )
        return self._bind(call, call, formula, formula.parameters, scope)

    def _keywords_pattern(self, call: n.Call, scope: Scope) -> tuple[t.Pattern, Scope] | None:
        """`modify: keywords(c)`; the kind of `c` is the one that has keywords, or that of a known value."""
        argument = call.arguments[0]
        kinds = list({k.kind.name: k.kind for k in self.symbols.keywords.values()}.values())
        if isinstance(argument, n.Name) and argument.id in scope.variables:
            kind_type = scope.variables[argument.id].type
        elif len(kinds) == 1:
            kind_type = ThingT(kinds[0].name)
        else:
            self.symbols.error("RF506", "it is not clear of which kind this is", argument.span)
            return None
        assert isinstance(kind_type, ThingT)
        parameter = self._variable("c", ThingT(kind_type.kind), argument.span)
        found = self._bind(
            call, call, t.Formula("keywords", (parameter,), call.span, SetT("keyword")), (parameter,), scope
        )
        if found is None:
            return None
        pattern, inner = found
        pattern.subject = self.symbols.kinds[kind_type.kind]
        return pattern, inner

    def _move_pattern(self, node: n.MovePattern, name: str, scope: Scope) -> tuple[t.Pattern, Scope] | None:
        kind = self.symbols.kinds.get(name)
        if kind is None and name in scope.variables and isinstance(scope.variables[name].type, ThingT):
            kind = self.symbols.kinds[scope.variables[name].type.kind]  # type: ignore[union-attr]
        if kind is None:
            self.symbols.unknown("kind", name, node.span, list(self.symbols.kinds))
            return None
        it = self._variable("it", ThingT(kind.name), node.span)
        source, to = (self._variable(w, NumberT(0, 2**20), node.span) for w in ("source_", "to_"))
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
                self.symbols.error("RF502", "a place is wanted here", place.span)
                continue
            tests.append(t.AtPlace(place.span, FLAG, t.Use(place.span, variable.type, variable), typed))
        return t.Pattern(node.span, kind, (it, source, to), tuple(tests)), inner

    # --- limits ---

    def limit(
        self, name: str, text: SourceText | None, carrier: t.Carrier | None, has_me: bool
    ) -> t.Limit | None:
        """`once per turn`, `2 per game`, `once per round per copy`: a counter that a phase resets."""
        if text is None:
            return None
        found = _LIMIT.fullmatch(text.text.strip())
        if found is None:
            self.symbols.error(
                "RF506",
                f"`{text.text.strip()}` is no limit",
                text.span,
                "write `once per turn` or `2 per game`",
            )
            return None
        word, per, copy = found.groups()
        if per not in self.symbols.phases and per != "game":
            self.symbols.unknown("phase", per, text.span, [*self.symbols.phases, "game"])
            return None
        count = {"once": 1, "twice": 2}.get(word) or int(word)
        if copy and carrier is not None:
            kind = carrier.kind
        else:
            kind = self.symbols.kinds["player" if has_me else "game"]
        column = t.Column(
            f"used_{name}".replace(" ", "_").replace(".", "_"), kind, NumberT(0, count), text.span
        )
        column.start = t.Constant(text.span, NumberT(0, 0), 0)
        column.resets = None if per == "game" else per
        self.symbols.columns[kind.name, column.name] = column
        return t.Limit(count, per, column)


def substitute(about: t.About, this: t.Variable) -> t.Expr:
    """An expression about `self`, said of another variable."""
    from dataclasses import fields, replace

    def walk(node: object) -> object:
        if isinstance(node, t.Use) and node.variable is about.this:
            return replace(node, variable=this)
        if isinstance(node, t.Expr | t.Binder):
            changed = {}
            for f in fields(node):
                old = getattr(node, f.name)
                new = walk(old)
                if new is not old:
                    changed[f.name] = new
            return replace(node, **changed) if changed else node  # type: ignore[arg-type]
        if isinstance(node, tuple):
            items = tuple(walk(x) for x in node)
            return items if any(a is not b for a, b in zip(items, node, strict=True)) else node
        return node

    return walk(about.value)  # type: ignore[return-value]
