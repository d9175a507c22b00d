"""Short labels of types and declarations for editors."""

from __future__ import annotations

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import FlagT, NumberT, SetT, ThingT, Type


def short(type_: Type) -> str:
    """A type as an author writes it."""
    match type_:
        case NumberT(low=low, high=high):
            return f"{low}..{high}" if low != high else str(low)
        case FlagT():
            return "flag"
        case ThingT(kind=kind, optional=optional):
            return f"{kind} or none" if optional else kind
        case SetT(kind=kind):
            return f"set of {kind}"
    return str(type_)


def signature(name: str, parameters: tuple[t.Variable, ...], result: str = "") -> str:
    given = ", ".join(f"{p.name}: {short(p.type)}" for p in parameters)
    return f"{name}({given})" + (f" -> {result}" if result else "")


def column_words(column: t.Column) -> str:
    per = "".join(f" per {kind.name}" for kind in column.per)
    return f"{column.kind.name}.{column.name}: {short(column.type)}{per}"


def place_words(place: t.Place) -> str:
    of = f" of {', '.join(f'{name}: {kind.name}' for name, kind in place.of)}" if place.of else ""
    holds = f"one {place.holds.name}" if place.single else place.holds.plural
    return f"{place.name}{of} holds {holds}"
