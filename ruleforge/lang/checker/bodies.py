"""Types the bodies of formulas and events, callees first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.declare import Declarations
from ruleforge.lang.checker.scope import Scope
from ruleforge.lang.checker.statements.blocks import Frame
from ruleforge.lang.checker.statements.checker import Statements
from ruleforge.lang.checker.symbols import Head, Symbols
from ruleforge.lang.checker.types import ERROR, INT_MAX, INT_MIN, NOTHING, NoneT, NumberT, SetT, Type
from ruleforge.lang.model import ruleset as m
from ruleforge.lang.parser import nodes as n
from ruleforge.lang.parser.depth import all_nodes
from ruleforge.lang.source.scalar_origin import SourceText

Source = m.Formula | m.Event
D = TypeVar("D", t.Formula, t.Event)


class Bodies:
    """Types bodies in call order. Recursion is a mistake, so such an order exists."""

    def __init__(self, ruleset: m.Ruleset, declarations: Declarations, statements: Statements) -> None:
        self.declarations, self.statements = declarations, statements
        self.expressions = declarations.expressions
        self.symbols: Symbols = declarations.expressions.symbols
        formulas, events = self.symbols.formula_heads, self.symbols.event_heads
        self.sources: dict[str, Source] = {f.id: f for f in ruleset.formulas if f.id in formulas}
        self.sources |= {e.id: e for e in ruleset.events if e.id in events}

    def define(self) -> None:
        for source in self._callees_first():
            if isinstance(source, m.Formula):
                self.symbols.formulas[source.id] = self._formula(
                    source, self.symbols.formula_heads[source.id]
                )
            else:
                self.symbols.events[source.id] = self._event(source, self.symbols.event_heads[source.id])
        self.symbols.formulas = _in_order(self.symbols.formulas, self.symbols.formula_heads)
        self.symbols.events = _in_order(self.symbols.events, self.symbols.event_heads)

    # --- order ---

    def _callees_first(self) -> Iterator[Source]:
        """Depth first, without recursion: `path` is the way from a definition to here, with what is called there."""
        done: set[str] = set()
        for start in self.sources:
            path = {} if start in done else {start: self._called(self.sources[start])}
            while path:
                here = next(reversed(path))
                callee = next(path[here], None)
                if callee is None:
                    path.popitem()
                    done.add(here)
                    yield self.sources[here]
                elif callee in path:
                    self._refuse_circle([*path, callee])
                elif callee not in done:
                    path[callee] = self._called(self.sources[callee])

    def _refuse_circle(self, path: list[str]) -> None:
        name = path[-1]
        circle = " -> ".join(path[path.index(name) :])
        self.symbols.error("RF507", f"`{name}` calls itself: {circle}", self.sources[name].span)

    def _called(self, source: Source) -> Iterator[str]:
        """The formulas and events that a definition names in its texts, each once, in the order in which it does."""
        return iter(dict.fromkeys(self._names(source)))

    def _names(self, source: Source) -> Iterator[str]:
        for text in _texts(source):
            root = self.symbols.parsed.texts[text].node
            for node in all_nodes(root) if root is not None else ():
                if isinstance(node, n.Call) and node.name in self.sources:
                    yield node.name

    # --- definitions ---

    def _formula(self, source: m.Formula, head: Head) -> t.Formula:
        body, behind = self._value(source, head.parameters)
        each, total, clamp = (
            self.declarations.seeing.bounds(b) for b in (source.each, source.sum, source.clamp)
        )
        result = ERROR if body is None else self._disclosed_values(source, body.type)
        return t.Formula(
            source.id,
            head.parameters,
            source.span,
            modified(result, total, clamp) if source.open else result,
            body,
            source.cites,
            self.declarations.seeing.shown(head, source.sees),
            source.text or "",
            source.open,
            each,
            total,
            clamp,
            behind=behind,
        )

    def _value(
        self, source: m.Formula, parameters: tuple[t.Variable, ...]
    ) -> tuple[t.Expr | None, tuple[t.Formula, ...]]:
        """The body of a formula. Each `let` passes its value to a formula of its own, so it is evaluated once."""
        scope = Scope().bind(*parameters)
        named: list[tuple[t.Variable, t.Expr]] = []
        for name, text in source.lets:
            node = self.symbols.parsed.expr(text)
            self.symbols.may_speak_of(text, scope.variables)
            value = t.Constant(text.span, ERROR, 0) if node is None else self.expressions.check(node, scope)
            variable = t.Variable(name, self._disclosed_values(source, value.type), text.span)
            named.append((variable, value))
            scope = scope.bind(variable)
        node = self.declarations.seeing.expr(source.value)
        self.symbols.may_speak_of(source.value, scope.variables)
        body = None if node is None else self.expressions.check(node, scope)
        behind: tuple[t.Formula, ...] = ()
        while named and body is not None:
            variable, value = named.pop()
            taken = (*parameters, *(earlier for earlier, _ in named))
            name = f"{source.id}.{variable.name}"
            holds = isinstance(variable.type, SetT)
            rest = t.Formula(name, (*taken, variable), source.span, body.type, body, holds=holds)
            behind = (rest, *behind)
            given = tuple(t.Use(source.span, v.type, v) for v in taken)
            body = t.CallFormula(source.span, body.type, rest, (*given, value))
        return body, behind

    def _disclosed_values(self, source: m.Formula, type: Type) -> Type:
        """The type of a formula's value; `none` and `[]` alone do not show their kind."""
        if not isinstance(type, NoneT):
            return type
        self.symbols.error("RF502", f"`{source.id}` is {type}, which does not show its type", source.span)
        return ERROR

    def _event(self, source: m.Event, head: Head) -> t.Event:
        scope = Scope().bind(*head.parameters)
        for text in _texts(source):
            self.symbols.may_speak_of(text, scope.variables)
        nodes = [self.symbols.parsed.expr(text) for text in source.needs]
        needs = tuple(self.expressions.condition(node, scope) for node in nodes if node is not None)
        body: t.Block | None = None
        result: Type = NOTHING
        block = self.symbols.parsed.block(source.do) if source.do else None
        if block is not None:
            body, result = self.statements.text(block, scope, Frame(returns=True))
        return t.Event(
            source.id,
            head.parameters,
            source.span,
            result,
            needs,
            body,
            source.cites,
            source.together,
            source.open,
        )


def _texts(source: Source) -> Iterator[SourceText]:
    if isinstance(source, m.Formula):
        yield from (text for _, text in source.lets)
        yield from (text for text in (source.value, source.sees) if text)
    else:
        yield from source.needs
        yield from (source.do,) if source.do else ()


def _in_order(done: dict[str, D], heads: dict[str, Head]) -> dict[str, D]:
    """In the order in which the author wrote them."""
    return {name: done[name] for name in heads}


def modified(base: Type, total: tuple[int, int] | None, clamp: tuple[int, int] | None) -> Type:
    """The type of an open formula: what modifiers can make of it within its limits."""
    if not isinstance(base, NumberT):
        return base
    if clamp is not None:
        return NumberT(*clamp)
    low, high = total or (INT_MIN, INT_MAX)
    return NumberT(max(INT_MIN, base.low + low), min(INT_MAX, base.high + high))
