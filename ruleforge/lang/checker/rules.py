"""Type checks rules: triggers on events, changes, moves, phases, formulas and the state."""

from __future__ import annotations

import re

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.patterns import Patterns
from ruleforge.lang.checker.scope import Scope
from ruleforge.lang.checker.statements.blocks import Frame
from ruleforge.lang.checker.statements.checker import Statements
from ruleforge.lang.checker.typed.own_columns import used
from ruleforge.lang.checker.types import ERROR, FLAG, ErrorT, NumberT, SetT, ThingT, Type
from ruleforge.lang.checker.walk import substitute
from ruleforge.lang.model import ruleset as m
from ruleforge.lang.source.scalar_origin import SourceText
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass

FORMS = ("after", "instead_of", "forbid", "modify", "always")
CHANGES = ("add", "set", "remove")
_LIMIT = re.compile(r"(once|twice|[0-9]{1,9}) per ([a-z][a-z0-9_]*)( per copy)?")


@dataclass(frozen=True)
class Bearer:
    """The carrier of a rule or action: none, things, a kind, or a keyword."""

    kind: t.Kind | None = None
    things: tuple[int, ...] | None = None
    keyword: t.Keyword | None = None
    prefix: str = ""


@dataclass(frozen=True)
class _Head:
    """The subject of a rule, and the scope of its effects."""

    pattern: t.Pattern | None
    binder: t.Binder | None
    scope: Scope


