"""Type checks `let x = ...`, `x = ...` and `thing.attribute += ...`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.constants import type_of
from ruleforge.lang.checker.expressions.arguments import event_called
from ruleforge.lang.checker.statements.moves import kind_made, make
from ruleforge.lang.checker.types import (
    ERROR,
    INT_MAX,
    INT_MIN,
    NOTHING,
    ErrorT,
    NoneT,
    NothingT,
    NumberT,
    ThingT,
    Type,
    fits,
    or_none,
)
from ruleforge.lang.parser import nodes as n
from ruleforge.support.diagnostics import Edit, Fix, Span
from ruleforge.support.spelling import listed

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope
    from ruleforge.lang.checker.statements.blocks import Frame
    from ruleforge.lang.checker.symbols import Symbols

_CHANGING = "declare a value that changes under `has` of a kind"
Into = Callable[[t.Variable], t.Statement | None]  # the statement that writes the value into a local


def assign(checker: Expressions, node: n.Assign, scope: Scope) -> tuple[t.Statement | None, Scope]:
    match node.target:
        case n.Name(id=name) if name in scope.variables:
            return assign_local(checker, node, scope.variables[name], scope)
        case n.Attribute():
            return _store(checker, node, node.target, scope), scope.after_change()
    return _unchangeable(checker.symbols, node, scope)


def _unchangeable(symbols: Symbols, node: n.Assign, scope: Scope) -> tuple[t.Statement | None, Scope]:
    """Reports; of a number with a name it is known what would be overwritten, and a new name is one from here on."""
    help = _whose(symbols, node.target, scope)
    fix: Fix = ()
    name = node.target.id if isinstance(node.target, n.Name) else None
    if help is None and name in symbols.numbers:
        help = f"`{name}` is a number of the game, which never changes; {_CHANGING}"
    if help is None and name is not None and not symbols.is_name(name):
        help, span = f"to make a new name write `let {name} = ...`", node.target.span
        if name in ("winner", "winners", "loser", "losers"):
            help = "name the winners when the game ends: `finish ENDING for ...`"
        elif node.op == "=":
            fix = (Edit(span, f"let {name}"),)
        scope = scope.bind(t.Variable(name, ERROR, span))
    symbols.error("RF506", "only attributes and locals can be changed", node.target.span, help, fix)
    lost = t.Overwrite(node.span, (name,)) if name is not None and name in symbols.numbers else None
    return lost, scope


def _whose(symbols: Symbols, target: n.Expr, scope: Scope) -> str | None:
    """The advice for an attribute of this name without its owner."""
    name = target.id if isinstance(target, n.Name) else ""
    owners = [kind for kind, known in symbols.columns if known == name]
    for local in scope.variables.values():
        if isinstance(local.type, ThingT) and local.type.kind in owners:
            return f"write `{local.name}.{name}`"
    return f"it belongs to {listed(owners)}: write whose" if owners else None


def _store(checker: Expressions, node: n.Assign, target: n.Attribute, scope: Scope) -> t.Statement | None:
    place = checker.check(target, scope)
    if isinstance(
        place, t.Sure
    ):  # a loop found that it holds something; of what is written that is not asked
        place = place.value
    if isinstance(place.type, ErrorT):
        return None
    if not isinstance(place, t.Read) or place.column.constant:
        return _no_attribute(checker.symbols, node, target, place)
    value = node.value
    if isinstance(value, n.RollDice | n.RollRange | n.RandomPick | n.New):
        checker.symbols.error("RF506", "roll into a local first", value.span, "write `let x = roll ...`")
        return None
    if node.op != "=":
        value = n.Arithmetic(node.span, node.op[0], target, value)
    checked = checker.wanted(value, scope, place.column.type, f"`.{target.name}`")
    taken = node.op == "=" and isinstance(value, n.Negative)
    _in_range(checker.symbols, place.column, checked, "to subtract from it write `-=`" if taken else None)
    return t.Store(node.span, place.column, place.of, place.index, checked)


def _in_range(symbols: Symbols, column: t.Column, value: t.Expr, help: str | None = None) -> None:
    if isinstance(column.type, NumberT) and isinstance(value.type, NumberT) and not column.capped:
        low, high = column.type.low, column.type.high
        if value.type.high < low or value.type.low > high:
            symbols.error(
                "RF508", f"`{column.name}` is {low}..{high}, but this is {value.type}", value.span, help
            )


def _no_attribute(symbols: Symbols, node: n.Assign, target: n.Attribute, place: t.Expr) -> t.Statement | None:
    """Reports; of a fact it is known what would be overwritten."""
    what = "a fact, which never changes" if isinstance(place, t.Read) else "no attribute"
    help = _CHANGING if isinstance(place, t.Read) else None
    if isinstance(place, t.Content | t.Whereabouts):
        help = "write `move THING to PLACE`"
    symbols.error("RF506", f"`.{target.name}` is {what}", target.span, help)
    if not isinstance(place, t.Read):
        return None
    kind = place.column.kind.name
    return t.Overwrite(node.span, (f"{kind}.{place.column.name}", kind))


# `let x = ...`, and `x = ...` for a local: a value with a name.


def let(checker: Expressions, node: n.Let, scope: Scope, frame: Frame) -> tuple[t.Statement | None, Scope]:
    if node.name in scope.variables:
        message, help = f"`{node.name}` is already in use here", f"to change it write `{node.name} = ...`"
        checker.symbols.error("RF505", message, node.span, help)
    wanted = type_of(node.type, checker.symbols) if node.type is not None else None
    into, type = value_into(checker, node.value, scope, wanted, node.span)
    if wanted is not None:
        _must_fit(checker.symbols, type, wanted, node)
        variable = checker.variable(node.name, wanted, node)
        return into(variable), scope.after_change().bind(variable)
    type = _annotated_type(checker.symbols, type, node, node.name in frame.reassigned)
    found = isinstance(type, ThingT) and node.value in scope.present  # so it may be none some other time
    variable = checker.variable(node.name, or_none(type) if found else type, node)
    behind = scope.after_change().bind(variable)
    known: frozenset[n.Expr] = frozenset([n.Name(node.span, node.name)] if found else ())
    return into(variable), behind.knowing(known)


def _annotated_type(symbols: Symbols, type: Type, node: n.Let, is_reassigned: bool) -> Type:
    """The type of a local, told from what it begins with; a number that is written again may become any."""
    if isinstance(type, NoneT | NothingT):
        help = "begin with a value that has one, such as `first(x in SET where ...)`, which may be none"
        symbols.error("RF502", f"`{node.name}` gets {type}, which does not show its type", node.span, help)
        return ERROR
    return NumberT(INT_MIN, INT_MAX) if is_reassigned and isinstance(type, NumberT) else type


def assign_local(
    checker: Expressions, node: n.Assign, variable: t.Variable, scope: Scope
) -> tuple[t.Statement | None, Scope]:
    value = node.value
    if node.op != "=":
        value = n.Arithmetic(node.span, node.op[0], node.target, value)  # type: ignore[arg-type]
    into, type = value_into(checker, value, scope, variable.type, node.span)
    _must_fit(checker.symbols, type, variable.type, node)
    return into(variable), scope.after_change(variable.name)


def _must_fit(symbols: Symbols, type: Type, wanted: Type, node: n.Let | n.Assign) -> None:
    """Report a value of chance, an event or a pool that does not fit the local; expressions are checked already."""
    if not isinstance(node.value, n.RandomPick | n.New | n.Call) or fits(type, wanted):
        return
    if not isinstance(type, ErrorT) and not isinstance(wanted, ErrorT):
        symbols.error("RF502", f"this needs {wanted}, but gets {type}", node.value.span)


# The right side of `let` or `=`: how it is stored in a local, and its type.


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
    value_as_stored = checker.stored(value, scope, target)
    return (lambda v: t.Assign(span, v, value_as_stored)), value_as_stored.type


def _nothing(_: t.Variable) -> t.Statement | None:
    """The statement for a value that was reported."""
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
    """The value that an event returns."""
    event, arguments = event_called(checker, call, scope)
    if event is None:
        return _nothing, ERROR
    if event.result == NOTHING:
        message, help = f"`{call.name}` returns no value", "let it `return` something"
        checker.symbols.error("RF502", message, call.span, help)
    return (lambda v: t.Perform(span, event, arguments, v)), event.result
