"""What stands at the right of `let` or `=` -> how it comes into a local, and its type."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.expressions.arguments import event_called
from ruleforge.lang.checker.statements.pools import kind_made, make
from ruleforge.lang.checker.types import ERROR, INT_MAX, NOTHING, NumberT, ThingT, Type, or_none
from ruleforge.lang.parser import nodes as n
from ruleforge.support.diagnostics import Span

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope
    from ruleforge.lang.checker.symbols import Symbols

Into = Callable[[t.Variable], t.Statement | None]  # the statement that writes the value into a local


def value_into(
    checker: Expressions, value: n.Value, scope: Scope, target: Type | None, span: Span
) -> tuple[Into, Type]:
    """The statement has the span; `target` is the type of the local, if it has one yet."""
    match value:
        case n.RollDice():
            return _dice(checker.symbols, value, span)
        case n.RollRange():
            return _die(checker, value, scope, span)
        case n.RandomPick():
            binder, _ = checker.binder(value.binder, scope)
            return (lambda v: t.RandomPick(span, v, binder)), or_none(binder.variable.type)
        case n.New():
            kind = kind_made(checker.symbols, value.kind)
            return (lambda v: make(checker, value, v, scope)), ThingT(kind.name) if kind else ERROR
        case n.Call(name=name) if name in checker.symbols.event_heads:
            return _result(checker, value, scope, span)
    kept = checker.kept(value, scope, target)
    return (lambda v: t.Assign(span, v, kept)), kept.type


def _nothing(_: t.Variable) -> t.Statement | None:
    """Of what was complained about."""
    return None


def _dice(symbols: Symbols, value: n.RollDice, span: Span) -> tuple[Into, Type]:
    number, sides = value.number, value.sides
    if not 1 <= number <= 100 or not 1 <= sides <= 1_000_000:
        symbols.error("RF508", f"cannot roll {number}d{sides}", value.span)
    one = t.Constant(span, NumberT(1, 1), 1)
    top = t.Constant(span, NumberT(sides, sides), sides)
    return (lambda v: t.Roll(span, v, number, one, top)), NumberT(number, number * sides)


def _die(checker: Expressions, value: n.RollRange, scope: Scope, span: Span) -> tuple[Into, Type]:
    """A die with any numbers in a row."""
    typed = checker.check(value.range, scope)
    if not isinstance(typed, t.Interval):
        return _nothing, ERROR
    low, high = typed.low, typed.high
    assert isinstance(low.type, NumberT) and isinstance(high.type, NumberT)
    return (lambda v: t.Roll(span, v, 1, low, high)), _faces(checker.symbols, low.type, high.type, value)


def _faces(symbols: Symbols, low: NumberT, high: NumberT, node: n.Node) -> NumberT:
    """The numbers a die can show; there is one at least, and their count is a number, too."""
    if low.low > high.high:
        symbols.error("RF508", "this die has no faces", node.span)
        return low
    if high.low - low.high >= INT_MAX:
        symbols.error("RF508", f"a die has at most {INT_MAX} faces", node.span)
    return NumberT(low.low, high.high)


def _result(checker: Expressions, call: n.Call, scope: Scope, span: Span) -> tuple[Into, Type]:
    """What an event returns."""
    event, arguments = event_called(checker, call, scope)
    if event is None:
        return _nothing, ERROR
    if event.result == NOTHING:
        message, help = f"`{call.name}` returns no value", "let it `return` something"
        checker.symbols.error("RF502", message, call.span, help)
    return (lambda v: t.Perform(span, event, arguments, v)), event.result