class Rules:
    def __init__(self, statements: Statements) -> None:
        self.statements, self.expressions = statements, statements.expressions
        self.symbols, self.parsed = statements.symbols, statements.symbols.parsed
        self.patterns = Patterns(statements.expressions)

    # --- carriers ---

    def carrier(self, bearer: Bearer, works: SourceText | None, span: Span) -> tuple[t.Carrier | None, Scope]:
        """The carrier, and the scope of its texts: `self`, and `me` if things have a controller."""
        kind = bearer.kind
        if kind is None:
            if works is not None:
                help = "say it with `when` or `needs`, or print it on a thing"
                self.symbols.error("RF506", "only rules printed on things have `works`", works.span, help)
            return None, Scope()
        this = t.Variable("self", ThingT(kind.name), span)
        scope = Scope().bind(this)
        conduct = self.symbols.conduct.get(kind, t.Conduct())
        me = None
        if conduct.controller is not None:
            me = t.Variable("me", ThingT("player"), span)
            scope = scope.bind(me)
        given: list[tuple[t.Variable, t.Expr]] = []
        if bearer.keyword is not None:
            for parameter, column in zip(bearer.keyword.parameters, bearer.keyword.columns, strict=True):
                variable = t.Variable(parameter.name, parameter.type, span)
                given.append((variable, t.Read(span, column.type, column, t.Use(span, this.type, this))))
                scope = scope.bind(variable)
        test = self._works(bearer, works, this, scope)
        return t.Carrier(kind, this, me, bearer.things, bearer.keyword, test, tuple(given), conduct), scope

    def _works(self, bearer: Bearer, own: SourceText | None, this: t.Variable, scope: Scope) -> t.Expr | None:
        """The rule's own condition, else that of its keyword, else that of its kind."""
        if own is not None:
            node = self.parsed.expr(own)
            return self.expressions.condition(node, scope) if node else None
        for bearing in (bearer.keyword, bearer.kind):
            conduct = self.symbols.conduct.get(bearing) if bearing is not None else None
            if conduct is not None and conduct.works is not None:
                return substitute(conduct.works, this)
        return None

    # --- rules ---

    def rule(self, source: m.Rule, bearer: Bearer) -> t.Rule | None:
        form = next((f for f in FORMS if getattr(source, f) is not None), None)
        if form is None:
            return None
        name = f"{bearer.prefix}{source.id}"
        carrier, outer = self.carrier(bearer, source.works, source.span)
        head = self._head(source, form, outer)
        if head is None:
            return None
        before = self._before(source, head.scope)
        scope = head.scope.bind(*(variable for variable, _ in before))
        when = None
        self.symbols.may_speak_of(source.when, scope.variables)
        if source.when is not None and (node := self.parsed.expr(source.when)):
            when = self.expressions.condition(node, scope)
            scope = self.expressions.when_true(node, scope)
        op, amount = self._change(source, head.pattern, scope) if form == "modify" else ("", None)
        return t.Rule(
            name,
            form.removesuffix("_of"),
            source.span,
            carrier,
            head.pattern,
            head.binder,
            when,
            before,
            source.may,
            self._who(source, scope),
            self.limit(name, source.limit, carrier, "me" in scope.variables),
            self._block(source.cost, scope, Frame()),
            self._effect(source, form, head, scope),
            op,
            amount,
            source.text or "",
            source.cites,
        )

    def _head(self, source: m.Rule, form: str, scope: Scope) -> _Head | None:
        text: SourceText = getattr(source, form)
        if form == "always":
            node = self.parsed.binder(text)
            if node is None:
                return None
            binder, inner = self.expressions.binder(node, scope)
            if source.may and isinstance(binder.variable.type, NumberT):
                self.symbols.error(
                    "RF506", "an optional standing rule must look for things, not numbers", binder.span
                )
            return _Head(None, binder, inner)
        pattern = self.parsed.pattern(text)
        found = self.patterns.pattern(pattern, scope, form == "modify") if pattern is not None else None
        return _Head(found[0], None, found[1]) if found else None

    def _before(self, source: m.Rule, scope: Scope) -> tuple[tuple[t.Variable, t.Expr], ...]:
        """Values taken before the event happens; they may speak of its arguments."""
        taken = []
        for name, text in source.before:
            node = self.parsed.expr(text)
            self.symbols.may_speak_of(text, scope.variables)
            if node is not None:
                value = self.expressions.stored(node, scope)
                taken.append((t.Variable(name, value.type, text.span), value))
        return tuple(taken)

    def _who(self, source: m.Rule, scope: Scope) -> t.Expr | None:
        """The player who decides: the one in `who`, else `me`."""
        if source.who is not None and not source.may:
            help = "add `may: true`"
            self.symbols.error(
                "RF506",
                "`who` decides whether the rule acts, so the rule must be optional",
                source.who.span,
                help,
            )
        if source.who is not None and (node := self.parsed.expr(source.who)):
            return self.expressions.wanted(node, scope, ThingT("player"), "`who`")
        if source.may and "me" in scope.variables:
            return t.Use(source.span, ThingT("player"), scope.variables["me"])
        if source.may and source.who is None:
            self.symbols.error("RF506", "this rule asks no player: it has no `me`", source.span, "say `who:`")
        return None

    def _effect(self, source: m.Rule, form: str, head: _Head, scope: Scope) -> t.Block | None:
        if form == "modify":
            return None
        replaces = form == "instead_of" and head.pattern is not None
        frame = Frame(
            returns=replaces, proceeds=head.pattern.parameters if replaces and head.pattern else None
        )
        return self._block(source.do, scope, frame)

    def _block(self, text: SourceText | None, scope: Scope, frame: Frame) -> t.Block | None:
        block = self.parsed.block(text) if text else None
        self.symbols.may_speak_of(text, scope.variables)
        return self.statements.text(block, scope, frame)[0] if block else None

    def _change(self, source: m.Rule, pattern: t.Pattern | None, scope: Scope) -> tuple[str, t.Expr]:
        """How a formula or the keywords of a thing are modified."""
        assert pattern is not None
        subject = pattern.subject
        result: Type = SetT("keyword")
        if isinstance(subject, t.Formula):
            result = subject.result if subject.open else ERROR  # that it is closed was reported
        found: tuple[str, t.Expr] = ("", t.Constant(source.span, ERROR, 0))
        for op in CHANGES:
            text = getattr(source, op)
            node = self.parsed.expr(text) if text is not None else None
            self.symbols.may_speak_of(text, scope.variables)
            if node is None:
                continue
            if op == "remove" and not isinstance(result, SetT | ErrorT):
                self.symbols.error(
                    "RF506", "only a set can have things removed", text.span, "add a negative number"
                )
            wanted = result if isinstance(result, SetT | ErrorT) or op == "set" else NumberT(0, 0)
            if isinstance(result, ThingT) or result == FLAG:
                if op != "set":
                    self.symbols.error("RF502", f"{result} can only be `set`", text.span)
                wanted = result
            found = op, self.expressions.wanted(node, scope, wanted, f"`{op}`")
        return found

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
                f"`{text.text.strip()}` is not a limit",
                text.span,
                "write `once per turn` or `2 per game`",
            )
            return None
        word, per, copy = found.groups()
        if per not in self.symbols.phases and per != "game":
            self.symbols.unknown("phase", per, text.span, [*self.symbols.phases, "game"], section="flow")
            return None
        self.symbols.uses.name("phase", per, text.span)
        count = {"once": 1, "twice": 2}.get(word) or int(word)
        if copy and carrier is not None:
            kind = carrier.kind
        else:
            kind = self.symbols.kinds["player" if has_me else "game"]
        column = t.Column(
            used(name),
            kind,
            NumberT(0, count),
            text.span,
            start=t.Constant(text.span, NumberT(0, 0), 0),
            resets=None if per == "game" else per,
        )
        self.symbols.columns[kind.name, column.name] = column
        return t.Limit(count, per, column)
