"""Values known before play: bounds of types, numbers, facts of things."""

from __future__ import annotations

import operator

from ruleforge.lang.checker.symbols import Symbols
from ruleforge.lang.checker.types import (
    ERROR,
    FLAG,
    INT_MAX,
    INT_MIN,
    ErrorT,
    FlagT,
    NumberT,
    SetT,
    ThingT,
    Type,
)
from ruleforge.lang.parser import nodes as n
from ruleforge.support.diagnostics import Edit
from ruleforge.support.spelling import with_article

OPERATIONS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
}


def constant_number(node: n.Expr, symbols: Symbols) -> int | None:
    """The value of a constant expression, or None after a diagnostic."""
    match node:
        case n.Number(value=value):
            return value
        case n.Negative(value=inner):
            positive = constant_number(inner, symbols)
            return None if positive is None else -positive
        case n.Name(id=name) if name in symbols.numbers:
            symbols.uses.name("number", name, node.span)
            return symbols.numbers[name]
        case n.Name(id=name) if name in symbols.sizes:
            kind, size = symbols.sizes[name]
            symbols.uses.name("kind", kind, node.span)
            return size
        case n.Arithmetic(op=op, left=left, right=right) if op in OPERATIONS:
            a, b = constant_number(left, symbols), constant_number(right, symbols)
            if a is None or b is None:
                return None
            if op in ("//", "%") and b == 0:
                symbols.error("RF508", "division by zero", node.span)
                return None
            return _in_range(node, OPERATIONS[op](a, b), symbols)
        case n.Name(id=name):
            symbols.unknown("number", name, node.span, [*symbols.numbers, *symbols.sizes])
            return None
    symbols.error(
        "RF509", "expected a constant number here", node.span, "write a number, or a name from `numbers`"
    )
    return None


def type_of(node: n.Type, symbols: Symbols) -> Type:
    """Resolve a written type; the bounds of numbers must be constant."""
    match node:
        case n.NumberType(low=low, high=high):
            bottom, top = constant_number(low, symbols), constant_number(high, symbols)
            if bottom is None or top is None:
                return ERROR
            if bottom > top:
                help = f"write the smaller number first: `{top}..{bottom}`"
                symbols.error("RF508", f"the range {bottom}..{top} is empty", node.span, help)
                return ERROR
            return NumberT(bottom, top)
        case n.FlagType():
            return FLAG
        case n.KindType(kind=name, optional=optional):
            return ThingT(name, optional) if symbols.kind_named(name, node.span) else ERROR
        case n.SetType(kind=name):
            return SetT(name) if symbols.kind_named(name, node.span) else ERROR


def _in_range(node: n.Expr, value: int, symbols: Symbols) -> int | None:
    if INT_MIN <= value <= INT_MAX:
        return value
    symbols.error("RF508", "this number needs more than 32 bits", node.span, f"the largest is {INT_MAX}")
    return None


def constant_value(node: n.Expr, type: Type, symbols: Symbols) -> int | tuple[int, ...] | None:
    """A fact's value: a number, a flag as 0/1, a thing's id, or the ids of a set; None after a diagnostic."""
    match type:
        case NumberT(low=low, high=high):
            value = constant_number(node, symbols)
            if value is not None and not low <= value <= high:
                symbols.error("RF508", f"{value} is not in {low}..{high}", node.span)
                return None
            return value
        case FlagT():
            if isinstance(node, n.Bool):
                return int(node.value)
            symbols.error("RF502", "expected true or false here", node.span)
            return None
        case ThingT(kind=kind, optional=optional):
            if isinstance(node, n.NoneLiteral) and optional:
                return 0
            return thing_of(node, kind, symbols)
        case SetT(kind=kind):
            return set_of(node, kind, symbols)
        case ErrorT():
            return None
    raise AssertionError(type)


def thing_of(node: n.Expr, kind: str, symbols: Symbols) -> int | None:
    if isinstance(node, n.Name):
        for owner, number in symbols.things.get(node.id, []):
            if owner.name == kind:
                symbols.uses.name("thing", node.id, node.span, kind)
                return number
        symbols.unknown(kind, node.id, node.span, symbols.kinds[kind].things)
        return None
    message, alone = f"expected the name of {with_article(f'`{kind}`')} here", None
    if isinstance(node, n.SetLiteral) and len(node.members) == 1 and isinstance(node.members[0], n.Name):
        alone = node.members[0].id
    fix = (Edit(node.span, alone),) if alone else ()
    symbols.error("RF509", message, node.span, f"write `{alone}`, without brackets" if alone else None, fix)
    return None


def set_of(node: n.Expr, kind: str, symbols: Symbols) -> tuple[int, ...] | None:
    if isinstance(node, n.SetLiteral):
        members = [thing_of(m, kind, symbols) for m in node.members]
        known = [m for m in members if m is not None]
        for place, (member, text) in enumerate(zip(members, node.members, strict=True)):
            if member is not None and member in members[:place]:
                name = symbols.kinds[kind].things[member - 1]
                symbols.error("RF510", f"`{name}` is listed twice", text.span, "delete one of the two")
        return tuple(sorted(set(known))) if len(known) == len(members) else None
    alone = f"[{node.id}]" if isinstance(node, n.Name) else None
    fix = (Edit(node.span, alone),) if alone else ()
    symbols.error(
        "RF509", f"expected a list of `{kind}` here", node.span, f"write `{alone or '[a, b]'}`", fix
    )
    return None
