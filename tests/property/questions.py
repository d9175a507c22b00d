"""Expressions about everything that a game may hide, made from its program: columns by value and by order, places."""

from __future__ import annotations

from collections.abc import Iterator

import ruleforge
from ruleforge.compiler.ir import ColumnInfo, Flag, Number, PlaceInfo, Program, Thing
from tests.inside import variant_of


def questions(state: ruleforge.State) -> list[str]:
    """Texts of the effect language; what they come to, and whether they have a value, hangs on hidden things."""
    program = variant_of(state).program
    columns = (column for column in program.columns if column.sees is not None and "." not in column.name)
    places = (place for place in program.places if place.sees is not None)
    return [
        *(text for column in columns for text in _of_column(program, column)),
        *(text for place in places for text in _of_place(program, place)),
    ]


def _of_column(program: Program, column: ColumnInfo) -> Iterator[str]:
    kind = program.kinds[column.kind]
    each = f"{kind.name}" if kind.name == "game" else "x"
    keys = [program.kinds[number] for number in column.per]
    value = f"{each}.{column.name}" + (f"[{', '.join(key.things[-1] for key in keys)}]" if keys else "")
    source = f"x in {kind.plural}" if each == "x" else "x in players"
    test = _test(program, value, column)
    if test is None:
        return
    yield from (
        f"{form}({source} where {test})"
        for form in ("count", "any", "first")
        if each == "x" or form != "first"
    )
    yield f"all({test} for {source})"
    if each == "x":
        yield f"{{{source} where {test}}}"
        yield f"first({source} where not ({test}))"
    if isinstance(column.type, Number):
        yield from (f"{form}({value} for {source})" for form in ("sum", "max"))
        yield f"count({source} where 7 // {value} > 0)"  # breaks off where it is 0
        yield f"max(2147483647 + {value} for {source})"
        if each == "x":
            yield f"best({source} by {value})"


def _test(program: Program, value: str, column: ColumnInfo) -> str | None:
    """Something that may be true of a value."""
    match column.type:
        case Number(low=low, high=high):
            return f"{value} is {min(max(low, 1), high)}"
        case Flag():
            return value
        case Thing(kind=kind):
            return f"{value} is {program.kinds[kind].things[1]}"
    return None


def _of_place(program: Program, place: PlaceInfo) -> Iterator[str]:
    held = program.kinds[place.holds]
    owners = [program.kinds[number].things[-1] for number in place.of]
    rest = f"[{', '.join(owners[1:])}]" if len(owners) > 1 else ""
    where = f"{owners[0]}.{place.name}{rest}" if owners else place.name
    thing = held.things[len(held.things) // 2]
    yield f"{thing} in {where}"
    yield f"count(x in {held.plural} where x in {where})"
    if place.form != "single":
        yield f"first(x in {where})"
        yield f"{{x in {where}}}"
        yield f"max(number(x) for x in {where})"
        yield f"count(x in {where} where number(x) > {len(held.things) // 2})"
